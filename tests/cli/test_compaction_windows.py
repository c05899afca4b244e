"""Windows of the commands whose results depend on runs, or depend in number on the data: the bytes
are those of one window. (Bounded memory: test_windows.py.)"""

import itertools
import json
import os
import threading
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory

if "LOOKBACK_SANITIZER" in os.environ:  # a process takes longer to start: fewer types
    INTEGERS = INTEGERS[::3]

WHOLE = 1 << 30


def runs(dtype, size, mean, random):
    """Runs of about `mean` items, of two numbers, so that windows often end within a run."""
    return (np.cumsum(random.random(size) < 1 / mean) % 2 + 3).astype(dtype)


def unaligned(x):
    """A .npy file whose numbers do not begin at a multiple of their size."""
    header = f"{{'descr': '{x.dtype.str}', 'fortran_order': False, 'shape': {x.shape}}}".ljust(81)
    return (np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") + header.encode() +
            x.tobytes())


class InWindows(InDirectory):
    def outputs(self, window, *arguments, inputs=()):
        """What a command writes, by file names."""
        text = self.lookback(*arguments, "--window", window)
        found = {name: content for name, content in self.tree().items() if name not in inputs}
        for name in found:
            os.remove(self.path(name))
        return text, found

    def check(self, windows, *arguments):
        inputs = set(os.listdir(self.directory))
        whole = self.outputs(WHOLE, *arguments, inputs=inputs)
        self.assertNotEqual(whole, (b"", {}))
        for window in windows:
            with self.subTest(arguments=arguments, window=window):
                self.assertEqual(self.outputs(window, *arguments, inputs=inputs), whole)


class Compactions(InWindows):
    """Windows may have any number of items here, so every item may be the last of its window."""

    COMMANDS = (["select", "--where", "x < 4", "-o", "y.npy"],
                ["partition", "--where", "x < 4", "-o", "y.npy"],
                ["partition", "--where", "x < 4", "-o", "y.npy", "--rest", "rest.npy"],
                ["partition", "--where", "x > 4 or x < 4", "-o", "y.bin", "--rest", "rest.npy"],
                ["unique", "-o", "y.npy"],
                ["rle", "-o", "y.npy", "--lengths", "lengths.npy"])

    def check_all(self, windows):
        for command, *options in self.COMMANDS:
            self.check(windows, command, "x.npy", *options)

    def test_types(self):
        random = np.random.default_rng(1)
        for dtype in INTEGERS + FLOATS:
            for mean in 1, 2, 9, 1000:
                self.put("x.npy", runs(dtype, 77, mean, random))
                self.check_all([1, 24])
            self.put("x.npy", runs(dtype, 100_003, 50, random))
            self.check_all([1 << 12, 100_003 * 2])

    def test_few_numbers(self):
        for size in 0, 1, 2, 3:
            self.put("x.npy", np.arange(size, dtype=np.int32) // 2 + 3)
            self.check_all([1, 8])

    def test_nan_and_zeros(self):
        # Each NaN is a run; of -0 and 0 the first is kept, also if a window ends between them.
        x = np.array([np.nan, np.nan, -0.0, 0.0, 0.0, -0.0, 1, np.inf, np.inf, 0.0, -0.0])
        for dtype in FLOATS:
            self.put("x.npy", x.astype(dtype))
            self.check_all([1, 16])
            self.lookback("unique", "x.npy", "-o", "y.npy", "--window", 1)
            self.assertEqual(np.load(self.path("y.npy")).tobytes(),
                             x[[0, 1, 2, 6, 7, 9]].astype(dtype).tobytes())
            os.remove(self.path("y.npy"))

    def test_unaligned(self):
        self.put("x.npy", unaligned(runs("int32", 2000, 5, np.random.default_rng(2))))
        self.check_all([1, 400])

    def test_text(self):
        text = " ".join(map(str, runs("int64", 300, 3, np.random.default_rng(3)))).encode()
        for command, *options in (["select", "--where", "x < 4"], ["partition", "--where", "x < 4"],
                                  ["unique"], ["rle", "--lengths", "l.npy"]):
            whole = self.lookback(command, "-", *options, stdin=text)
            lengths = self.tree().get("l.npy")
            self.assertEqual(self.lookback(command, "-", *options, "--window", 1, stdin=text), whole)
            self.assertEqual(self.tree().get("l.npy"), lengths)

    def test_written_files_are_numpys(self):
        x = np.arange(1000, dtype=np.uint16)
        self.put("x.npy", x)
        for limit in 0, 1, 7, 100, 1000:
            self.lookback("select", "x.npy", "-o", "y.npy", "--where", f"x < {limit}")
            self.put("z.npy", x[:limit])
            tree = self.tree()
            self.assertEqual(tree["y.npy"], tree["z.npy"])

    def test_an_output_may_be_the_input(self):
        x = runs("int64", 50_000, 3, np.random.default_rng(4))
        self.put("x.npy", x)
        self.lookback("partition", "x.npy", "-o", "x.npy", "--where", "x > 3", "--window", 1 << 12)
        np.testing.assert_array_equal(np.load(self.path("x.npy")), -np.sort(-x))

    def test_npy_through_a_pipe(self):
        # The header comes first, so the numbers wait for it.
        self.put("x.npy", np.arange(30_000))
        os.mkfifo(self.path("y.npy"))
        received = []

        def read():
            with open(self.path("y.npy"), "rb") as pipe:
                received.append(pipe.read())
        reader = threading.Thread(target=read)
        reader.start()
        self.lookback("select", "x.npy", "-o", "y.npy", "--where", "x < 20000", "--window", 1 << 12)
        reader.join()
        self.put("z.npy", np.arange(20_000))
        self.assertEqual(received[0], self.tree()["z.npy"])

    def test_report(self):
        x = runs("int32", 5000, 3, np.random.default_rng(5))
        changes = int((x[1:] != x[:-1]).sum())
        self.put("x.npy", x)
        for command, *options in self.COMMANDS:
            for window in 400, WHOLE:
                before = set(self.tree())
                done = json.loads(self.lookback(command, "x.npy", *options, "--window", window,
                                                "--json"))
                self.assertEqual((done["n"], done["type"]), (5000, "int32"))
                if "--where" in options:
                    self.assertEqual(done["kept"], int((x < 4).sum()))
                else:
                    self.assertEqual(done["runs"], changes + 1)
                written = {name: data for name, data in self.tree().items() if name not in before}
                moved = x.nbytes + sum(map(len, written.values()))
                rounded = 6e-4 * done["seconds"]  # the rate has three digits
                self.assertAlmostEqual(done["gb_per_s"] * done["seconds"], moved / 1e9,
                                       delta=rounded)
                for name in written:
                    os.remove(self.path(name))

    def test_window_is_checked(self):
        self.put("x.npy", np.arange(3))
        for command in (["unique", "x.npy", "-o", "y.npy"],
                        ["reduce-by-key", "x.npy", "x.npy", "-o", "y.npy", "--values", "z.npy"]):
            self.refused("--window 0: expected 1 to 2^40 bytes", *command, "--window", "0")
            self.refused("--window: '1M' is not a number", *command, "--window", "1M")


class ByKey(InWindows):
    """Windows have whole tiles, even windows of one byte."""

    SIZE = 140_001  # more than two tiles of any type

    def values(self, dtype, random):
        if dtype in FLOATS:  # every step rounds, and products stay in range
            return (1 + (random.random(self.SIZE) - 0.5) / 64).astype(dtype)
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, self.SIZE, dtype, endpoint=True)

    def put_keys(self, mean, random, dtype="int32"):
        keys = runs(dtype, self.SIZE, mean, random)
        at = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        # Segments that are empty at both ends and in the middle.
        at = np.concatenate([[0], at, [at[len(at) // 2]] * 3, [self.SIZE] * 3])
        self.put("keys.npy", keys)
        self.put("offsets.npy", np.sort(at))

    def check_reduction(self, *options):
        self.check([1, 1 << 19], "reduce-by-key", "keys.npy", "x.npy", "-o", "k.npy", "--values",
                   "v.npy", *options)

    def check_scans(self, *options):
        for by, exclusive, backward in itertools.product(
                (["--by-key", "keys.npy"], ["--segments", "offsets.npy"]), [False, True],
                [False, True]):
            flags = ["--exclusive"] * exclusive + ["--backward"] * backward
            self.check([1, 1 << 19], "scan", "x.npy", "-o", "y.npy", *by, *flags, *options)

    def test_floats_bit_by_bit(self):
        random = np.random.default_rng(5)
        for dtype in FLOATS:
            for mean in 2, 500, 60_000, 1 << 30:
                self.put("x.npy", self.values(dtype, random))
                self.put_keys(mean, random)
                for op in "sum", "product", "max":
                    self.check_reduction("--op", op)
                    self.check_scans("--op", op)
                self.check_scans("--init", "0.3")

    def test_integers(self):
        random = np.random.default_rng(6)
        for dtype in INTEGERS:
            self.put("x.npy", self.values(dtype, random))
            self.put_keys(3000, random)
            for op in "sum", "min", "xor":
                self.check_reduction("--op", op)
                self.check_scans("--op", op)

    def test_runs_that_end_with_tiles(self):
        # Powers of two, and one less: runs begin at, before and after each edge.
        random = np.random.default_rng(7)
        self.put("x.npy", self.values("float64", random))
        for length in 1 << 11, (1 << 13) - 1, 1 << 14:
            self.put("keys.npy", np.arange(self.SIZE) // length)
            self.put("offsets.npy", np.append(np.arange(0, self.SIZE, length), self.SIZE))
            self.check_reduction()
            self.check_scans()

    def test_keys_of_every_type(self):
        random = np.random.default_rng(8)
        self.put("x.npy", self.values("float32", random))
        for dtype in INTEGERS + FLOATS:
            self.put_keys(40_000, random, dtype)
            self.check_reduction()
            self.check([1], "scan", "x.npy", "-o", "y.npy", "--by-key", "keys.npy")
            self.check([1], "scan", "x.npy", "-o", "y.npy", "--by-key", "keys.npy", "--backward")

    def test_offsets_of_every_type(self):
        # Offsets have their own windows, of any number of offsets.
        self.put("x.npy", np.ones(100, np.float32))
        for dtype in INTEGERS:
            self.put("offsets.npy", np.array([0, 0, 3, 3, 3, 50, 99, 100, 100], dtype))
            for backward in [], ["--backward"]:
                self.check([1, 24], "scan", "x.npy", "-o", "y.npy", "--segments", "offsets.npy",
                           *backward)

    def test_other_type_and_unaligned(self):
        random = np.random.default_rng(9)
        self.put("x.npy", unaligned(self.values("float32", random)))
        keys = runs("int64", self.SIZE, 9000, random)
        self.put("keys.npy", unaligned(keys))
        self.put("offsets.npy", unaligned(np.array([0, 7, self.SIZE // 2, self.SIZE])))
        for options in [], ["--out-dtype", "float64"]:
            self.check_reduction(*options)
            self.check_scans(*options)

    def test_text(self):
        random = np.random.default_rng(10)
        values = " ".join(map(str, self.values("float64", random))).encode()
        self.put_keys(50_000, random)
        for command in (["scan", "-", "--by-key", "keys.npy"],
                        ["scan", "-", "--segments", "offsets.npy", "--backward"],
                        ["reduce-by-key", "keys.npy", "-", "-o", "k.npy", "--values", "-"]):
            self.assertEqual(self.lookback(*command, "--window", 1, stdin=values),
                             self.lookback(*command, "--window", WHOLE, stdin=values))

    def test_offsets_are_checked_before_anything_is_written(self):
        self.put("x.npy", np.ones(9))
        self.put("offsets.npy", np.array([0, 2, 4, 3, 9]))
        for target in "y.npy", "-":
            self.refused("offsets.npy: entry 3 is 3, after 4; expected offsets that do not decrease",
                         "scan", "x.npy", "-o", target, "--segments", "offsets.npy", "--window", 1)


if __name__ == "__main__":
    unittest.main()
