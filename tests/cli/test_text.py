"""Text on standard input and output."""

import unittest

import numpy as np

from support import InDirectory


class Text(InDirectory):
    def text(self, stdin, *arguments):
        return self.lookback("scan", "-", *arguments, stdin=stdin)

    def test_running_sum(self):
        self.assertEqual(self.text(b"1 2 3\n4\t5\n"), b"1\n3\n6\n10\n15\n")

    def test_exclusive_and_backward(self):
        self.assertEqual(self.text(b"1 2 3", "--exclusive"), b"0\n1\n3\n")
        self.assertEqual(self.text(b"1 2 3", "--backward"), b"6\n5\n3\n")
        self.assertEqual(self.text(b"1 2 3", "--backward", "--exclusive"), b"5\n3\n0\n")

    def test_nothing_in_nothing_out(self):
        self.assertEqual(self.text(b""), b"")
        self.assertEqual(self.text(b" \n"), b"")

    def test_types_follow_the_numbers(self):
        self.assertEqual(self.text(b"9223372036854775807 1"),
                         b"9223372036854775807\n-9223372036854775808\n")
        self.assertEqual(self.text(b"9223372036854775808 1"),
                         b"9223372036854775808\n9223372036854775809\n")
        self.assertEqual(self.text(b"0.5 1"), b"0.5\n1.5\n")

    def test_type_is_an_option(self):
        self.assertEqual(self.text(b"200 100", "--dtype", "uint8"), b"200\n44\n")
        self.assertEqual(self.text(b"1 2", "--out-dtype", "float32", "--init", "0.1"), b"1.1\n3.1\n")

    def test_a_million_numbers(self):
        x = np.arange(1_000_000) - 500_000
        text = "\n".join(map(str, x)).encode()
        np.testing.assert_array_equal(np.array(self.text(text).split(), np.int64), np.cumsum(x))

    def test_to_and_from_files(self):
        self.text(b"1 2 3", "-o", "x.npy")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), np.array([1, 3, 6]), strict=True)
        self.text(b"1 2 3", "-o", "x.bin", "--dtype", "int16")
        self.assertEqual(self.tree()["x.bin"], np.array([1, 3, 6], np.int16).tobytes())
        self.assertEqual(self.lookback("scan", "x.npy", "-o", "-"), b"1\n4\n10\n")

    def test_floats_read_back_the_same(self):
        x = np.random.default_rng(1).random(1000) * 1e-20
        self.put("x.npy", x)
        text = self.lookback("scan", "x.npy", "-o", "-", "--op", "max")
        np.testing.assert_array_equal(np.array(text.split(), np.float64), np.maximum.accumulate(x))

    def test_axis_of_one_dimension(self):
        for axis in "0", "-1":
            self.assertEqual(self.text(b"1 2", "--axis", axis), b"1\n3\n")


class Named(InDirectory):
    def test_text_files_by_name(self):
        for name in "x.txt", "x.csv", "x.tsv":
            self.put(name, b"1 2\n3\n")
            self.assertEqual(self.lookback("scan", name, "-o", "-"), b"1\n3\n6\n")
            # The bytes of the text are not taken as raw numbers.
            self.assertEqual(self.lookback("scan", name, "-o", name, "--dtype", "f4"), b"")
            self.assertEqual(self.tree()[name], b"1\n3\n6\n")
        self.refused("x.txt:1:1: '1,2' is not a number; expected --column for one of several columns",
                     "scan", "x.txt", "-o", "-", **self.holding("x.txt", b"1,2"))

    def holding(self, name, content):
        self.put(name, content)
        return {}

    def test_an_initial_value_may_be_what_the_numbers_are_not(self):
        self.assertEqual(self.lookback("scan", "-", "--init", "0.5", stdin=b"1 2"), b"1.5\n3.5\n")
        self.assertEqual(self.lookback("scan", "-", "--init", "9223372036854775808", stdin=b"1"),
                         b"9223372036854775809\n")
        self.refused("--init: 'five' is not a number", "scan", "-", "--init", "five", stdin=b"1 2")

    def test_nan_has_no_sign(self):
        self.assertEqual(self.lookback("scan", "-", stdin=b"inf -inf nan -nan"),
                         b"inf\nnan\nnan\nnan\n")


if __name__ == "__main__":
    unittest.main()
