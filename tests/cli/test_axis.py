"""Scans along one axis, compared with NumPy."""

import itertools
import unittest

import numpy as np

from support import InDirectory, expected

SHAPES = [(7,), (1, 1), (5, 3), (3, 1000), (1000, 3), (2, 3, 4), (4, 1, 5, 2), (0, 3), (3, 0),
          (2, 0, 2), (300, 400), (2, 150_000), (150_000, 2), (2, 70_000, 3), (3, 2, 70_000),
          (30_000, 2, 2)]


class Axis(InDirectory):
    def check(self, *arguments, exclusive, backward):
        random = np.random.default_rng(1)
        flags = ["--exclusive"] * exclusive + ["--backward"] * backward
        for shape in SHAPES:
            x = random.integers(-9, 9, shape).astype(np.int32)
            for axis in range(len(shape)):
                for op in "sum", "max":
                    with self.subTest(shape=shape, axis=axis, op=op, flags=flags):
                        y = self.scan(x, "--axis", axis, "--op", op, *flags, *arguments)
                        np.testing.assert_array_equal(
                            y, expected(x, op, exclusive, backward, axis), strict=True)

    def test_in_one_window(self):
        for exclusive, backward in itertools.product([False, True], repeat=2):
            self.check(exclusive=exclusive, backward=backward)

    def test_in_small_windows(self):
        for exclusive, backward in itertools.product([False, True], repeat=2):
            self.check("--window", 1, exclusive=exclusive, backward=backward)

    def test_rows_longer_than_a_window(self):
        # A row of axis 0 has 2^18 + 8 items of a byte; a window has 2^18.
        x = np.random.default_rng(2).integers(0, 255, (3, 4, (1 << 16) + 2), np.uint8)
        for axis, exclusive, backward in itertools.product(range(3), [False, True], [False, True]):
            flags = ["--exclusive"] * exclusive + ["--backward"] * backward
            y = self.scan(x, "--axis", axis, "--window", 1, *flags)
            np.testing.assert_array_equal(y, expected(x, "sum", exclusive, backward, axis))

    def test_init(self):
        x = np.arange(12, dtype=np.int64).reshape(3, 4)
        for axis, exclusive, backward in itertools.product(range(2), [False, True], [False, True]):
            flags = ["--exclusive"] * exclusive + ["--backward"] * backward
            y = self.scan(x, "--axis", axis, "--init", -7, *flags)
            np.testing.assert_array_equal(y, expected(x, "sum", exclusive, backward, axis, init=-7))

    def test_negative_axis_and_other_type(self):
        x = np.full((3, 4, 5), 200, np.uint8)
        for axis in -1, -2, -3:
            y = self.scan(x, "--axis", axis, "--out-dtype", "uint64")
            np.testing.assert_array_equal(y, np.cumsum(x, axis, np.uint64), strict=True)

    def test_every_operator(self):
        x = np.random.default_rng(3).integers(0, 255, (50, 60), np.uint8)
        for op in "sum", "product", "min", "max", "and", "or", "xor":
            for axis in 0, 1:
                y = self.scan(x, "--axis", axis, "--op", op)
                np.testing.assert_array_equal(y, expected(x, op, axis=axis), strict=True)

    def test_as_text_in_the_order_of_the_array(self):
        x = np.random.default_rng(4).integers(-9, 9, (3, 40_000, 3)).astype(np.int64)
        self.put("in.npy", x)
        for axis, backward in itertools.product(range(3), [False, True]):
            text = self.lookback("scan", "in.npy", "-o", "-", "--axis", axis, "--window", 1,
                                 *["--backward"] * backward)
            np.testing.assert_array_equal(np.array(text.split(), np.int64),
                                          expected(x, "sum", backward=backward, axis=axis).ravel())


if __name__ == "__main__":
    unittest.main()
