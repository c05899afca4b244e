"""Scans by key and of segments: the scan of each segment is compared with NumPy's."""

import itertools
import json
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory, expected, operators


def offsets(items, segments, random):
    """Offsets of `segments` segments, some of them empty."""
    inner = np.sort(random.integers(0, items + 1, max(segments - 1, 0)))
    return np.concatenate([[0], inner, [items]])


def keys(at, random):
    """Keys whose runs are the segments that are not empty."""
    lengths = np.diff(at)
    lengths = lengths[lengths > 0]
    return np.repeat((np.arange(len(lengths)) + random.integers(5)) % 5, lengths)


def numbers(dtype, size, random):
    if dtype in FLOATS:  # nothing is rounded, and products are in range
        return random.choice(np.array([1, -1], dtype), size)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, size, dtype, endpoint=True)


class Segments(InDirectory):
    def check(self, x, at, op="sum", exclusive=False, backward=False, init=None, options=(),
              out_type=None):
        z = x.astype(out_type or x.dtype)
        y = np.concatenate([z[:0]] + [expected(z[a:b], op, exclusive, backward, init=init)
                                      for a, b in zip(at, at[1:]) if a < b])
        flags = ["--exclusive"] * exclusive + ["--backward"] * backward
        flags += ["--op", op, *options] + (["--init", init] if init is not None else [])
        flags += ["--out-dtype", out_type] if out_type else []
        self.put("offsets.npy", at)
        self.put("keys.npy", keys(at, np.random.default_rng(1)))
        for by in ["--segments", "offsets.npy"], ["--by-key", "keys.npy"]:
            with self.subTest(dtype=x.dtype, size=len(x), segments=len(at) - 1, flags=flags + by):
                np.testing.assert_array_equal(self.scan(x, *flags, *by), y, strict=True)

    def test_types_and_operators(self):
        random = np.random.default_rng(2)
        for dtype in INTEGERS + FLOATS:
            for op in operators(dtype):
                for exclusive, backward in itertools.product([False, True], repeat=2):
                    x = numbers(dtype, 20_000, random)
                    self.check(x, offsets(len(x), 300, random), op, exclusive, backward)

    def test_sizes(self):
        random = np.random.default_rng(3)
        for size, count in ((0, 1), (0, 5), (1, 1), (1, 4), (2, 2), (1000, 1), (1000, 3000),
                            (300_000, 1), (300_000, 3), (300_000, 20_000)):
            for exclusive, backward in itertools.product([False, True], repeat=2):
                x = numbers("int64", size, random)
                self.check(x, offsets(size, count, random), "sum", exclusive, backward)

    def test_init(self):
        random = np.random.default_rng(4)
        for exclusive, backward in itertools.product([False, True], repeat=2):
            x = numbers("int32", 5000, random)
            self.check(x, offsets(5000, 70, random), "sum", exclusive, backward, init=7)
            self.check(x, offsets(5000, 70, random), "max", exclusive, backward, init=-7)

    def test_other_type_and_threads(self):
        random = np.random.default_rng(5)
        x = numbers("uint8", 500_000, random)
        for threads in 0, 1, 2:
            self.check(x, offsets(len(x), 9, random), options=["--threads", threads],
                       out_type="uint64")

    def test_no_segments(self):
        self.check(np.zeros(0, np.int16), np.array([0]))

    def test_keys_of_every_type(self):
        random = np.random.default_rng(6)
        at = offsets(100_000, 1000, random)
        x, by = numbers("int32", 100_000, random), keys(at, random)
        first = self.scan_by(x, by)
        for dtype in INTEGERS + FLOATS:
            np.testing.assert_array_equal(self.scan_by(x, by.astype(dtype)), first)

    def scan_by(self, x, by):
        self.put("keys.npy", by)
        return self.scan(x, "--by-key", "keys.npy")

    def test_keys_are_equal_as_numbers_are(self):
        by = np.array([np.nan, np.nan, -0.0, 0.0, 1, np.inf, np.inf])
        np.testing.assert_array_equal(self.scan_by(np.ones(7), by), [1, 1, 1, 2, 1, 1, 2])

    def test_offsets_of_every_integer_type(self):
        for dtype in INTEGERS:
            self.put("offsets.npy", np.array([0, 3, 3, 100, 127], dtype))
            y = self.scan(np.ones(127, np.int32), "--segments", "offsets.npy")
            np.testing.assert_array_equal(y, np.r_[1:4, 1:98, 1:28])

    def test_sums_of_floats_have_the_same_bits_in_every_run(self):
        random = np.random.default_rng(7)
        self.put("keys.npy", keys(offsets(1_000_000, 5, random), random))
        x = random.random(1_000_000, np.float32)
        one = self.scan(x, "--by-key", "keys.npy", "--threads", 1).tobytes()
        for _ in range(5):
            self.assertEqual(self.scan(x, "--by-key", "keys.npy").tobytes(), one)

    def test_text_and_raw(self):
        self.put("k.bin", np.array([1, 1, 2], np.uint8))
        options = ["--by-key", "k.bin", "--key-dtype", "u1"]
        self.assertEqual(self.lookback("scan", "-", *options, stdin=b"1 2 3"), b"1\n3\n3\n")
        self.put("x.npy", np.arange(3))
        self.assertEqual(self.lookback("scan", "x.npy", "-o", "-", "--segments", "-", "--backward",
                                       stdin=b"0 1 3"), b"0\n3\n2\n")

    def test_output_may_be_an_input(self):
        self.put("k.npy", np.repeat(np.arange(100_000), 10))
        self.put("x.npy", np.ones(1_000_000, np.int64))
        done = json.loads(self.lookback("scan", "x.npy", "-o", "k.npy", "--by-key", "k.npy", "--json"))
        np.testing.assert_array_equal(np.load(self.path("k.npy")),
                                      np.tile(np.arange(1, 11), 100_000))
        self.assertEqual((done["n"], done["type"]), (1_000_000, "int64"))
        self.assertAlmostEqual(done["gb_per_s"] * done["seconds"], (24_000_000 + 128) / 1e9,
                               delta=1e-4)


class Refused(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(6))
        self.put("2d.npy", np.zeros((2, 3)))
        self.put("k.npy", np.arange(6))

    def scan_refused(self, message, *arguments, file="x.npy"):
        self.refused(message, "scan", file, "-o", "o.npy", *arguments)

    def test_offsets(self):
        for at, message in (
                ([], "is empty; expected one offset more than there are segments"),
                ([1, 6], "begins with 1; expected 0"),
                ([-1, 6], "begins with -1; expected 0"),
                ([0, 4, 3, 6], "entry 2 is 3, after 4; expected offsets that do not decrease"),
                ([0, 4, 4, -7], "entry 3 is -7, after 4; expected offsets that do not decrease"),
                ([0, 9, 6], "entry 2 is 6, after 9; expected offsets that do not decrease"),
                ([0, 5], "ends with 5; expected 6, the number of items of x.npy"),
                ([0, 3, 7], "ends with 7; expected 6, the number of items of x.npy"),
                ([0], "ends with 0; expected 6, the number of items of x.npy")):
            with self.subTest(at):
                self.put("at.npy", np.array(at, np.int64))
                self.scan_refused(f"at.npy: {message}", "--segments", "at.npy")
        self.put("at.npy", np.array([0, 2**64 - 1], np.uint64))
        self.scan_refused("at.npy: ends with 18446744073709551615; expected 6, the number of items of "
                          "x.npy", "--segments", "at.npy")
        self.put("at.npy", np.array([0.0, 6.0]))
        self.scan_refused("at.npy: holds float64; expected offsets of an integer type",
                          "--segments", "at.npy")
        self.scan_refused("2d.npy: has shape (2, 3); expected one dimension", "--segments", "2d.npy")

    def test_keys(self):
        self.put("5.npy", np.arange(5))
        self.scan_refused("5.npy: 5 keys for the 6 numbers of x.npy; expected as many",
                          "--by-key", "5.npy")
        self.scan_refused("2d.npy: has shape (2, 3); expected one dimension", "--by-key", "2d.npy")
        self.scan_refused("2d.npy: has shape (2, 3); expected one dimension", "--by-key", "k.npy",
                          file="2d.npy")
        self.scan_refused("no.npy: cannot read: No such file or directory", "--by-key", "no.npy")
        self.scan_refused("--by-key: the name is empty; expected that of a file, or - for standard "
                          "input", "--by-key", "")

    def test_options(self):
        self.scan_refused("--segments: cannot be used with --by-key; expected one of them",
                          "--by-key", "k.npy", "--segments", "k.npy")
        for option in "--by-key", "--segments":
            self.scan_refused(f"--axis 0: cannot be used with {option}", option, "k.npy", "--axis", "0")
            self.scan_refused(f"IN and {option}: both are standard input; expected a file for one of "
                              "them", option, "-", file="-")
        self.scan_refused("--key-dtype: is for --by-key and --segments", "--key-dtype", "u1")


if __name__ == "__main__":
    unittest.main()
