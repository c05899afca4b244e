"""unique and rle, against NumPy."""

import json
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory


def runs(dtype, size, mean, random):
    """Runs of about `mean` items of a few different numbers."""
    x = np.cumsum(random.random(size) < 1 / mean) % 5
    return (x - 2 if dtype not in INTEGERS or np.iinfo(dtype).min < 0 else x).astype(dtype)


def heads(x):
    return np.concatenate([[True], x[1:] != x[:-1]]) if len(x) else np.zeros(0, bool)


def cases(random):
    for dtype in INTEGERS + FLOATS:
        for size, mean in (0, 1), (1, 1), (2, 1), (1000, 1), (1000, 10), (200_003, 1), (200_003, 500):
            yield runs(dtype, size, mean, random)
        yield np.zeros(100_000, dtype)


# Each NaN is a run; of -0 and 0 the first is kept.
SPECIAL = np.array([np.nan, np.nan, -0.0, 0.0, 0.0, -0.0, 1, np.inf, np.inf])
SPECIAL_HEADS = [0, 1, 2, 6, 7]


class Unique(InDirectory):
    def unique(self, x):
        self.put("in.npy", x)
        self.assertEqual(self.lookback("unique", "in.npy", "-o", "out.npy"), b"")
        return np.load(self.path("out.npy"))

    def test_against_numpy(self):
        for x in cases(np.random.default_rng(1)):
            with self.subTest(dtype=x.dtype, size=len(x)):
                np.testing.assert_array_equal(self.unique(x), x[heads(x)], strict=True)

    def test_nan_and_zeros(self):
        for dtype in FLOATS:
            x = SPECIAL.astype(dtype)
            self.assertEqual(self.unique(x).tobytes(), x[SPECIAL_HEADS].tobytes())

    def test_text_and_output_over_the_input(self):
        self.assertEqual(self.lookback("unique", "-", stdin=b"1 1 2 2 1"), b"1\n2\n1\n")
        self.assertEqual(self.lookback("unique", "-", stdin=b""), b"")
        x = np.repeat(np.arange(1_000_000), 3)
        self.put("x.npy", x)
        done = json.loads(self.lookback("unique", "x.npy", "-o", "x.npy", "--json"))
        self.assertEqual((done["n"], done["runs"]), (3_000_000, 1_000_000))
        np.testing.assert_array_equal(np.load(self.path("x.npy")), np.arange(1_000_000))

    def test_refused(self):
        self.put("2.npy", np.zeros((2, 3)))
        self.refused("2.npy: has shape (2, 3); expected one dimension",
                     "unique", "2.npy", "-o", "y.npy")


class RunLengths(InDirectory):
    def rle(self, x, *arguments):
        self.put("in.npy", x)
        self.assertEqual(self.lookback("rle", "in.npy", "-o", "values.npy", "--lengths",
                                       "lengths.npy", *arguments), b"")
        return np.load(self.path("values.npy")), np.load(self.path("lengths.npy"))

    def test_decodes_to_the_input(self):
        for x in cases(np.random.default_rng(2)):
            with self.subTest(dtype=x.dtype, size=len(x)):
                values, lengths = self.rle(x)
                self.assertEqual(lengths.dtype, np.int64)
                np.testing.assert_array_equal(values, x[heads(x)], strict=True)
                np.testing.assert_array_equal(np.repeat(values, lengths), x, strict=True)

    def test_nan_and_zeros(self):
        values, lengths = self.rle(SPECIAL)
        self.assertEqual(values.tobytes(), SPECIAL[SPECIAL_HEADS].tobytes())
        np.testing.assert_array_equal(lengths, [1, 1, 4, 1, 2])

    def test_threads_do_not_change_results(self):
        x = runs("uint16", 1_000_000, 10, np.random.default_rng(3))
        one = self.rle(x, "--threads", 1)
        for threads in 0, 2:
            for a, b in zip(one, self.rle(x, "--threads", threads)):
                np.testing.assert_array_equal(a, b)

    def test_text(self):
        out = self.lookback("rle", "-", "--lengths", "l.npy", stdin=b"1 1 2 2 1")
        self.assertEqual(out, b"1\n2\n1\n")
        np.testing.assert_array_equal(np.load(self.path("l.npy")), [2, 2, 1])
        out = self.lookback("rle", "-", "-o", "v.npy", "--lengths", "-", stdin=b"1.5 1.5 2")
        self.assertEqual(out, b"2\n1\n")
        np.testing.assert_array_equal(np.load(self.path("v.npy")), [1.5, 2])

    def test_raw(self):
        self.put("x.bin", np.array([7, 7, 8], np.uint8))
        self.lookback("rle", "x.bin", "--dtype", "u1", "-o", "v", "--lengths", "l")
        tree = self.tree()
        self.assertEqual((tree["v"], tree["l"]), (b"\7\x08", np.array([2, 1], np.int64).tobytes()))

    def test_refused(self):
        self.put("x.npy", np.arange(3))
        self.put("2.npy", np.zeros((2, 3)))
        self.refused("--lengths is required; see lookback --help", "rle", "x.npy", "-o", "v.npy")
        self.refused("2.npy: has shape (2, 3); expected one dimension",
                     "rle", "2.npy", "-o", "v.npy", "--lengths", "l.npy")
        self.refused("--lengths v.npy: is what -o names too; expected another file",
                     "rle", "x.npy", "-o", "v.npy", "--lengths", "v.npy")
        self.refused("no/l.npy: cannot write: No such file or directory",
                     "rle", "x.npy", "-o", "x.npy", "--lengths", "no/l.npy")


if __name__ == "__main__":
    unittest.main()
