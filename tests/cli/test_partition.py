"""partition, compared with NumPy. (Conditions: test_conditions.py.)"""

import json
import os
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory

# One interval, all but one interval, several intervals.
CONDITIONS = {"x < 7": lambda x: x < 7, "x != 7": lambda x: x != 7,
              "x == 1 or x == 3 or x == 5": lambda x: (x == 1) | (x == 3) | (x == 5),
              "x < 0 and x > 0": lambda x: np.full(len(x), False),
              "x < 0 or x >= 0": lambda x: np.full(len(x), True)}


class Partition(InDirectory):
    def partition(self, x, where, *arguments):
        self.put("in.npy", x)
        self.assertEqual(self.lookback("partition", "in.npy", "-o", "out.npy", "--where", where,
                                       *arguments), b"")
        return np.load(self.path("out.npy"))

    def test_one_and_two_outputs(self):
        random = np.random.default_rng(1)
        for name in INTEGERS + FLOATS:
            for size in 0, 1, 2, 1000, 200_003:
                x = random.integers(0, 14, size).astype(name)
                for where, holds in CONDITIONS.items():
                    with self.subTest(dtype=name, size=size, where=where):
                        kept, rest = x[holds(x)], x[~holds(x)]
                        np.testing.assert_array_equal(self.partition(x, where),
                                                      np.concatenate([kept, rest]), strict=True)
                        y = self.partition(x, where, "--rest", "rest.npy")
                        np.testing.assert_array_equal(y, kept, strict=True)
                        np.testing.assert_array_equal(np.load(self.path("rest.npy")), rest,
                                                      strict=True)

    def test_nan(self):
        x = np.array([1, np.nan, 0, -np.inf])
        np.testing.assert_array_equal(self.partition(x, "isnan(x) or x < 0"), [np.nan, -np.inf, 1, 0])
        np.testing.assert_array_equal(self.partition(x, "x >= 0"), [1, 0, np.nan, -np.inf])

    def test_text(self):
        self.assertEqual(self.lookback("partition", "-", "--where", "x > 1", stdin=b"3 1 2 0"),
                         b"3\n2\n1\n0\n")
        self.assertEqual(self.lookback("partition", "-", "--rest", "rest.npy", "--where", "x > 1",
                                       stdin=b"3 1 2 0"), b"3\n2\n")
        np.testing.assert_array_equal(np.load(self.path("rest.npy")), [1, 0])
        self.assertEqual(self.lookback("partition", "-", "-o", "kept.npy", "--rest", "-", "--where",
                                       "x > 1", stdin=b"3 1 2 0"), b"1\n0\n")

    def test_an_output_may_be_the_input(self):
        x = np.arange(3_000_000)
        for kept, rest in ("in.npy", "rest.npy"), ("kept.npy", "in.npy"):
            self.put("in.npy", x)
            self.lookback("partition", "in.npy", "-o", kept, "--rest", rest, "--where", "x < 10")
            np.testing.assert_array_equal(np.load(self.path(kept)), x[:10])
            np.testing.assert_array_equal(np.load(self.path(rest)), x[10:])
        self.put("in.npy", x)
        self.lookback("partition", "in.npy", "-o", "in.npy", "--where", "x >= 10")
        np.testing.assert_array_equal(np.load(self.path("in.npy")), np.roll(x, -10))

    def test_json(self):
        self.put("in.npy", np.arange(10, dtype=np.uint8))
        for rest in "rest.npy", "-":
            done = self.run_lookback("partition", "in.npy", "-o", "out.npy", "--rest", rest,
                                     "--where", "x < 3", "--json")
            done = json.loads(done.stderr if rest == "-" else done.stdout)
            self.assertEqual((done["n"], done["kept"], done["type"]), (10, 3, "uint8"))


class Refused(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(6))

    def partition_refused(self, message, *arguments):
        self.refused(message, "partition", "x.npy", "--where", "x > 3", *arguments)

    def test_outputs(self):
        os.symlink("a.npy", self.path("link.npy"))
        self.put("a.npy", b"as it was")
        for a, b in (("a.npy", "a.npy"), ("a.npy", "./a.npy"), ("a.npy", "link.npy"), ("-", "-"),
                     ("-", "/dev/stdout")):
            self.partition_refused(f"--rest {b}: -o names this file, too; expected another file",
                                   "-o", a, "--rest", b)
        # Links to a file that is not there yet.
        os.mkdir(self.path("d"))
        os.symlink("new.npy", self.path("one.npy"))
        os.symlink("../one.npy", self.path("d/two.npy"))
        for a, b in ("new.npy", "one.npy"), ("one.npy", "new.npy"), ("one.npy", "d/two.npy"):
            self.partition_refused(f"--rest {b}: -o names this file, too; expected another file",
                                   "-o", a, "--rest", b)
        os.symlink("loop.npy", self.path("loop.npy"))
        self.partition_refused("loop.npy: cannot write: Too many levels of symbolic links",
                               "-o", "a.npy", "--rest", "loop.npy")
        new = self.path("new.npy")
        self.partition_refused(f"--rest {new}: -o names this file, too; expected another file",
                               "-o", "new.npy", "--rest", new)
        self.partition_refused("--rest: the name is empty; expected a name ending in .npy, .npz, .bin or .txt, or "
                               "- for text", "-o", "a.npy", "--rest", "")
        self.partition_refused("--rest b.png: unknown kind of file; expected a name ending in .npy, "
                               ".npz, .bin or .txt, or - for text", "-o", "a.npy", "--rest", "b.png")

    def test_all_outputs_or_none(self):
        for name in "x.npy", "new.npy":
            self.partition_refused("no/b.npy: cannot write: No such file or directory",
                                   "-o", name, "--rest", "no/b.npy")
            self.partition_refused("/dev/full: cannot write: No space left on device",
                                   "-o", name, "--rest", "/dev/full")
            self.partition_refused("/dev/full: cannot write: No space left on device",
                                   "-o", "/dev/full", "--rest", name)

    def test_conditions_and_dimensions(self):
        self.refused("--where, column 5: expected a number, found the end",
                     "partition", "x.npy", "-o", "y.npy", "--where", "x > ")
        self.put("2.npy", np.zeros((2, 3)))
        self.assertEqual(self.lookback("partition", "2.npy", "-o", "-", "--where", "x > 3"), b"0\n" * 6)


if __name__ == "__main__":
    unittest.main()
