"""PNG files of every kind, read and written; and broken ones."""

import itertools
import os
import unittest
import zlib

import numpy as np

from pictures import SHAPES, Pictures, blurred
from png_files import SIGNATURE, chunk, header, read_png, rows_of, write_png


class Png(Pictures):
    def copy_of(self, file):
        return self.through("blur", file, "--radius", 0)

    def test_all_kinds_come_through(self):
        for shape, dtype, interlaced in itertools.product(SHAPES, ["uint8", "uint16"],
                                                          [False, True]):
            with self.subTest(shape=shape, dtype=dtype, interlaced=interlaced):
                x = self.samples(shape, dtype)
                np.testing.assert_array_equal(self.copy_of(write_png(x, interlaced=interlaced)), x,
                                              strict=True)

    def test_narrow_grey_and_palettes(self):
        for depth, interlaced in itertools.product([1, 2, 4, 8], [False, True]):
            x = self.random.integers(0, 1 << depth, (11, 13)).astype(np.uint8)
            grey = write_png(x, depth, 0, interlaced)
            np.testing.assert_array_equal(self.copy_of(grey), x * (255 // ((1 << depth) - 1)),
                                          strict=True)
            palette = self.samples((1 << depth, 3), np.uint8)
            colours = chunk(b"PLTE", palette.tobytes())
            np.testing.assert_array_equal(self.copy_of(write_png(x, depth, 3, interlaced, colours)),
                                          palette[x], strict=True)
            alpha = chunk(b"tRNS", b"\x07")  # of the first colour; the others are opaque
            expected = np.dstack([palette[x], np.where(x == 0, 7, 255).astype(np.uint8)])
            np.testing.assert_array_equal(
                self.copy_of(write_png(x, depth, 3, interlaced, colours + alpha)), expected,
                strict=True)

    def test_a_transparent_colour_becomes_alpha(self):
        x = self.samples((9, 8, 3), np.uint8)
        x[::3] = 5, 6, 7
        key = chunk(b"tRNS", bytes([0, 5, 0, 6, 0, 7]))
        expected = np.dstack([x, np.where((x == (5, 6, 7)).all(2), 0, 255).astype(np.uint8)])
        np.testing.assert_array_equal(self.copy_of(write_png(x, more=key)), expected, strict=True)

    def test_standard_output_and_in_place(self):
        x = self.samples((20, 30, 3), np.uint8)
        self.put("in.png", write_png(x))
        written = self.lookback("blur", "in.png", "--radius", 0, "-o", "-")
        np.testing.assert_array_equal(read_png(written), x)
        self.lookback("blur", "in.png", "--radius", 3, "-o", "in.png")
        np.testing.assert_array_equal(read_png(self.tree()["in.png"]), blurred(x, 3))

    def test_what_is_broken_is_refused(self):
        x = np.arange(60, dtype=np.uint8).reshape(5, 12)
        good = write_png(x)
        data = rows_of(x[..., None], 8)
        size = header(5, 12, 8, 0)
        end = chunk(b"IEND")
        huge = {(10**6, 10**6): SIGNATURE + header(10**6, 10**6, 16, 6),
                (2**31 - 1, 2**31 - 1): SIGNATURE + header(2**31 - 1, 2**31 - 1, 16, 6),
                (1, 2**31 - 1): SIGNATURE + header(1, 2**31 - 1, 8, 0)}
        for (height, width), file in huge.items():
            file += chunk(b"IDAT", zlib.compress(b"")) + end
            self.put("x.png", file)
            self.refused(f"x.png: truncated: {width} x {height} pixels are more than {len(file)} "
                         "bytes of a PNG file can hold", "blur", "x.png", "--radius", 1, "-o",
                         "o.png")
        for message, file in (
                ("the file is empty; expected a PNG image", b""),
                (r"not a PNG file: it begins with '\x93NUMPY\x01\x00'", b"\x93NUMPY\1\0v"),
                (r"not a PNG file: it begins with '\x89PNG\x0a\x1a\x0a'", b"\x89PNG\n\x1a\n"),
                ("truncated: the PNG image goes on behind its end", SIGNATURE),
                ("truncated: the PNG image goes on behind its end", good[:-1]),
                ("truncated: the PNG image goes on behind its end", SIGNATURE + size),
                ("broken PNG image: Not enough image data",
                 SIGNATURE + size + chunk(b"IDAT", zlib.compress(data[:-1])) + end),
                ("broken PNG image: IDAT: incorrect data check",
                 SIGNATURE + size + chunk(b"IDAT", zlib.compress(data)[:-1] + b"!") + end),
                ("broken PNG image: Invalid IHDR data", SIGNATURE + header(0, 12, 8, 0)),
                ("broken PNG image: Invalid IHDR data", SIGNATURE + header(5, 12, 7, 0)),
                ("broken PNG image: IDAT: Missing PLTE before IDAT", write_png(x, 8, 3))):
            with self.subTest(message):
                self.put("x.png", file)
                self.refused(f"x.png: {message}", "blur", "x.png", "--radius", 1, "-o", "o.png")
        self.put("o.npy", b"as it was")
        for broken in [good[:k] for k in range(len(good))] + [
                good[:k] + bytes([good[k] ^ 1 << k % 8]) + good[k + 1:] for k in range(len(good))]:
            self.put("x.png", broken)
            before = self.tree()
            done = self.run_lookback("sat", "x.png", "-o", "o.npy")
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
            self.assertEqual(self.tree(), before)

    def test_other_files(self):
        os.mkdir(self.path("d.png"))
        self.put("x.png", write_png(np.zeros((2, 3), np.uint8)))
        for message, arguments in (
                ("no.png: cannot read: No such file or directory", ["no.png", "-o", "o.png"]),
                ("d.png: is a directory; expected a file", ["d.png", "-o", "o.png"]),
                ("d.png: is a directory; expected a file", ["x.png", "-o", "d.png"]),
                ("IN -: images are not read from standard input; expected a file",
                 ["-", "-o", "o.png"]),
                ("-o o.jpg: unknown kind of file; expected a name ending in .png, or -",
                 ["x.png", "-o", "o.jpg"]),
                ("-o: the name is empty; expected that of a PNG file, or -", ["x.png", "-o", ""])):
            with self.subTest(message):
                self.refused(message, "blur", *arguments, "--radius", 1)


if __name__ == "__main__":
    unittest.main()
