"""reduce, and the folds of reduce-by-key that are not operators, compared with NumPy."""

import json
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory, UFUNCS, operators

SIZES = [1, 2, 17, 1000, 300_001]


class Reduce(InDirectory):
    def reduce(self, x, *arguments):
        self.put("in.npy", x)
        self.assertEqual(self.lookback("reduce", "in.npy", "-o", "out.npy", *arguments), b"")
        return np.load(self.path("out.npy"))

    def test_operators(self):
        random = np.random.default_rng(1)
        for dtype in INTEGERS + FLOATS:
            x = random.integers(0, 4, 70_001).astype(dtype)
            for op in operators(dtype):
                if op == "product" and dtype in FLOATS:
                    continue
                y = self.reduce(x, "--op", op, "--window", "4096")
                np.testing.assert_array_equal(y, UFUNCS[op].reduce(x, dtype=x.dtype)[()], strict=True)

    def test_is_the_last_of_a_scan(self):
        # It has the bits of the fold of one run of equal keys.
        x = np.random.default_rng(2).random(1_000_000).astype(np.float32)
        self.put("k.npy", np.zeros(len(x), np.uint8))
        y = self.reduce(x)
        self.lookback("reduce-by-key", "k.npy", "in.npy", "-o", "u.npy", "--values", "v.npy")
        self.assertEqual(np.load(self.path("v.npy")).tobytes(), y.tobytes())

    def test_others(self):
        for size in SIZES:
            x = np.random.default_rng(size).integers(-1000, 1000, size).astype(np.int16)
            for options in [], ["--window", "1"]:
                self.assertEqual(self.reduce(x, "--op", "mean", *options), np.mean(x))
                self.assertEqual(self.reduce(x, "--op", "count", *options), size)
                self.assertEqual(self.reduce(x, "--op", "first", *options), x[0])
                self.assertEqual(self.reduce(x, "--op", "last", *options), x[-1])
                self.assertEqual(self.reduce(x, "--promote", *options), np.sum(x))
        self.assertEqual(self.reduce(x, "--op", "last").dtype, np.int16)
        self.assertEqual(self.reduce(x, "--op", "mean", "--out-dtype", "f4").dtype, np.float32)
        self.assertEqual(self.reduce(x.reshape(-1, 1)[:300_000].reshape(100, 3000), "--op", "count"), 300_000)

    def test_text_and_json(self):
        self.assertEqual(self.lookback("reduce", "-", stdin=b"1 2 3"), b"6\n")
        self.assertEqual(self.lookback("reduce", "-", "--op", "mean", stdin=b"1 2"), b"1.5\n")
        self.put("x.npy", np.ones(3, np.uint8))
        self.assertEqual(self.lookback("reduce", "x.npy"), b"3\n")
        done = json.loads(self.lookback("reduce", "x.npy", "-o", "y.npy", "--promote", "--json"))
        self.assertEqual((done["n"], done["in_type"], done["type"]), (3, "uint8", "uint64"))

    def test_of_nothing(self):
        for op, result in ("sum", b"0"), ("product", b"1"), ("count", b"0"), ("mean", b"nan"), ("and", b"-1"):
            self.assertEqual(self.lookback("reduce", "-", "--op", op, stdin=b""), result + b"\n")
        for op in "min", "max", "first", "last":
            self.refused(f"-: has no numbers; expected one or more for --op {op}",
                         "reduce", "-", "--op", op, stdin=b"")


class ByKey(InDirectory):
    def test_every_fold(self):
        for size in [0] + SIZES:
            random = np.random.default_rng(size)
            for longest in 1, 3, 1000, 10**6:
                lengths = random.integers(1, min(longest, size + 1) + 1, 2 + 2 * size // longest)
                keys = np.resize(np.repeat(np.arange(len(lengths)) % 251, lengths), size)
                keys = keys.astype(np.uint8)
                x = random.integers(-1000, 1000, size).astype(np.int32)
                first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if size else []
                lengths = np.diff(np.append(first, size)).astype(np.int64)
                sums = np.add.reduceat(x, first, dtype=np.int64) if size else np.zeros(0)
                expected = {"mean": (sums / lengths).astype(np.float64), "count": lengths,
                            "first": x[np.array(first, int)],
                            "last": x[np.array(first + lengths - 1, int)] if size else x}
                self.put("k.npy", keys)
                self.put("x.npy", x)
                for op, folds in expected.items():
                    with self.subTest(size=size, longest=longest, op=op):
                        self.lookback("reduce-by-key", "k.npy", "x.npy", "-o", "u.npy", "--values", "v.npy",
                                      "--op", op, "--window", "4096")
                        np.testing.assert_array_equal(np.load(self.path("v.npy")), folds, strict=True)
                        np.testing.assert_array_equal(np.load(self.path("u.npy")),
                                                      keys[np.array(first, int)], strict=True)

    def test_refused(self):
        self.put("x.npy", np.arange(3))
        arguments = "reduce-by-key", "x.npy", "x.npy", "-o", "o.npy", "--values", "v.npy", "--op"
        self.refused("--op avg: unknown operator; expected one of sum, product, min, max, and, or, xor, "
                     "mean, count, first, last", *arguments, "avg")
        self.refused("--out-dtype: cannot be used with --op count, which is int64",
                     *arguments, "count", "--out-dtype", "i4")
        self.refused("--out-dtype int32: cannot be used with --op mean; expected a type of floats",
                     *arguments, "mean", "--out-dtype", "i4")


if __name__ == "__main__":
    unittest.main()
