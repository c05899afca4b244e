"""PNG files in and out, and blurs: against plain loops, and SciPy and OpenCV where they are there."""

import itertools
import json
import os
import unittest
import zlib

import numpy as np

from png_files import SIGNATURE, chunk, header, read_png, rows_of, write_png
from support import InDirectory

try:
    import cv2
except ImportError:
    cv2 = None
try:
    from scipy import ndimage
except ImportError:
    ndimage = None

PAD = {"clamp": "edge", "zero": "constant", "reflect": "symmetric"}
SCIPY = {"clamp": "nearest", "zero": "constant", "reflect": "reflect"}
SHAPES = [(h, w) if c == 1 else (h, w, c)
          for (h, w), c in itertools.product([(1, 1), (1, 9), (40, 1), (13, 17), (70, 67)],
                                             [1, 2, 3, 4])]


def rounded(sums, count):
    """To the nearest integer, ties to even, by integers alone."""
    whole, rest = np.divmod(sums, count)
    return whole + ((2 * rest > count) | ((2 * rest == count) & (whole % 2 == 1)))


def blurred(x, radii, border="clamp", is_in=None):
    """The mean around each pixel, of those that `is_in` in the window, where that is given."""
    radii = np.broadcast_to(radii, x.shape[:2])
    most = int(radii.max())
    is_in = np.ones(x.shape[:2], bool) if is_in is None else is_in
    pad = [(most, most)] * 2
    weights = np.pad(is_in, pad, "edge")
    wide = np.pad(x.astype(np.int64), pad + [(0, 0)] * (x.ndim - 2), PAD[border])
    out = np.empty(x.shape, np.int64)
    for i, j in np.ndindex(*x.shape[:2]):
        r = radii[i, j]
        at = np.s_[i + most - r:i + most + r + 1, j + most - r:j + most + r + 1]
        counted = weights[at]
        out[i, j] = rounded(wide[at][counted].sum(0), counted.sum()) if is_in[i, j] else x[i, j]
    return out.astype(x.dtype)


class Pictures(InDirectory):
    random = np.random.default_rng(12)

    def samples(self, shape, dtype):
        return self.random.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)

    def through(self, command, x, *arguments):
        """Runs a command on an image; returns the other one."""
        self.put("in.png", x if isinstance(x, bytes) else write_png(x))
        self.assertEqual(self.lookback(command, "in.png", *arguments, "-o", "out.png"), b"")
        return read_png(self.tree()["out.png"])

    def copy_of(self, file):
        return self.through("blur", file, "--radius", 0)


class Png(Pictures):
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


class Blur(Pictures):
    def test_one_radius(self):
        for shape, dtype, border in itertools.product(SHAPES, ["uint8", "uint16"], PAD):
            for radius in 0, 1, 5, 90:
                if radius == 90 and len(shape) == 3:
                    continue
                with self.subTest(shape=shape, dtype=dtype, border=border, radius=radius):
                    x = self.samples(shape, dtype)
                    y = self.through("blur", x, "--radius", radius, "--border", border)
                    np.testing.assert_array_equal(y, blurred(x, radius, border), strict=True)

    def test_the_border_is_clamped_by_default(self):
        x = self.samples((13, 17), np.uint8)
        np.testing.assert_array_equal(self.through("blur", x, "--radius", 20), blurred(x, 20))

    def test_largest_radius(self):
        x = np.full((3, 4, 3), 65535, np.uint16)
        for radius in 1_000_000, 8_388_607:
            np.testing.assert_array_equal(self.through("blur", x, "--radius", radius), x)
        x[:] = self.samples((1, 1, 3), np.uint16)
        np.testing.assert_array_equal(self.through("blur", x, "--radius", 8_388_607), x)

    @unittest.skipIf(ndimage is None, "needs SciPy")
    def test_as_scipy(self):
        for border, mode in SCIPY.items():
            for radius in 1, 12, 100:
                x = self.samples((120, 150), np.uint16)
                y = self.through("blur", x, "--radius", radius, "--border", border)
                z = ndimage.uniform_filter(x.astype(np.float64), 2 * radius + 1, mode=mode)
                self.assertLessEqual(np.abs(y - z).max(), .5 + 1e-6)

    @unittest.skipIf(cv2 is None, "needs OpenCV")
    def test_as_opencv(self):
        for border, mode in {"clamp": cv2.BORDER_REPLICATE, "zero": cv2.BORDER_CONSTANT,
                             "reflect": cv2.BORDER_REFLECT}.items():
            for radius in 1, 12, 50:
                x = self.samples((120, 150, 3), np.uint8)
                y = self.through("blur", x, "--radius", radius, "--border", border)
                z = cv2.blur(x, (2 * radius + 1,) * 2, borderType=mode)
                self.assertLessEqual(np.abs(y.astype(int) - z).max(), 1)

    def test_a_radius_for_each_pixel(self):
        for shape, dtype, border in itertools.product(SHAPES, ["uint8", "uint16"], PAD):
            x = self.samples(shape, dtype)
            radii = self.random.integers(0, 25, shape[:2])
            with self.subTest(shape=shape, dtype=dtype, border=border):
                self.put("radii.npy", radii)
                y = self.through("blur", x, "--radius", "radii.npy", "--border", border)
                np.testing.assert_array_equal(y, blurred(x, radii, border), strict=True)

    def test_types_of_radii(self):
        x = self.samples((20, 21, 3), np.uint8)
        radii = self.random.integers(0, 9, (20, 21))
        for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
            self.put("radii.npy", radii.astype(dtype))
            np.testing.assert_array_equal(self.through("blur", x, "--radius", "radii.npy"),
                                          blurred(x, radii))

    def test_threads_and_json(self):
        x = self.samples((200, 301, 4), np.uint8)
        whole = self.through("blur", x, "--radius", 7)
        np.testing.assert_array_equal(self.through("blur", x, "--radius", 7, "--threads", 1), whole)
        told = json.loads(self.lookback("blur", "in.png", "-o", "o.png", "--radius", 1, "--json"))
        self.assertEqual([told[key] for key in ("height", "width", "channels", "type", "device")],
                         [200, 301, 4, "uint8", "cpu"])

    def test_refused(self):
        self.put("x.png", write_png(np.zeros((2, 3), np.uint8)))
        for name, radii in {"float": np.zeros((2, 3)), "flat": np.zeros(6, int),
                            "turned": np.zeros((3, 2), int), "less": np.array([[0, 1, 2], [3, -4, 5]]),
                            "more": np.array([[0, 1, 2**64 - 1], [3, 4, 5]], np.uint64)}.items():
            self.put(f"{name}.npy", radii)
        for message, radius in (
                ("float.npy: holds float64; expected integers", "float.npy"),
                ("flat.npy: has shape (6); expected (2, 3), that of x.png", "flat.npy"),
                ("turned.npy: has shape (3, 2); expected (2, 3), that of x.png", "turned.npy"),
                ("less.npy: the radius of row 1, column 1 is -4; expected 0 to 8388607",
                 "less.npy"),
                ("more.npy: the radius of row 0, column 2 is 18446744073709551615; expected 0 to "
                 "8388607", "more.npy"),
                ("no.npy: cannot read: No such file or directory", "no.npy"),
                ("--radius -1: expected 0 to 8388607, or a name ending in .npy", "-1"),
                ("--radius 8388608: expected 0 to 8388607, or a name ending in .npy", "8388608"),
                ("--radius: '1.5' is not an integer; expected int64", "1.5")):
            with self.subTest(message):
                self.refused(message, "blur", "x.png", "-o", "o.png", f"--radius={radius}")
        self.refused("--border wrap: unknown border; expected one of clamp, zero, reflect", "blur",
                     "x.png", "-o", "o.png", "--radius", 1, "--border", "wrap")


class DepthOfField(Pictures):
    def radii(self, depth, focus, aperture):
        away = np.abs(depth.astype(np.float32) - np.float32(focus))
        return np.rint(np.float32(aperture) * away).astype(int)

    def test_by_depths(self):
        for shape in (1, 1), (33, 40), (40, 33, 2), (33, 40, 3), (20, 70, 4):
            for dtype, kind in itertools.product([np.uint8, np.uint16],
                                                 [np.uint8, np.uint16, np.float32, np.float64]):
                x = self.samples(shape, dtype)
                if np.issubdtype(kind, np.floating):
                    depth = self.random.uniform(-2, 3, shape[:2]).astype(kind)
                    name = "depth.npy"
                    self.put(name, depth)
                else:
                    samples = self.samples(shape[:2], kind)
                    depth = samples.astype(np.float32) / np.float32(np.iinfo(kind).max)
                    name = "depth.png"
                    self.put(name, write_png(samples))
                radii = self.radii(depth, .3, 8)
                y = self.through("dof", x, name, "--focus", ".3", "--aperture", 8)
                np.testing.assert_array_equal(y, blurred(x, radii), strict=True)
                y = self.through("dof", x, name, "--focus", ".3", "--aperture", 2,
                                 "--keep-sharp-apart")
                radii = self.radii(depth, .3, 2)
                np.testing.assert_array_equal(y, blurred(x, radii, is_in=radii > 0), strict=True)

    def test_what_is_in_focus_is_left_as_it_is(self):
        x = self.samples((50, 60, 3), np.uint8)
        self.put("flat.png", write_png(np.full((50, 60), 51, np.uint8)))
        self.put("any.png", write_png(self.samples((50, 60), np.uint16)))
        for more in [], ["--keep-sharp-apart"]:
            for depth, focus, aperture in ("flat.png", .2, 1000), ("any.png", .5, 0):
                y = self.through("dof", x, depth, "--focus", focus, "--aperture", aperture, *more)
                np.testing.assert_array_equal(y, x, strict=True)

    def test_refused(self):
        self.put("x.png", write_png(np.zeros((2, 3), np.uint8)))
        self.put("rgb.png", write_png(np.zeros((2, 3, 3), np.uint8)))
        self.put("small.png", write_png(np.zeros((2, 2), np.uint8)))
        self.put("ints.npy", np.zeros((2, 3), np.int32))
        self.put("nan.npy", np.array([[0, 1, 2], [3, 4, np.nan]]))
        self.put("far.npy", np.array([[0, 1e300, 2], [3, 4, 5]]))
        for message, depth, focus, aperture in (
                ("rgb.png: has shape (2, 3, 3); expected (2, 3), that of x.png", "rgb.png", 0, 1),
                ("small.png: has shape (2, 2); expected (2, 3), that of x.png", "small.png", 0, 1),
                ("ints.npy: holds int32; expected float32 or float64, or a grey PNG file",
                 "ints.npy", 0, 1),
                ("nan.npy: the depth of row 1, column 2 is nan; expected a finite number",
                 "nan.npy", 0, 1),
                ("far.npy: the depth of row 0, column 1 is inf; expected a finite number",
                 "far.npy", 0, 1),
                ("--focus nan: expected a finite number", "x.png", "nan", 1),
                ("--aperture inf: expected a finite number", "x.png", 0, "inf"),
                ("--aperture -1: expected 0 or more", "x.png", 0, -1)):
            with self.subTest(message):
                self.refused(message, "dof", "x.png", depth, "-o", "o.png", f"--focus={focus}",
                             f"--aperture={aperture}")


if __name__ == "__main__":
    unittest.main()
