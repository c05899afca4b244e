"""What the tests of the command line on a GPU share. They are run by hand:

    python3 gpu_test.py PATH_OF_LOOKBACK [UNITTEST OPTIONS]
    python3 gpu_compaction_test.py PATH_OF_LOOKBACK [UNITTEST OPTIONS]
    python3 gpu_images_test.py PATH_OF_LOOKBACK [UNITTEST OPTIONS]

They need the other files of this directory, NumPy, and a GPU; without a GPU they fail.
"""

import itertools
import os
import sys

if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
    sys.exit(__doc__)
os.environ["LOOKBACK"] = os.path.abspath(sys.argv.pop(1))
os.environ.setdefault("LOOKBACK_CORPUS", "")

import numpy as np

from support import INTEGERS, InDirectory


class OnGpu(InDirectory):
    def setUp(self):
        super().setUp()
        os.environ.pop("LOOKBACK_GPU_WINDOW", None)

    def use_windows(self, size):
        os.environ["LOOKBACK_GPU_WINDOW"] = str(size)


class SameAsCpu(OnGpu):
    def written(self, *arguments, stdin=b""):
        """What a command prints, and what it writes to new files, which are then removed."""
        before = set(os.listdir(self.directory))
        text = self.lookback(*arguments, stdin=stdin)
        new = {name: data for name, data in self.tree().items() if name not in before}
        for name in new:
            os.remove(self.path(name))
        return text, new

    def check(self, windows, *arguments, stdin=b""):
        right = self.written(*arguments, "--device", "cpu", stdin=stdin)
        self.assertNotEqual(right, (b"", {}))
        for window in windows:
            self.use_windows(window)
            with self.subTest(arguments=arguments, window=window):
                # Not assertEqual, which would print all the bytes.
                self.assertTrue(right == self.written(*arguments, "--device", "cuda", stdin=stdin))


def numbers(dtype, count, seed=0):
    random = np.random.default_rng(seed)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, count, dtype, endpoint=True)
    return (random.random(count) - 0.5).astype(dtype)


def flags_of(exclusive, backward):
    return ["--exclusive"] * exclusive + ["--backward"] * backward


KINDS = list(itertools.product([False, True], repeat=2))
