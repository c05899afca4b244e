"""Compressed files and streams, .gz and .zst, read and written, by name and by their first bytes."""

import gzip
import io
import unittest

import numpy as np

from support import InDirectory

# A Zstandard frame of one raw block (RFC 8878, 3.1.1): its content has 6 bytes.
ZSTD_1_2_3 = b"\x28\xb5\x2f\xfd\x20\x06\x31\x00\x00" + b"1 2 3\n"


def npy(x):
    file = io.BytesIO()
    np.save(file, x)
    return file.getvalue()


class Packed(InDirectory):
    def test_in_by_name(self):
        x = np.random.default_rng(1).integers(-100, 100, 300_000).astype(np.int32)
        self.put("x.npy.gz", gzip.compress(npy(x)))
        self.put("x.bin.gz", gzip.compress(x.tobytes()))
        self.put("x.txt.gz", gzip.compress("\n".join(map(str, x)).encode()))
        y = np.cumsum(x, dtype=np.int32)
        for name, options in (("x.npy.gz", []), ("x.bin.gz", ["--dtype", "i4"]),
                              ("x.txt.gz", ["--dtype", "i4"])):
            for more in [], ["--window", "1001"], ["--backward"]:
                self.lookback("scan", name, "-o", "y.npy", *options, *more)
                expected = np.cumsum(x[::-1], dtype=np.int32)[::-1] if more == ["--backward"] else y
                np.testing.assert_array_equal(np.load(self.path("y.npy")), expected, strict=True)
        self.lookback("sort", "x.npy.gz", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(x), strict=True)

    def test_out_and_in_again(self):
        x = np.random.default_rng(2).integers(0, 5, 500_000).astype(np.uint16)
        self.put("x.npy", x)
        y = np.cumsum(x, dtype=np.uint16)
        for end in ".gz", ".zst":
            for kind, options in (".npy", []), (".bin", ["--dtype", "u2"]), (".txt", ["--dtype", "u2"]):
                name = "y" + kind + end
                self.lookback("scan", "x.npy", "-o", name)
                self.lookback("select", name, "-o", "z.npy", "--where", "x >= 0", *options)
                np.testing.assert_array_equal(np.load(self.path("z.npy")), y, strict=True)
                self.lookback("select", name, "-o", "z" + kind + end, "--where", "x % 2 == 0", *options)
                self.lookback("scan", "z" + kind + end, "-o", "z.npy", "--op", "max", *options)
                np.testing.assert_array_equal(np.load(self.path("z.npy")),
                                              np.maximum.accumulate(y[y % 2 == 0]), strict=True)
        self.lookback("scan", "x.npy", "-o", "y.npy.gz", "--backward", "--exclusive")
        with gzip.open(self.path("y.npy.gz")) as file:
            backward = np.cumsum(x[::-1], dtype=np.uint16)[::-1]
            np.testing.assert_array_equal(np.load(file), backward - x, strict=True)
        self.lookback("rle", "x.npy", "-o", "r.npy.gz", "--lengths", "l.bin.zst")
        self.lookback("scan", "l.bin.zst", "-o", "ends.npy", "--dtype", "i8")
        self.assertEqual(np.load(self.path("ends.npy"))[-1], len(x))

    def test_standard_input_by_its_first_bytes(self):
        self.assertEqual(self.lookback("scan", "-", stdin=ZSTD_1_2_3), b"1\n3\n6\n")
        self.assertEqual(self.lookback("scan", "-", stdin=gzip.compress(b"1 2 ") + gzip.compress(b"3")),
                         b"1\n3\n6\n")
        self.assertEqual(self.lookback("scan", "-", "-o", "y.npy", stdin=ZSTD_1_2_3 + ZSTD_1_2_3), b"")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), [1, 3, 6, 7, 9, 12])
        self.assertEqual(self.lookback("scan", "-", "--format", "npy", "-o", "-",
                                       stdin=gzip.compress(npy(np.arange(9)))),
                         npy(np.cumsum(np.arange(9))))
        # Raw numbers may begin with any bytes.
        raw = b"\x1f\x8b\x28\xb5"
        self.assertEqual(self.lookback("select", "-", "--format", "raw", "--dtype", "u1", "--where",
                                       "x >= 0", "-o", "/dev/stdout", stdin=raw), raw)

    def test_empty(self):
        self.assertEqual(self.lookback("scan", "-", stdin=gzip.compress(b"")), b"")
        self.lookback("scan", "-", "-o", "y.txt.zst", stdin=b"")
        self.assertEqual(self.lookback("scan", "y.txt.zst", "-o", "-"), b"")

    def test_zeros_behind_the_last_member(self):
        """As on tapes: gzip ignores them. Anything else that follows is refused, also after zeros."""
        members = gzip.compress(b"1 2 ") + gzip.compress(b"3\n")
        for zeros in 1, 511, 3 << 20:
            self.put("x.txt.gz", members + bytes(zeros))
            self.assertEqual(self.lookback("scan", "x.txt.gz", "-o", "-"), b"1\n3\n6\n")
            self.assertEqual(self.lookback("scan", "-", stdin=members + bytes(zeros)), b"1\n3\n6\n")
        self.put("x.npy.gz", gzip.compress(npy(np.arange(9))) + bytes(9))
        self.lookback("sort", "x.npy.gz", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.arange(9))
        for more in bytes(7) + b"1", bytes(1 << 20) + members:
            self.put("x.txt.gz", members + more)
            self.refused("x.txt.gz: damaged: there is more than zeros behind its end", "scan",
                         "x.txt.gz", "-o", "y.npy")
        self.put("x.txt.gz", members + b"1 2 3")
        self.refused("x.txt.gz: damaged, or not gzip: incorrect header check", "scan", "x.txt.gz", "-o",
                     "y.npy")

    def test_damaged(self):
        good = gzip.compress(b"1 2 3\n" * 10_000)
        for name, content, message in (
                ("a.txt.gz", good[:-5], "a.txt.gz: truncated: what is packed has no end"),
                ("b.txt.gz", b"", "b.txt.gz: truncated: what is packed has no end"),
                ("c.txt.gz", b"1 2 3", "c.txt.gz: damaged, or not gzip: incorrect header check"),
                ("d.txt.gz", good[:-8] + b"12345678",
                 "d.txt.gz: damaged, or not gzip: incorrect data check"),
                ("e.txt.zst", ZSTD_1_2_3[:-2], "e.txt.zst: truncated: what is packed has no end"),
                ("f.txt.zst", b"1 2 3", "f.txt.zst: damaged, or not Zstandard: Unknown frame descriptor")):
            self.put(name, content)
            with self.subTest(name):
                self.refused(message, "scan", name, "-o", "y.npy")
                self.refused(message, "scan", name, "-o", "y.npy", "--dtype", "i8")


if __name__ == "__main__":
    unittest.main()
