"""Scans of one line, of every type, operator, kind and direction, compared with NumPy."""

import itertools
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory, expected, operators

SIZES = [0, 1, 2, 17, 1000, 70_001]


def numbers(dtype, op, size, random):
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, size, dtype, endpoint=True)
    # Numbers of which no result is rounded.
    if op == "product":
        return random.choice(np.array([1, -1], dtype), size)
    return random.integers(-100, 100, size).astype(dtype)


class FlatScans(InDirectory):
    def check(self, dtype):
        random = np.random.default_rng(1)
        for op, exclusive, backward, size in itertools.product(
                operators(dtype), [False, True], [False, True], SIZES):
            with self.subTest(dtype=dtype, op=op, exclusive=exclusive, backward=backward, size=size):
                x = numbers(dtype, op, size, random)
                flags = ["--exclusive"] * exclusive + ["--backward"] * backward
                y = self.scan(x, "--op", op, *flags)
                np.testing.assert_array_equal(y, expected(x, op, exclusive, backward), strict=True)


for name in INTEGERS + FLOATS:
    setattr(FlatScans, f"test_{name}", lambda self, name=name: self.check(name))


class Floats(InDirectory):
    def test_sums_of_any_floats_are_near(self):
        x = np.random.default_rng(2).random(300_000)
        np.testing.assert_allclose(self.scan(x), np.cumsum(x), rtol=1e-12)

    def test_nan_wins(self):
        x = np.random.default_rng(3).random(100_000, np.float32)
        x[60_000] = np.nan
        for op in "min", "max":
            for backward in False, True:
                y = self.scan(x, "--op", op, *["--backward"] * backward)
                np.testing.assert_array_equal(y, expected(x, op, backward=backward))


class Shapes(InDirectory):
    def test_without_axis_the_result_is_flat(self):
        for shape in (2, 3, 4), (0, 3), ():
            x = np.ones(shape, np.int32)
            np.testing.assert_array_equal(self.scan(x), np.cumsum(x, dtype=np.int32), strict=True)

    def test_threads_do_not_change_results(self):
        x = np.random.default_rng(4).random(500_000, np.float32)
        one = self.scan(x, "--threads", 1)
        for threads in 0, 2, 5:
            self.assertEqual(self.scan(x, "--threads", threads).tobytes(), one.tobytes())


if __name__ == "__main__":
    unittest.main()
