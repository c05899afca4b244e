"""bool, float16, other byte orders, Fortran order, and the names of types."""

import itertools
import json
import unittest

import numpy as np

from support import InDirectory, UFUNCS


def halves(size, random):
    """Small whole numbers, so that sums are exact."""
    return random.integers(-3, 4, size).astype(np.float16)


class Bool(InDirectory):
    def test_scans(self):
        for size in 0, 1, 17, 300_001:
            x = np.random.default_rng(size).random(size) < 0.5
            np.testing.assert_array_equal(self.scan(x), np.cumsum(x), strict=True)
            np.testing.assert_array_equal(self.scan(x, "--out-dtype", "u2"),
                                          np.cumsum(x, dtype=np.uint16), strict=True)
            for op, ufunc in (("min", np.logical_and), ("max", np.logical_or), ("and", np.logical_and),
                              ("or", np.logical_or), ("xor", np.logical_xor)):
                y = ufunc.accumulate(x) if size else x
                np.testing.assert_array_equal(self.scan(x, "--op", op), y, strict=True)
                identity = op in ("min", "and")
                np.testing.assert_array_equal(self.scan(x, "--op", op, "--exclusive"),
                                              np.concatenate([[identity], y])[:-1][:size], strict=True)

    def test_other_commands(self):
        x = np.random.default_rng(1).random(1000) < 0.7
        self.put("x.npy", x)
        self.lookback("sort", "x.npy", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(x), strict=True)
        self.lookback("select", "x.npy", "-o", "y.npy", "--where", "x > 0.5")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), x[x], strict=True)
        self.lookback("unique", "x.npy", "-o", "y.npy")
        self.assertEqual(np.load(self.path("y.npy")).dtype, bool)
        self.assertEqual(self.lookback("scan", "-", "--dtype", "bool", "--op", "or", stdin=b"0 1 0"),
                         b"0\n1\n1\n")

    def test_refused(self):
        self.put("x.npy", np.ones(3, bool))
        self.put("i.npy", np.ones(3, np.int32))
        message = "--out-dtype bool: is for min, max, and, or, xor of bool; expected a type of numbers"
        self.refused(message, "scan", "x.npy", "-o", "o.npy", "--out-dtype", "bool")
        self.refused(message, "scan", "i.npy", "-o", "o.npy", "--out-dtype", "bool", "--op", "or")
        self.refused("--init 2: is for bool; expected 0 or 1",
                     "scan", "x.npy", "-o", "o.npy", "--op", "or", "--init", "2")
        self.refused("standard input:1:3: 2 is out of range for bool; expected 0 or 1",
                     "scan", "-", "--dtype", "bool", "-o", "o.npy", stdin=b"1 2")


class Half(InDirectory):
    def test_scans(self):
        random = np.random.default_rng(1)
        for size in 0, 1, 17, 300_001:
            x = halves(size, random)
            for op in "sum", "max":
                for flags in [], ["--backward"], ["--window", "1"]:
                    y = UFUNCS[op].accumulate((x[::-1] if "--backward" in flags else x).astype(np.float32))
                    y = y.astype(np.float16)[::-1 if "--backward" in flags else 1]
                    np.testing.assert_array_equal(self.scan(x, "--op", op, *flags), y, strict=True)
            np.testing.assert_array_equal(self.scan(x, "--out-dtype", "f8"),
                                          np.cumsum(x, dtype=np.float64), strict=True)
        x = np.array([2048, 1, 1, 1, 1, 65504, 65504], np.float16)  # float16 cannot hold these sums
        with np.errstate(over="ignore"):
            sums = np.cumsum(x, dtype=np.float32).astype(np.float16)
        np.testing.assert_array_equal(self.scan(x), sums, strict=True)

    def test_every_half_stays(self):
        x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        self.put("x.npy", x)
        self.lookback("select", "x.npy", "-o", "y.npy", "--where", "not isnan(x)")
        self.assertEqual(np.load(self.path("y.npy")).tobytes(), x[~np.isnan(x)].tobytes())
        self.lookback("sort", "x.npy", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(x), strict=True)
        finite = x[np.isfinite(x)]
        self.put("x.npy", finite)
        text = self.lookback("select", "x.npy", "-o", "-", "--where", "x < inf")
        again = self.lookback("select", "-", "--dtype", "f2", "-o", "/dev/stdout", "--where", "x < inf",
                              stdin=text)
        self.assertEqual(again, finite.tobytes())
        self.assertIn(b"\n0.1\n", text)

    def test_text(self):
        self.assertEqual(self.lookback("scan", "-", "--dtype", "half", stdin=b"0.1 0.2 2048 1 inf"),
                         b"0.1\n0.2998\n2048\n2050\ninf\n")
        self.refused("standard input:1:3: 70000 is out of range for float16; "
                     "expected -65504 to 65504",
                     "scan", "-", "--dtype", "f2", "-o", "o.npy", stdin=b"1 70000")

    def test_keys_and_values(self):
        keys = np.array([1, 1, 2, 2, 2], np.float16)
        self.put("k.npy", keys)
        self.lookback("reduce-by-key", "k.npy", "k.npy", "-o", "u.npy", "--values", "v.npy")
        np.testing.assert_array_equal(np.load(self.path("u.npy")), np.array([1, 2], np.float16), strict=True)
        np.testing.assert_array_equal(np.load(self.path("v.npy")), np.array([2, 6], np.float16), strict=True)


class Orders(InDirectory):
    def test_big_endian(self):
        for code in "i2", "i4", "u8", "f4", "f8", "f2", "i1":
            x = np.random.default_rng(1).integers(0, 3, 70_001).astype(">" + code)
            native = x.astype(x.dtype.newbyteorder("="))
            y = np.cumsum(native.astype(np.float32) if code == "f2" else native,
                          dtype=np.float32 if code == "f2" else native.dtype).astype(native.dtype)
            np.testing.assert_array_equal(self.scan(x), y, strict=True)
            self.put("x.bin", x)
            self.lookback("sort", "x.bin", "--dtype", ">" + code, "-o", "y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(native), strict=True)

    def test_fortran(self):
        random = np.random.default_rng(2)
        for shape in (3, 5), (1, 7), (4, 3, 5), (2, 3, 4, 5), (0, 3), (300, 700):
            x = random.integers(-9, 9, shape).astype(np.int32)
            self.put("f.npy", np.asfortranarray(x))
            for axis in range(len(shape)):
                self.lookback("scan", "f.npy", "-o", "y.npy", "--axis", axis)
                np.testing.assert_array_equal(np.load(self.path("y.npy")),
                                              np.cumsum(x, axis, dtype=np.int32), strict=True)
            self.lookback("scan", "f.npy", "-o", "y.npy", "--window", "64", "--out-dtype", "i8")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x), strict=True)
            self.put("f.npy", np.asfortranarray(x.astype(">f4")))
            self.lookback("scan", "f.npy", "-o", "y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x.astype(np.float32)))


class Promotion(InDirectory):
    def test_as_numpy(self):
        for dtype, op in itertools.product(("bool", "int8", "int32", "int64", "uint8", "uint16", "uint64",
                                            "float32", "float16"), ("sum", "product", "max")):
            x = np.array([1, 0, 1, 1], dtype) if dtype == "bool" else np.array([100, 2, 100], dtype)
            if dtype == "float16" and op == "product":
                continue
            y = self.scan(x, "--op", op, "--promote")
            expected = {"sum": np.cumsum, "product": np.cumprod, "max": np.maximum.accumulate}[op](x)
            np.testing.assert_array_equal(y, expected, strict=True)

    def test_is_told(self):
        self.put("x.npy", np.ones(3, np.uint8))
        for options, types in (([], ("uint8", "uint8")), (["--promote"], ("uint8", "uint64")),
                               (["--out-dtype", "f4"], ("uint8", "float32"))):
            done = json.loads(self.lookback("scan", "x.npy", "-o", "y.npy", "--json", *options))
            self.assertEqual((done["in_type"], done["type"]), types)
            done = json.loads(self.lookback("reduce-by-key", "x.npy", "x.npy", "-o", "y.npy", "--values",
                                            "z.npy", "--json", *options))
            self.assertEqual((done["in_type"], done["type"]), types)
        self.refused("--promote: cannot be used with --out-dtype; expected one of them",
                     "scan", "x.npy", "-o", "y.npy", "--promote", "--out-dtype", "i8")


class Names(InDirectory):
    def test_numpys_and_cs(self):
        c = {"signed char": "i1", "short": "i2", "int32_t": "i4", "long long": "i8", "unsigned char": "u1",
             "uint16_t": "u2", "unsigned int": "u4", "unsigned": "u4", "size_t": "u8", "_Bool": "?",
             "unsigned long": "u8"}
        numpy = ["?", "b", "h", "i", "l", "q", "B", "H", "I", "L", "Q", "e", "f", "d", "bool", "byte", "ubyte",
                 "short", "ushort", "intc", "uintc", "longlong", "ulonglong", "half", "single", "double",
                 "intp", "uintp", "<i4", ">i4", "=f8", "|u1", "<f2", ">f2", "|b1", "float16", "int64"]
        for name, dtype in [*c.items(), *((n, n) for n in numpy)]:
            x = np.array([1, 0, 1], dtype)
            self.put("x.bin", x)
            out = self.lookback("select", "x.bin", "--dtype", name, "-o", "-", "--where", "x >= 0")
            self.assertEqual(out, b"1\n0\n1\n", name)
        for name in "|i4", ">int32", "<", "", "char", "complex64", "i16":
            done = self.run_lookback("scan", "x.bin", "--dtype", name, "-o", "-")
            self.assertIn(f"--dtype {name}: unknown type".encode(), done.stderr)


if __name__ == "__main__":
    unittest.main()
