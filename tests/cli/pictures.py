"""What the tests of PNG files and blurs share: a command on an image, and blurs by plain loops."""

import itertools

import numpy as np

from png_files import read_png, write_png
from support import InDirectory

PAD = {"clamp": "edge", "zero": "constant", "reflect": "symmetric"}
SHAPES = [(h, w) if c == 1 else (h, w, c)
          for (h, w), c in itertools.product([(1, 1), (1, 9), (40, 1), (13, 17), (70, 67)],
                                             [1, 2, 3, 4])]


def rounded(sums, count):
    """The quotients rounded to the nearest integer, ties to even, computed in integers only."""
    whole, rest = np.divmod(sums, count)
    return whole + ((2 * rest > count) | ((2 * rest == count) & (whole % 2 == 1)))


def blurred(x, radii, border="clamp", is_in=None):
    """The mean of the window around each pixel; if `is_in` is given, only of the pixels in it."""
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
        """Runs a command on an image; returns the image that it writes."""
        self.put("in.png", x if isinstance(x, bytes) else write_png(x))
        self.assertEqual(self.lookback(command, "in.png", *arguments, "-o", "out.png"), b"")
        return read_png(self.tree()["out.png"])
