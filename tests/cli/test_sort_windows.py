"""lookback sort of more than one window: sorted runs, and their merge."""

import unittest

import numpy as np

from sort_support import SPECIAL, TYPES, Sorting, numbers
from support import FLOATS


class Windows(Sorting):
    def test_around_the_edges(self):
        random = np.random.default_rng(8)
        for count in 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 500:
            self.check(numbers("int64", count, random, 5), "--window", 64,
                       windows=(count + 7) // 8)

    def test_windows_of_one_item(self):
        self.check(numbers("float32", 100, np.random.default_rng(9)), "--window", 1, windows=100)

    def test_types(self):
        random = np.random.default_rng(10)
        for dtype in TYPES:
            self.check(numbers(dtype, 5000, random), "--window", 3000, descending=True)
            self.check(numbers(dtype, 5000, random, 3), "--window", 9000)

    def test_special_floats(self):
        random = np.random.default_rng(11)
        for dtype in FLOATS:
            x = random.choice(np.array(SPECIAL, dtype), 1000)
            for descending in False, True:
                self.check(x, "--window", 256, descending=descending)

    def test_many_runs_at_once(self):
        # A window has room for several parts of 256 KiB: 12 runs take two steps, then 4 runs one.
        random = np.random.default_rng(12)
        x = numbers("uint32", 3_000_000, random)
        self.check(x, "--window", 1 << 20, windows=12)
        self.check(x % 1000, "--window", 3 << 20, windows=4)

    def test_runs_that_do_not_mix(self):
        x = np.arange(600_000, dtype=np.int32)
        for y in x, x[::-1].copy(), np.zeros_like(x), x // 1000, np.roll(x, 123_456):
            self.check(y, "--window", 1 << 20)

    def test_unaligned(self):
        x = numbers("float64", 3000, np.random.default_rng(13))
        self.put("x.npy", x)
        whole = self.tree()["x.npy"]
        header = whole[:128].replace(b"\x76\x00", b"\x77\x00", 1)
        self.put("x.npy", header[:-1] + b" \n" + whole[128:])
        for window in [], ["--window", "5000"]:
            self.lookback("sort", "x.npy", "-o", "y.npy", *window)
            self.assert_same("y.npy", np.sort(x))


if __name__ == "__main__":
    unittest.main()
