"""unique, rle and reduce-by-key, compared with NumPy."""

import json
import unittest

import numpy as np

from support import FLOATS, INTEGERS, UFUNCS, InDirectory, operators


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

    def test_two_dimensions_are_a_line(self):
        self.put("2.npy", np.array([[1, 1, 2], [2, 3, 3]]))
        self.assertEqual(self.lookback("unique", "2.npy", "-o", "-"), b"1\n2\n3\n")


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

    def test_lines_of_a_count_and_a_number(self):
        self.assertEqual(self.lookback("rle", "-", stdin=b"1.5 1.5 -2 nan nan"),
                         b"2 1.5\n1 -2\n1 nan\n1 nan\n")
        self.assertEqual(self.lookback("rle", "-", stdin=b""), b"")
        for dtype in "int8", "uint16", "float32", "int64":
            x = runs(dtype, 20_000, 3, np.random.default_rng(4))
            values, lengths = self.rle(x)
            lines = "".join(f"{n} {v:.0f}\n" for n, v in zip(lengths, values)).encode()
            for window in 1 << 20, 8000, 24:
                self.assertEqual(self.lookback("rle", "in.npy", "-o", "-", "--window", window), lines)

    def test_raw(self):
        self.put("x.bin", np.array([7, 7, 8], np.uint8))
        self.lookback("rle", "x.bin", "--dtype", "u1", "-o", "v", "--lengths", "l")
        tree = self.tree()
        self.assertEqual((tree["v"], tree["l"]), (b"\7\x08", np.array([2, 1], np.int64).tobytes()))

    def test_refused(self):
        self.put("x.npy", np.arange(3))
        self.put("2.npy", np.zeros((2, 3)))
        self.refused("--lengths LENGTHS is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for "
                     "text", "rle", "x.npy", "-o", "v.npy")
        self.assertEqual(self.lookback("rle", "2.npy", "-o", "-"), b"6 0\n")
        self.refused("--lengths v.npy: -o names this file, too; expected another file",
                     "rle", "x.npy", "-o", "v.npy", "--lengths", "v.npy")
        self.refused("no/l.npy: cannot write: No such file or directory",
                     "rle", "x.npy", "-o", "x.npy", "--lengths", "no/l.npy")


class ReduceByKey(InDirectory):
    def reduce(self, keys, values, *arguments):
        self.put("keys.npy", keys)
        self.put("values.npy", values)
        self.assertEqual(self.lookback("reduce-by-key", "keys.npy", "values.npy", "-o", "k.npy",
                                       "--values", "v.npy", *arguments), b"")
        return np.load(self.path("k.npy")), np.load(self.path("v.npy"))

    def check(self, keys, values, op):
        with self.subTest(keys=keys.dtype, values=values.dtype, size=len(keys), op=op):
            k, v = self.reduce(keys, values, "--op", op)
            at = np.flatnonzero(heads(keys))
            np.testing.assert_array_equal(k, keys[at], strict=True)
            folds = UFUNCS[op].reduceat(values, at, dtype=values.dtype) if len(at) else values
            np.testing.assert_array_equal(v, folds, strict=True)

    def values(self, dtype, size, random):
        if dtype in FLOATS:
            return random.choice(np.array([1, -1, 2, 0.5], dtype), size)  # nothing is rounded
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, size, dtype, endpoint=True)

    def test_keys_of_every_type(self):
        random = np.random.default_rng(4)
        for keys in cases(random):
            self.check(keys, self.values("int32", len(keys), random), "sum")

    def test_values_of_every_type(self):
        random = np.random.default_rng(5)
        for dtype in INTEGERS + FLOATS:
            for op in operators(dtype):
                for size, mean in (0, 1), (1, 1), (1000, 3), (100_003, 7), (100_003, 60_000):
                    if op == "product" and dtype in FLOATS and mean > 10:
                        continue  # out of range
                    keys = runs("uint16", size, mean, random)
                    self.check(keys, self.values(dtype, size, random), op)

    def test_nan_and_zeros(self):
        k, v = self.reduce(SPECIAL, np.arange(9))
        self.assertEqual(k.tobytes(), SPECIAL[SPECIAL_HEADS].tobytes())
        np.testing.assert_array_equal(v, [0, 1, 14, 6, 15])

    def test_sums_add_up_in_another_type(self):
        random = np.random.default_rng(6)
        keys, values = runs("int8", 100_000, 50, random), self.values("uint8", 100_000, random)
        k, v = self.reduce(keys, values, "--out-dtype", "uint64")
        self.assertEqual((k.dtype, v.dtype), (np.int8, np.uint64))
        self.assertEqual(v.sum(), values.sum(dtype=np.uint64))

    def test_float_sums_have_the_same_bits_in_every_run(self):
        random = np.random.default_rng(7)
        keys, values = runs("int32", 1_000_000, 300_000, random), random.random(1_000_000, np.float32)
        one = self.reduce(keys, values, "--threads", 1)[1].tobytes()
        for _ in range(5):
            self.assertEqual(self.reduce(keys, values)[1].tobytes(), one)

    def test_files_and_text(self):
        self.put("k.bin", np.array([1, 1, 2], np.uint8))
        out = self.lookback("reduce-by-key", "k.bin", "-", "--key-dtype", "u1", "-o", "k", "--values",
                            "-", stdin=b"1 2 3")
        self.assertEqual((out, self.tree()["k"]), (b"3\n3\n", b"\1\2"))
        out = self.lookback("reduce-by-key", "-", "k.bin", "--dtype", "u1", "-o", "-", "--values",
                            "v.bin", "--op", "max", stdin=b"5 5 7")
        self.assertEqual((out, self.tree()["v.bin"]), (b"5\n7\n", b"\1\2"))

    def test_outputs_may_be_the_inputs(self):
        keys, values = np.repeat(np.arange(100_000), 3), np.arange(300_000)
        self.put("k.npy", keys)
        self.put("v.npy", values)
        done = json.loads(self.lookback("reduce-by-key", "k.npy", "v.npy", "-o", "v.npy", "--values",
                                        "k.npy", "--json"))
        np.testing.assert_array_equal(np.load(self.path("v.npy")), np.arange(100_000))
        np.testing.assert_array_equal(np.load(self.path("k.npy")), values.reshape(-1, 3).sum(1))
        self.assertEqual((done["n"], done["runs"], done["key_type"], done["type"]),
                         (300_000, 100_000, "int64", "int64"))

    def test_refused(self):
        def refused(message, keys, values, *arguments, out="k.npy", values_out="v.npy"):
            self.refused(message, "reduce-by-key", keys, values, "-o", out, "--values", values_out,
                         *arguments)
        self.put("3.npy", np.arange(3))
        self.put("4.npy", np.arange(4))
        self.put("f.npy", np.arange(3.0))
        self.put("2d.npy", np.zeros((1, 3)))
        refused("3.npy: 3 keys for the 4 numbers of 4.npy; expected as many", "3.npy", "4.npy")
        refused("2d.npy: has shape (1, 3); expected one dimension", "2d.npy", "3.npy")
        refused("2d.npy: has shape (1, 3); expected one dimension", "3.npy", "2d.npy")
        refused("--op xor: works on integers only; f.npy is float64", "3.npy", "f.npy", "--op", "xor")
        refused("--out-dtype int8: f.npy holds float64, which do not fit integers; expected a type of "
                "floats", "3.npy", "f.npy", "--out-dtype", "int8")
        refused("--key-dtype u3: unknown type; expected bool, int8 to int64, uint8 to uint64, "
                "or float16 to float64", "3.npy", "3.npy", "--key-dtype", "u3")
        refused("KEYS and VALUES: both are standard input; expected a file for one of them", "-", "-")
        refused("--values o.npy: -o names this file, too; expected another file", "3.npy", "3.npy",
                out="o.npy", values_out="o.npy")
        refused("no/v.npy: cannot write: No such file or directory", "3.npy", "3.npy", out="3.npy",
                values_out="no/v.npy")
        self.refused("VALUES is required; see lookback reduce-by-key --help", "reduce-by-key", "3.npy")


if __name__ == "__main__":
    unittest.main()
