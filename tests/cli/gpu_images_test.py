"""Summed-area tables and blurs on a GPU: the same bytes as on the CPU; rounded sums of floats are
close to the CPU's, and the same every time. gpu_support.py says how to run it."""

import itertools
import json
import unittest

from gpu_support import SameAsCpu

import numpy as np

from png_files import write_png
from support import FLOATS, INTEGERS, summable

USUAL = 8 << 20
SHAPES = [(1, 1), (1, 300), (300, 1), (64, 128), (513, 129), (1030, 257), (0, 5), (5, 0)]


class Sat(SameAsCpu):
    random = np.random.default_rng(1)

    def check_sat(self, x, *options, windows=(USUAL,)):
        self.put("x.npy", x)
        self.check(windows, "sat", "x.npy", "-o", "t.npy", *options)

    def test_types(self):
        for dtype, exclusive in zip(INTEGERS + FLOATS, itertools.cycle([[], ["--exclusive"]])):
            self.check_sat(summable(self.random, dtype, (70, 131)), *exclusive, "--squares", "s.npy")
        for dtype, out in (("uint8", "uint32"), ("int16", "int32"), ("float32", "float32")):
            self.check_sat(summable(self.random, dtype, (70, 131)), "--out-dtype", out, "--exclusive")

    def test_shapes_and_strips(self):
        for shape, exclusive in itertools.product(SHAPES, ([], ["--exclusive"])):
            self.check_sat(summable(self.random, "uint16", shape), *exclusive, windows=(7000,))
        self.check_sat(summable(self.random, "float32", (1030, 257)), "--exclusive", windows=(1, USUAL))

    def test_channels_and_stacks(self):
        for channels, dtype in (1, "float64"), (2, "uint8"), (3, "float32"), (4, "int32"):
            x = summable(self.random, dtype, (3, 600, 40, channels))
            self.check_sat(x[0], "--channels", "--exclusive", windows=(9000,))
            self.check_sat(x, "--channels", "--stack", windows=(USUAL,))

    def test_sums_of_floats_that_are_rounded(self):
        x = self.random.random((1500, 700))
        self.put("x.npy", x)
        tables = set()
        for window in 1, 1, 3 << 20, USUAL, USUAL:  # strips of 512 rows, and of 1024
            self.use_windows(window)
            self.lookback("sat", "x.npy", "-o", "t.npy", "--device", "cuda")
            np.testing.assert_allclose(np.load(self.path("t.npy")), x.cumsum(0).cumsum(1), rtol=1e-11)
            tables.add(self.tree()["t.npy"])
        self.assertEqual(len(tables), 1)

    def test_json_names_the_gpu(self):
        self.put("x.npy", np.ones((9, 9), np.uint8))
        done = json.loads(self.lookback("sat", "x.npy", "-o", "t.npy", "--device", "cuda", "--json"))
        self.assertEqual(done["device"], "cuda")


class Blurred(SameAsCpu):
    random = np.random.default_rng(2)

    def put_picture(self, shape, dtype):
        self.put("x.png", write_png(self.random.integers(0, np.iinfo(dtype).max, shape, dtype,
                                                         endpoint=True)))

    def test_one_radius(self):
        kinds = itertools.cycle(itertools.product(["clamp", "zero", "reflect"], [0, 1, 30, 8_388_607]))
        for (height, width), channels, dtype in itertools.product(
                [(1, 1), (1, 90), (90, 1), (130, 270)], [1, 2, 3, 4], ["uint8", "uint16"]):
            self.put_picture((height, width) if channels == 1 else (height, width, channels), dtype)
            border, radius = next(kinds)
            self.check([USUAL], "blur", "x.png", "-o", "y.png", "--radius", radius, "--border", border)

    def test_a_radius_for_each_pixel(self):
        for dtype, most in ("uint8", 40), ("uint16", 300):
            self.put_picture((201, 330, 3), dtype)
            self.put("r.npy", self.random.integers(0, most, (201, 330), np.int32))
            self.check([USUAL], "blur", "x.png", "-o", "y.png", "--radius", "r.npy")

    def test_depth_of_field(self):
        for shape, dtype in ((201, 330), "uint8"), ((64, 70, 4), "uint16"):
            self.put_picture(shape, dtype)
            self.put("d.npy", self.random.random(shape[:2]).astype(np.float32))
            for apart in [], ["--keep-sharp-apart"]:
                self.check([USUAL], "dof", "x.png", "d.npy", "-o", "y.png", "--focus", ".3",
                           "--aperture", "25", *apart)

    def test_json_names_the_gpu(self):
        self.put_picture((9, 9), "uint8")
        done = json.loads(self.lookback("blur", "x.png", "-o", "y.png", "--radius", "2", "--device",
                                        "cuda", "--json"))
        self.assertEqual(done["device"], "cuda")


if __name__ == "__main__":
    unittest.main()
