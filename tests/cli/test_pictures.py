"""Blurs and depth of field, compared with plain loops, and with SciPy and OpenCV if installed."""

import itertools
import json
import unittest

import numpy as np

from pictures import PAD, SHAPES, Pictures, blurred
from png_files import write_png

try:
    import cv2
except ImportError:
    cv2 = None
try:
    from scipy import ndimage
except ImportError:
    ndimage = None

SCIPY = {"clamp": "nearest", "zero": "constant", "reflect": "reflect"}


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
