"""Arrays larger than a window: the bits are those of one window, in bounded memory."""

import itertools
import os
import subprocess
import unittest

import numpy as np

from support import InDirectory, LOOKBACK

TILE_BYTES = 256 << 10


class Windows(InDirectory):
    def check(self, x, *arguments, out_type=None):
        self.put("in.npy", x)
        items = TILE_BYTES // np.dtype(out_type or x.dtype).itemsize
        self.assertGreater(len(x), 3 * items)
        for exclusive, backward in itertools.product([False, True], repeat=2):
            flags = [*arguments, *["--exclusive"] * exclusive, *["--backward"] * backward]
            with self.subTest(dtype=x.dtype, flags=flags):
                self.lookback("scan", "in.npy", "-o", "whole.npy", "--window", 1 << 30, *flags)
                whole = self.tree()["whole.npy"]
                # Windows of one tile, and of two and a half tiles, of which two are used.
                for window in 1, TILE_BYTES * 5 // 2:
                    self.lookback("scan", "in.npy", "-o", "out.npy", "--window", window, *flags)
                    self.assertEqual(self.tree()["out.npy"], whole)

    def test_floats_bit_by_bit(self):
        random = np.random.default_rng(1)
        for dtype in np.float32, np.float64:
            x = (random.random(5 * 65_536 + 77) - 0.5).astype(dtype)
            self.check(x)
            self.check(x, "--init", "0.3")
            self.check(x + np.linspace(0, 1, len(x), dtype=dtype), "--op", "max")  # keeps rising
            self.check(1 + x * np.array(1e-3, dtype), "--op", "product")

    def test_windows_that_end_with_the_array(self):
        self.check(np.random.default_rng(2).random(4 * 65_536, np.float32))
        self.check(np.random.default_rng(2).random(4 * 65_536 + 1, np.float32))

    def test_integers(self):
        random = np.random.default_rng(3)
        for dtype in np.int8, np.uint64:
            limits = np.iinfo(dtype)
            x = random.integers(limits.min, limits.max, 4 * TILE_BYTES // np.dtype(dtype).itemsize - 5,
                                dtype)
            self.check(x)
            self.check(x, "--op", "xor")

    def test_other_type(self):
        x = np.random.default_rng(4).random(300_000, np.float32)
        self.check(x, "--out-dtype", "float64", out_type=np.float64)

    def test_text_has_the_order_of_the_array(self):
        x = np.random.default_rng(5).random(200_000)
        self.put("in.npy", x)
        for exclusive, backward in itertools.product([False, True], repeat=2):
            flags = ["--exclusive"] * exclusive + ["--backward"] * backward
            text = self.lookback("scan", "in.npy", "-o", "-", "--window", 1, *flags)
            np.testing.assert_array_equal(np.array(text.split(), np.float64), self.scan(x, *flags))


@unittest.skipIf("LOOKBACK_THREAD_SANITIZER" in os.environ,
                 "the thread sanitizer keeps four bytes of its own for each byte that is read")
class Memory(InDirectory):
    SIZE = 256 << 20

    def peak(self, *arguments):
        child = subprocess.Popen([LOOKBACK, *arguments], cwd=self.directory)
        _, child.returncode, usage = os.wait4(child.pid, 0)
        self.assertEqual(child.returncode, 0)
        return usage.ru_maxrss << 10

    def setUp(self):
        super().setUp()
        # An instrumented program needs much memory even for a few numbers.
        self.put("few.bin", b"\0" * 4)
        self.alone = self.peak("scan", self.path("few.bin"), "--dtype", "uint32", "-o",
                               self.path("few.npy"))

    def test_is_bounded(self):
        with open(self.path("in.bin"), "wb") as file:
            file.truncate(self.SIZE)
        for flags in ([], ["--backward"], ["--exclusive"], ["--out-dtype", "uint64"]):
            used = self.peak("scan", self.path("in.bin"), "--dtype", "uint32", "-o",
                             self.path("out.bin"), *flags)
            self.assertLess(used - self.alone, self.SIZE // 8, flags)

    def test_is_bounded_along_an_axis(self):
        # A sparse file: a header, and a hole for the numbers.
        for shape in (8192, 8192), (2, 1 << 25), (1 << 25, 2):
            header = np.lib.format.magic(1, 0)
            text = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
            self.put("in.npy", header + len(text).to_bytes(2, "little") + text.encode())
            os.truncate(self.path("in.npy"), 128 + self.SIZE)
            for axis in "0", "1":
                used = self.peak("scan", self.path("in.npy"), "-o", self.path("out.npy"), "--axis",
                                 axis)
                self.assertLess(used - self.alone, self.SIZE // 8, (shape, axis))

    def test_is_bounded_for_runs_and_keys(self):
        with open(self.path("x.bin"), "wb") as file:
            file.truncate(self.SIZE)
        x = ["--dtype", "f4"]
        for command in (["select", "x.bin", "--where", "x == 0", "-o", "y.bin", *x],
                        ["partition", "x.bin", "--where", "x != 0", "-o", "y.npy", *x],
                        ["partition", "x.bin", "--where", "x == 0", "-o", "y.bin", "--rest", "r.bin",
                         *x],
                        ["unique", "x.bin", "-o", "y.bin", *x],
                        ["rle", "x.bin", "-o", "y.bin", "--lengths", "l.bin", *x],
                        ["reduce-by-key", "x.bin", "x.bin", "-o", "y.bin", "--values", "v.bin",
                         "--key-dtype", "f4", *x],
                        ["scan", "x.bin", "-o", "y.bin", "--by-key", "x.bin", "--key-dtype", "f4", *x],
                        ["scan", "x.bin", "-o", "y.bin", "--by-key", "x.bin", "--key-dtype", "f4", *x,
                         "--backward", "--out-dtype", "f8"]):
            # The address sanitizer alone may take an eighth of what is read.
            self.assertLess(self.peak(*command) - self.alone, self.SIZE // 4, command)

    def test_is_bounded_with_many_offsets(self):
        # All offsets but the last are 0: a segment for each byte, and all but one are empty.
        size = self.SIZE // 8
        with open(self.path("x.bin"), "wb") as file:
            file.truncate(size)
        with open(self.path("offsets.bin"), "wb") as file:
            file.truncate(self.SIZE - 8)
            file.seek(0, os.SEEK_END)
            file.write(size.to_bytes(8, "little"))
        for backward in [], ["--backward"]:
            used = self.peak("scan", "x.bin", "--dtype", "u1", "-o", "y.bin", "--segments",
                             "offsets.bin", "--key-dtype", "u8", *backward)
            self.assertLess(used - self.alone, self.SIZE // 4, backward)


if __name__ == "__main__":
    unittest.main()
