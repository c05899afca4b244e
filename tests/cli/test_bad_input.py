"""Bad input is refused with one line that says what is wrong, and no file is changed."""

import os
import unittest

import numpy as np

from support import CORPUS, InDirectory

TYPES = "expected bool, int8 to int64, uint8 to uint64, or float16 to float64"

# The messages for the broken .npy files of the fuzzer's corpus, after "NAME: ".
NPY = {
    "empty": "the file is empty; expected a NumPy array",
    "magic": r"not a NumPy file: it begins with 'PK\x03\x04 n'",
    "magic_only": "truncated: the header takes 8 bytes, the file holds 6",
    "half_magic": "truncated: the header takes 8 bytes, the file holds 3",
    "no_length": "truncated: the header takes 10 bytes, the file holds 9",
    "version_9": ".npy version 9.0; expected 1.0, 2.0 or 3.0",
    "header_cut": "truncated: the header takes 68 bytes, the file holds 30",
    "header_length_lies": "truncated: the header takes 60010 bytes, the file holds 76",
    "header_length_lies_4g": "truncated: the header takes 4294967307 bytes, the file holds 78",
    "data_cut": "truncated: shape (2) of int32 takes 8 bytes, the file holds 7",
    "no_data": "truncated: shape (2) of int32 takes 8 bytes, the file holds 0",
    "data_too_long": "too long: shape (2) of int32 takes 8 bytes, the file holds 9",
    "shape_huge": "truncated: shape (1000000000000) of int32 takes 4000000000000 bytes, the file "
                  "holds 8",
    "shape_overflow": "shape (4294967296, 4294967296) takes more bytes than a machine can address",
    "shape_overflow_to_2": "shape (9223372036854775809, 2) takes more bytes than a machine can "
                           "address",
    "shape_overflow_zero": "shape (0, 4294967296, 4294967296) takes more bytes than a machine can "
                           "address",
    "shape_2_64": "broken .npy header at byte 61: expected a size below 2^64, found '184467440737'",
    "shape_negative": "broken .npy header at byte 61: expected a size below 2^64, found '-2,), }\\x0a'",
    "shape_65": "broken .npy header at byte 253: expected at most 64 dimensions, found '1, ), }\\x0a'",
    "object": f"Python objects cannot be scanned (dtype '|O'); {TYPES}",
    "record": f"records of several fields cannot be scanned; {TYPES}",
    "missing_shape": "broken .npy header: no 'shape'",
    "key_extra": "broken .npy header: unexpected key 'more'",
    "after_dict": "broken .npy header at byte 68: expected nothing more, found 'x'",
}


class Npy(InDirectory):
    def test_messages(self):
        for name, message in NPY.items():
            with self.subTest(name):
                path = os.path.join(CORPUS, "npy", f"bad_{name}.npy")
                self.put("out.npy", b"as it was")
                self.refused(f"{path}: {message}", "scan", path, "-o", "out.npy")

    def test_every_broken_file_is_refused_in_one_line(self):
        folder = os.path.join(CORPUS, "npy")
        broken = [name for name in os.listdir(folder) if name.startswith("bad_")]
        self.assertGreater(len(broken), 40)
        for name in broken:
            with self.subTest(name):
                done = self.run_lookback("scan", os.path.join(folder, name), "-o", "out.npy")
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertTrue(done.stderr.startswith(f"lookback: {folder}/{name}: ".encode()))
                self.assertEqual(done.stderr.count(b"\n"), 1)
                self.assertEqual(self.tree(), {})


class OtherFiles(InDirectory):
    def test_missing_and_special_files(self):
        os.mkdir(self.path("d.npy"))
        os.mkfifo(self.path("pipe.npy"))
        self.refused("no.npy: cannot read: No such file or directory",
                     "scan", "no.npy", "-o", "o.npy")
        self.refused("d.npy: is a directory; expected a file", "scan", "d.npy", "-o", "o.npy")
        self.refused("pipe.npy: not a regular file; expected one, or - for text on standard input",
                     "scan", "pipe.npy", "-o", "o.npy")

    def test_file_without_a_size(self):
        self.refused("/proc/cpuinfo: has content but no size, so it cannot be mapped; expected a "
                     "copy of it", "scan", "/proc/cpuinfo", "--dtype", "uint8", "-o", "o.npy")

    def test_raw(self):
        self.put("x.bin", b"1234567")
        self.put("x.dat", b"1234")
        self.refused("x.bin: 7 bytes; expected a multiple of 4, the size of int32",
                     "scan", "x.bin", "--dtype", "int32", "-o", "o.npy")
        for name in "x.bin", "x.dat":
            self.refused(f"{name}: raw numbers of unknown type; expected --dtype T, or a name ending "
                         "in .npy", "scan", name, "-o", "o.npy")

    @unittest.skipIf(os.getuid() == 0, "root may read everything")
    def test_unreadable(self):
        self.put("x.npy", np.arange(3))
        os.chmod(self.path("x.npy"), 0)
        self.refused("x.npy: cannot read: Permission denied", "scan", "x.npy", "-o", "o.npy")


class Text(InDirectory):
    def test_messages(self):
        for text, options, message in (
                (b"1 2\n3 x 4\n", [], "2:3: 'x' is not a number"),
                (b"1,2", [], "1:1: '1,2' is not a number; expected --column for one of several columns"),
                (b"\n\n  0x10", [], "3:3: '0x10' is not a number"),
                (b"1 \x00", [], r"1:3: '\x00' is not a number"),
                (b"1e400", [], "1:1: '1e400' is out of range for float64; expected "
                               "-1.7976931348623157e+308 to 1.7976931348623157e+308"),
                (b"1 300", ["--dtype", "uint8"],
                 "1:3: '300' is out of range for uint8; expected 0 to 255"),
                (b"-1", ["--dtype", "uint64"],
                 "1:1: '-1' is out of range for uint64; expected 0 to 18446744073709551615"),
                (b"1.5", ["--dtype", "int32"], "1:1: '1.5' is not an integer; expected int32")):
            with self.subTest(text):
                self.refused(f"standard input:{message}", "scan", "-", "-o", "o.npy", *options,
                             stdin=text)
                done = self.run_lookback("scan", "-", *options, stdin=text)  # test_streams.py
                self.assertEqual((done.returncode, done.stderr.decode()),
                                 (2, f"lookback: standard input:{message}\n"))


if __name__ == "__main__":
    unittest.main()
