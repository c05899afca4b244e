"""What the tests of lookback sort share: numbers of every type, their order, checked calls."""

import json
import resource

import numpy as np

from support import FLOATS, INTEGERS, InDirectory

FLOAT_TYPES = ["float16"] + FLOATS
TYPES = INTEGERS + FLOAT_TYPES
SPECIAL = [0.0, np.nan, -np.inf, -0.0, 1, np.inf, -np.nan, 0.0, -1, np.nan, -0.0, 5e-324, -5e-324]


def numbers(dtype, count, random, distinct=None):
    """Numbers of all magnitudes, or, with `distinct`, a few values, so that many are equal."""
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        if distinct is None:
            return random.integers(limits.min, limits.max, count, dtype, endpoint=True)
        return random.integers(max(limits.min, -distinct), distinct, count).astype(dtype)
    if distinct is None:
        power = 4 if dtype == "float16" else 30
        powers = 10.0 ** random.integers(-power, power, count)
        return (random.standard_normal(count) * powers).astype(dtype)
    return random.integers(-distinct, distinct, count).astype(dtype)


def words(x):
    """Unsigned integers in the order of the numbers: -0 before 0, every NaN last, by its bits."""
    unsigned = x.view(f"u{x.itemsize}")
    top = unsigned.dtype.type(1 << (8 * x.itemsize - 1))
    if x.dtype.kind == "u":
        return unsigned
    if x.dtype.kind == "i":
        return unsigned ^ top
    rising = np.where(unsigned & top, ~unsigned, unsigned | top)
    negative_nans = np.sum(1 << np.arange(np.finfo(x.dtype).nmant, dtype=np.uint64)).astype(rising.dtype)
    return rising - negative_nans


def order(x, descending=False):
    of = words(x)
    return np.argsort(~of if descending else of, kind="stable")


def limit(what, most):
    resource.setrlimit(what, (most, most))


class Sorting(InDirectory):
    def sort(self, *arguments, windows=None):
        report = json.loads(self.lookback("sort", *arguments, "--json"))
        if windows is not None:
            self.assertEqual(report["windows"], windows, arguments)
        return report

    def assert_same(self, name, y):
        x = np.load(self.path(name))
        self.assertEqual((x.dtype, x.shape), (y.dtype, y.shape))
        self.assertTrue(x.tobytes() == y.tobytes())  # the bits; no assertEqual, which prints them

    def check(self, x, *options, descending=False, windows=None):
        """Sorts an array, finds its order, and sorts by it as keys, all with these options."""
        options = [*options, *["--descending"] * descending]
        self.put("x.npy", x)
        right = order(x, descending)
        self.sort("x.npy", "-o", "y.npy", *options, windows=windows)
        self.assert_same("y.npy", x[right])
        self.sort("x.npy", "-o", "y.npy", "--order", *options)
        self.assert_same("y.npy", right)
        values = np.arange(len(x), dtype=f"u{8 // x.itemsize}" if len(x) < 256 else "u4")
        self.put("v.npy", values)
        self.sort("v.npy", "-o", "y.npy", "--by-key", "x.npy", "--keys", "k.npy", *options)
        self.assert_same("y.npy", values[right])
        self.assert_same("k.npy", x[right])
