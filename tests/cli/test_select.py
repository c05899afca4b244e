"""select, compared with NumPy. (Its conditions: test_conditions.py.)"""

import itertools
import json
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory
from test_conditions import numbers

SIZES = [0, 1, 2, 17, 1000, 200_003]


class Select(InDirectory):
    def select(self, x, where, *arguments):
        self.put("in.npy", x)
        self.assertEqual(
            self.lookback("select", "in.npy", "-o", "out.npy", "--where", where, *arguments), b"")
        return np.load(self.path("out.npy"))

    def check(self, x, where, kept):
        with self.subTest(dtype=x.dtype, size=len(x), where=where):
            y = self.select(x, where)
            self.assertEqual(y.dtype, x.dtype)
            self.assertEqual(y.tobytes(), x[kept].tobytes())

    def test_sizes(self):
        random = np.random.default_rng(2)
        for name in INTEGERS + FLOATS:
            for size in SIZES:
                x = numbers(name, size, random)
                self.check(x, "x > 7", x > 7)  # one interval
                self.check(x, "x != 7", x != 7)  # all but one interval
                self.check(x, "x < 2 or 5 <= x < 9 or x == 12",
                           (x < 2) | (5 <= x) & (x < 9) | (x == 12))

    def test_all_and_none(self):
        random = np.random.default_rng(3)
        for name in INTEGERS + FLOATS:
            x = numbers(name, 1000, random)
            for where in "x < 3 or x >= 3 or isnan(x)", "not (x < 3 and x > 3)", "x != 3 or x == 3":
                self.check(x, where, np.full(len(x), True))
            self.check(x, "x < 3 and x > 3", np.full(len(x), False))

    def test_text(self):
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1", stdin=b"3 1 2"), b"3\n2\n")
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1.5", "--dtype", "f4",
                                       stdin=b"1 2 3 nan"), b"2\n3\n")
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1", stdin=b""), b"")

    def test_raw_and_unaligned(self):
        x = np.arange(1000, dtype=np.int32)
        self.put("x.bin", x)
        self.lookback("select", "x.bin", "--dtype", "i4", "-o", "y.bin", "--where", "x >= 998")
        self.assertEqual(self.tree()["y.bin"], x[998:].tobytes())
        header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {x.shape}}}".ljust(81)
        self.put("z.npy", np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") +
                 header.encode() + x.tobytes())
        self.assertEqual(self.lookback("select", "z.npy", "-o", "-", "--where", "x < 2"), b"0\n1\n")

    def test_output_may_be_the_input(self):
        x = np.arange(3_000_000)
        self.put("x.npy", x)
        self.lookback("select", "x.npy", "-o", "x.npy", "--where", "x >= 10")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), x[10:], strict=True)

    def test_threads_and_json(self):
        x = np.random.default_rng(4).random(500_000)
        for threads in 0, 1, 2:
            np.testing.assert_array_equal(self.select(x, "x < 0.5", "--threads", threads), x[x < 0.5])
        done = json.loads(self.lookback("select", "in.npy", "-o", "out.npy", "--where", "x < 0.5",
                                        "--json"))
        self.assertEqual(list(done), ["n", "kept", "type", "device", "threads", "simd", "seconds",
                                      "gb_per_s"])
        self.assertEqual((done["n"], done["kept"]), (500_000, (x < 0.5).sum()))
        moved = x.nbytes + len(self.tree()["out.npy"])
        self.assertAlmostEqual(done["gb_per_s"] * done["seconds"], moved / 1e9, delta=1e-4)


class Masks(InDirectory):
    def test_select_and_partition(self):
        random = np.random.default_rng(8)
        for dtype, size in itertools.product((np.uint8, np.int16, np.float32, np.int64), SIZES):
            x = numbers(np.dtype(dtype).name, size, random)
            mask = random.random(size) < 0.3
            self.put("x.npy", x)
            self.put("m.npy", mask)
            self.lookback("select", "x.npy", "--mask", "m.npy", "-o", "y.npy", "--indices-out", "i.npy",
                          "--window", "4096")
            self.assertEqual(np.load(self.path("y.npy")).tobytes(), x[mask].tobytes())
            np.testing.assert_array_equal(np.load(self.path("i.npy")), np.flatnonzero(mask), strict=True)
            for rest in [], ["--rest", "r.npy"]:
                self.lookback("partition", "x.npy", "--mask", "m.npy", "-o", "y.npy", *rest)
                y = np.load(self.path("y.npy"))
                if rest:
                    y = np.concatenate([y, np.load(self.path("r.npy"))])
                self.assertEqual(y.tobytes(), np.concatenate([x[mask], x[~mask]]).tobytes())

    def test_indices_of_conditions(self):
        x = np.random.default_rng(9).integers(-50, 50, 300_001).astype(np.int8)
        self.put("x.npy", x)
        for where, kept in ("x < 3", x < 3), ("x % 7 == 2 or x > 40", (x % 7 == 2) | (x > 40)):
            self.lookback("select", "x.npy", "--where", where, "-o", "y.npy", "--indices-out", "i.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), x[kept], strict=True)
            np.testing.assert_array_equal(np.load(self.path("i.npy")), np.flatnonzero(kept), strict=True)
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1", "--indices-out", "i.txt",
                                       stdin=b"3 1 2"), b"3\n2\n")
        self.assertEqual(self.tree()["i.txt"], b"0\n2\n")

    def test_partition_by_remainders(self):
        x = np.arange(100_000)
        self.put("x.npy", x)
        self.lookback("partition", "x.npy", "--where", "x % 3 == 1", "-o", "y.npy", "--rest", "r.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), x[x % 3 == 1])
        np.testing.assert_array_equal(np.load(self.path("r.npy")), x[x % 3 != 1])

    def test_masks_of_other_kinds(self):
        self.put("x.npy", np.arange(4))
        self.put("m.bin", np.array([0, 1, 0, 1], bool))
        self.put("m.txt", b"0 1 0 1")
        self.put("m.npy", np.array([0, 7, 0, 128], np.uint8))
        for mask in "m.bin", "m.txt", "m.npy":
            self.assertEqual(self.lookback("select", "x.npy", "-o", "-", "--mask", mask), b"1\n3\n")


class Shapes(InDirectory):
    def test_arrays_are_taken_as_lines(self):
        x = np.random.default_rng(10).integers(0, 3, (5, 7, 11))
        for order in "C", "F":
            self.put("x.npy", np.asarray(x, order=order))
            self.put("m.npy", np.asarray(x == 1, order=order))
            for options in ["--where", "x == 1"], ["--mask", "m.npy"]:
                self.lookback("select", "x.npy", "-o", "y.npy", *options, "--indices-out", "i.npy")
                np.testing.assert_array_equal(np.load(self.path("y.npy")), x[x == 1], strict=True)
                np.testing.assert_array_equal(np.load(self.path("i.npy")), np.flatnonzero(x == 1))
            flat = x.ravel()
            self.lookback("unique", "x.npy", "-o", "y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")),
                                          flat[np.concatenate([[True], flat[1:] != flat[:-1]])])
        self.put("0.npy", np.array(1.0))
        self.assertEqual(self.lookback("select", "0.npy", "-o", "-", "--where", "x > 0"), b"1\n")


class Refused(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(6, dtype=np.int32))
        self.put("f.npy", np.arange(6, dtype=np.float32))
        self.put("2.npy", np.zeros((2, 3)))
        self.put("0.npy", np.array(1.0))

    def test_masks(self):
        self.put("m.npy", np.ones(5, bool))
        self.put("i.npy", np.ones(6, np.int32))
        arguments = "select", "x.npy", "-o", "o.npy", "--mask"
        self.refused("m.npy: has shape (5), x.npy has (6); expected a bool for each number",
                     *arguments, "m.npy")
        self.refused("i.npy: holds int32; expected bool", *arguments, "i.npy")
        self.refused("--where and --mask: expected one of them", *arguments, "m.npy", "--where", "x > 1")
        self.refused("IN and --mask: both are standard input; expected a file for one of them",
                     "select", "-", "--mask", "-")
        self.refused("--indices-out o.npy: -o names this file, too; expected another file",
                     "select", "x.npy", "-o", "o.npy", "--where", "x > 1", "--indices-out", "o.npy")

    def test_arguments(self):
        self.refused("--where and --mask: expected one of them", "select", "x.npy", "-o", "o.npy")
        self.refused("-o OUT is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                     "select", "x.npy", "--where", "x > 3")
        self.refused("IN: the name is empty; expected that of a file, or - for standard input",
                     "select", "", "-o", "o.npy", "--where", "x > 3")
        self.refused("no.npy: cannot read: No such file or directory",
                     "select", "no.npy", "-o", "o.npy", "--where", "x > 3")
        self.refused("no/o.npy: cannot write: No such file or directory",
                     "select", "x.npy", "-o", "no/o.npy", "--where", "x > 3")
        self.refused("/dev/full: cannot write: No space left on device",
                     "select", "x.npy", "-o", "/dev/full", "--where", "x > 3")

if __name__ == "__main__":
    unittest.main()
