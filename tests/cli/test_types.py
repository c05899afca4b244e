"""Other types on output, and initial values."""

import itertools
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory, expected


class OutDtype(InDirectory):
    def test_every_pair(self):
        random = np.random.default_rng(1)
        for source, target in itertools.product(INTEGERS + FLOATS, repeat=2):
            if source in FLOATS and target in INTEGERS:
                continue
            x = random.integers(0, 100, 70_001).astype(source)
            if source.startswith("int"):
                x -= np.array(50, source)
            for exclusive, backward in itertools.product([False, True], repeat=2):
                with self.subTest(source=source, target=target, exclusive=exclusive,
                                  backward=backward):
                    flags = ["--exclusive"] * exclusive + ["--backward"] * backward
                    y = self.scan(x, "--out-dtype", target, *flags)
                    np.testing.assert_array_equal(
                        y, expected(x.astype(target), "sum", exclusive, backward), strict=True)

    def test_codes_are_names_too(self):
        self.assertEqual(self.scan(np.ones(3, np.uint8), "--out-dtype", "f4").dtype, np.float32)

    def test_narrower_integers_wrap_around(self):
        x = np.arange(1000, dtype=np.int32)
        np.testing.assert_array_equal(self.scan(x, "--out-dtype", "uint8"),
                                      np.cumsum(x).astype(np.uint8), strict=True)


class Init(InDirectory):
    def test_every_kind_and_direction(self):
        x = np.arange(70_001, dtype=np.int32)
        for op, init in ("sum", -5), ("max", 40_000), ("min", 3):
            for exclusive, backward in itertools.product([False, True], repeat=2):
                flags = ["--exclusive"] * exclusive + ["--backward"] * backward
                y = self.scan(x, "--op", op, "--init", init, *flags)
                np.testing.assert_array_equal(y, expected(x, op, exclusive, backward, init=init),
                                              strict=True)

    def test_is_of_the_output_type(self):
        y = self.scan(np.ones(2, np.uint8), "--out-dtype", "float32", "--init", "0.5")
        np.testing.assert_array_equal(y, np.array([1.5, 2.5], np.float32))
        self.refused("--init: '0.5' is not an integer; expected uint8",
                     "scan", "in.npy", "-o", "o.npy", "--init", "0.5")
        self.refused("--init: '256' is out of range for uint8; expected 0 to 255",
                     "scan", "in.npy", "-o", "o.npy", "--init", "256")

    def test_takes_inf_and_negative_numbers_as_separate_words(self):
        x = np.array([1, 2], np.float64)
        np.testing.assert_array_equal(self.scan(x, "--init", "-inf", "--op", "max"), x)
        np.testing.assert_array_equal(self.scan(x, "--init", "-1e1"), [-9, -7])

    def test_minus_0_is_0(self):
        self.assertEqual(self.scan(np.ones(2, np.uint8), "--init", "-0").tolist(), [1, 2])

    def test_is_not_used_on_no_items(self):
        self.assertEqual(self.scan(np.zeros(0, np.int32), "--init", "5").shape, (0,))


if __name__ == "__main__":
    unittest.main()
