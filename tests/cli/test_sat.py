"""Summed-area tables, compared with NumPy's cumulative sums, and OpenCV's integral if installed."""

import itertools
import json
import unittest

import numpy as np

from png_files import write_png
from support import FLOATS, INTEGERS, InDirectory, summable

try:
    import cv2
except ImportError:
    cv2 = None

SHAPES = [(1, 1), (1, 300), (300, 1), (2, 3), (63, 127), (64, 128), (65, 129), (129, 257), (200, 70),
          (0, 5), (5, 0), (0, 0)]


def usual_type(dtype):
    return {"i": np.int64, "u": np.uint64, "f": np.float64}[np.dtype(dtype).kind]


def table_of(x, exclusive=False, dtype=None, first=0):
    """Sums over axes `first` and `first` + 1."""
    dtype = dtype or usual_type(x.dtype)
    with np.errstate(over="ignore"):
        t = np.cumsum(np.cumsum(x.astype(dtype), first, dtype), first + 1, dtype)
    if exclusive:
        t = np.pad(t, [(1, 0) if k in (first, first + 1) else (0, 0) for k in range(t.ndim)])
    return t


class Sat(InDirectory):
    random = np.random.default_rng(16)

    def sat(self, x, *arguments):
        self.put("in.npy", x)
        self.assertEqual(self.lookback("sat", "in.npy", "-o", "out.npy", *arguments), b"")
        return np.load(self.path("out.npy"))

    def check(self, x, *arguments, squares=None, **how):
        np.testing.assert_array_equal(self.sat(x, *arguments), table_of(x, **how), strict=True)

    def test_types(self):
        for dtype, exclusive in itertools.product(INTEGERS + FLOATS, [False, True]):
            with self.subTest(dtype=dtype, exclusive=exclusive):
                self.check(summable(self.random, dtype, (70, 131)), *["--exclusive"] * exclusive,
                           exclusive=exclusive)

    def test_shapes_in_one_window_and_in_small_ones(self):
        for shape, dtype, exclusive in itertools.product(SHAPES, ["uint8", "float32"],
                                                         [False, True]):
            for window in [], ["--window", 1], ["--window", 50_000]:
                with self.subTest(shape=shape, dtype=dtype, exclusive=exclusive, window=window):
                    self.check(summable(self.random, dtype, shape), *["--exclusive"] * exclusive, *window,
                               exclusive=exclusive)

    def test_out_types(self):
        for dtype, out in itertools.product(["int8", "uint8", "int16", "uint32", "int64"],
                                            ["int32", "uint32", "int64", "uint64", *FLOATS]):
            with self.subTest(dtype=dtype, out=out):
                # Small enough that sums are exact in float32, unless the type is wider.
                x = summable(self.random, "int8" if out in FLOATS else dtype, (66, 67)).astype(dtype)
                x = x % 8 if out in FLOATS else x
                self.check(x, "--out-dtype", out, dtype=np.dtype(out).type)
        for out in FLOATS:
            self.check(summable(self.random, "float64", (66, 67)), "--out-dtype", out, dtype=out)

    def test_channels_and_stacks(self):
        for shape in (9, 200, 70), (200, 3, 4), (3, 0, 4), (0, 3, 4):
            for exclusive, window in itertools.product([False, True], [[], ["--window", 1]]):
                flags = ["--exclusive"] * exclusive + window
                for dtype in "uint16", "float64":
                    with self.subTest(shape=shape, flags=flags, dtype=dtype):
                        self.check(summable(self.random, dtype, shape), "--stack", *flags,
                                   exclusive=exclusive, first=1)
                        for channels in 1, 2, 3, 4:
                            x = summable(self.random, dtype, (*shape, channels))
                            self.check(x, "--stack", "--channels", *flags, exclusive=exclusive,
                                       first=1)
                            if len(x):
                                self.check(x[0], "--channels", *flags, exclusive=exclusive)

    def test_squares(self):
        for dtype, exclusive, window in itertools.product(["int8", "uint8", "uint32", "float32"],
                                                          [False, True], [[], ["--window", 1]]):
            flags = ["--exclusive"] * exclusive + window
            for channels in 1, 3:
                x = summable(self.random, dtype, (131, 40, channels))
                with self.subTest(dtype=dtype, flags=flags, channels=channels):
                    self.check(x, "--channels", "--squares", "squares.npy", *flags,
                               exclusive=exclusive)
                    wide = x.astype(usual_type(dtype))
                    np.testing.assert_array_equal(np.load(self.path("squares.npy")),
                                                  table_of(wide * wide, exclusive), strict=True)

    def test_bits_of_floats_do_not_depend_on_windows_and_threads(self):
        for dtype, out in ("float32", "float64"), ("float64", "float64"), ("float32", "float32"):
            x = self.random.standard_normal((333, 517)).astype(dtype)
            for flags in [], ["--exclusive"]:
                whole = self.sat(x, "--out-dtype", out, *flags)
                np.testing.assert_allclose(whole, table_of(x, bool(flags)),
                                           atol=1e-9 if out == "float64" else .05)
                for more in ["--window", 1], ["--window", 600_000], ["--threads", 1]:
                    parts = self.sat(x, "--out-dtype", out, *flags, *more)
                    self.assertEqual(whole.tobytes(), parts.tobytes())

    def test_png(self):
        for channels, dtype in itertools.product([1, 2, 3, 4], ["uint8", "uint16"]):
            x = summable(self.random, dtype, (70, 41, channels))
            x = x[..., 0] if channels == 1 else x
            self.put("in.png", write_png(x))
            self.lookback("sat", "in.png", "-o", "out.npy")
            np.testing.assert_array_equal(np.load(self.path("out.npy")), table_of(x), strict=True)

    def test_other_outputs_and_in_place(self):
        x = summable(self.random, "uint8", (200, 30))
        self.put("in.npy", x)
        for window in [], ["--window", 1]:
            text = self.lookback("sat", "in.npy", "-o", "-", "--exclusive", *window)
            np.testing.assert_array_equal(np.array(text.split(), np.uint64),
                                          table_of(x, True).ravel())
        self.lookback("sat", "in.npy", "-o", "out.bin")
        np.testing.assert_array_equal(np.fromfile(self.path("out.bin"), np.uint64),
                                      table_of(x).ravel())
        self.lookback("sat", "in.npy", "-o", "in.npy")
        np.testing.assert_array_equal(np.load(self.path("in.npy")), table_of(x))

    def test_json(self):
        self.put("in.npy", summable(self.random, "uint8", (5, 30, 20, 3)))
        told = json.loads(self.lookback("sat", "in.npy", "-o", "out.npy", "--stack", "--channels",
                                        "--json", "--threads", 1))
        self.assertEqual([told[key] for key in ("images", "height", "width", "channels", "type",
                                                "device", "threads")],
                         [5, 30, 20, 3, "uint64", "cpu", 1])

    @unittest.skipIf(cv2 is None, "needs OpenCV")
    def test_as_opencv(self):
        x = summable(self.random, "uint8", (300, 400))
        sums, squares = cv2.integral2(x, sdepth=cv2.CV_32S, sqdepth=cv2.CV_64F)
        np.testing.assert_array_equal(self.sat(x, "--exclusive", "--out-dtype", "int32"), sums,
                                      strict=True)
        self.sat(x, "--exclusive", "--squares", "squares.npy")
        np.testing.assert_array_equal(np.load(self.path("squares.npy")), squares)

    def test_refused(self):
        self.put("x.npy", np.zeros((3, 4), np.uint8))
        self.put("line.npy", np.zeros(3, np.uint8))
        self.put("deep.npy", np.zeros((3, 4, 5), np.float32))
        self.put("x.png", write_png(np.zeros((2, 3), np.uint8)))
        for message, arguments in (
                ("line.npy: has shape (3); expected H x W, or --channels, or --stack",
                 ["line.npy", "-o", "o.npy"]),
                ("deep.npy: has shape (3, 4, 5); expected H x W, or --channels, or --stack",
                 ["deep.npy", "-o", "o.npy"]),
                ("deep.npy: has shape (3, 4, 5); expected H x W x C, with 1 to 4 channels C",
                 ["deep.npy", "-o", "o.npy", "--channels"]),
                ("deep.npy: has shape (3, 4, 5); expected N x H x W x C, with 1 to 4 channels C",
                 ["deep.npy", "-o", "o.npy", "--channels", "--stack"]),
                ("x.npy: has shape (3, 4); expected N x H x W",
                 ["x.npy", "-o", "o.npy", "--stack"]),
                ("--stack: is for *.npy; x.png is a PNG file, which says itself what it holds",
                 ["x.png", "-o", "o.npy", "--stack"]),
                ("--out-dtype uint16: is too narrow for sums; expected int32, int64, uint32, "
                 "uint64, float32 or float64", ["x.npy", "-o", "o.npy", "--out-dtype", "uint16"]),
                ("--out-dtype int64: deep.npy holds float32, which do not fit integers; expected "
                 "a type of floats",
                 ["deep.npy", "-o", "o.npy", "--stack", "--out-dtype", "int64"]),
                ("--squares o.npy: -o names this file, too; expected another file",
                 ["x.npy", "-o", "o.npy", "--squares", "o.npy"]),
                ("IN -: images are not read from standard input; expected a file",
                 ["-", "-o", "o.npy"]),
                ("-o o.png: unknown kind of file; expected a name ending in .npy, .npz, .bin or .txt, or - for "
                 "text", ["x.npy", "-o", "o.png"])):
            with self.subTest(message):
                self.refused(message, "sat", *arguments)


if __name__ == "__main__":
    unittest.main()
