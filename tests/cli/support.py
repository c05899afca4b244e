"""What the end-to-end tests share: they run the program in an empty directory; NumPy's answers."""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import numpy as np

# In the background of a script these are ignored, also by the programs that are started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

LOOKBACK = os.environ["LOOKBACK"]
CORPUS = os.environ["LOOKBACK_CORPUS"]

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
UFUNCS = {"sum": np.add, "product": np.multiply, "min": np.minimum, "max": np.maximum,
          "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


def operators(dtype):
    return list(UFUNCS) if dtype in INTEGERS else ["sum", "product", "min", "max"]


def identity(op, dtype):
    limits = np.iinfo(dtype) if dtype in INTEGERS else None
    return {"sum": 0, "product": 1, "or": 0, "xor": 0,
            "and": limits and (limits.max if limits.min == 0 else -1),
            "min": limits.max if limits else np.inf,
            "max": limits.min if limits else -np.inf}[op]


def expected(x, op, exclusive=False, backward=False, axis=0, init=None):
    """The scan as NumPy computes it."""
    x = np.flip(np.moveaxis(x, axis, 0), 0) if backward else np.moveaxis(x, axis, 0)
    if exclusive or init is not None:
        first = identity(op, x.dtype.name) if init is None else init
        x = np.concatenate([np.full((1,) + x.shape[1:], first, x.dtype), x])
    y = UFUNCS[op].accumulate(x, axis=0, dtype=x.dtype) if len(x) else x
    if exclusive:
        y = y[:-1]
    elif init is not None:
        y = y[1:]
    return np.moveaxis(np.flip(y, 0) if backward else y, 0, axis)


def summable(random, dtype, shape):
    """Any integers, or floats whose sums are exact, so that any order gives the same result."""
    if dtype in FLOATS:
        return random.integers(-99, 99, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)


class InDirectory(unittest.TestCase):
    """Each test has an empty directory, in which the program runs."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="lookback-")
        self.addCleanup(shutil.rmtree, self.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def put(self, name, content):
        if isinstance(content, np.ndarray):
            if name.endswith(".npy"):
                np.save(self.path(name), content)
            else:
                content.tofile(self.path(name))
            return
        with open(self.path(name), "wb") as file:
            file.write(content)

    def run_lookback(self, *arguments, stdin=b"", **more):
        return subprocess.run([LOOKBACK, *map(str, arguments)], cwd=self.directory, input=stdin,
                              capture_output=True, timeout=300, **more)

    def lookback(self, *arguments, stdin=b""):
        """Runs the program, which must succeed without a message; returns what it printed."""
        done = self.run_lookback(*arguments, stdin=stdin)
        self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
        return done.stdout

    def scan(self, x, *arguments):
        """Scans a NumPy array, through .npy files."""
        self.put("in.npy", x)
        self.assertEqual(self.lookback("scan", "in.npy", "-o", "out.npy", *arguments), b"")
        return np.load(self.path("out.npy"))

    def tree(self):
        """The names of all files, with the contents of those that can be read."""
        found = {}
        for name in os.listdir(self.directory):
            if os.path.isfile(self.path(name)) and os.access(self.path(name), os.R_OK):
                with open(self.path(name), "rb") as file:
                    found[name] = file.read()
            else:
                found[name] = None
        return found

    def refused(self, expected_message, *arguments, stdin=b"", **more):
        """Runs the program, which must fail with this one line, and must not change any file."""
        before = self.tree()
        done = self.run_lookback(*arguments, stdin=stdin, **more)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, 2, (arguments, message))
        self.assertEqual(done.stdout, b"", arguments)
        self.assertEqual(message, f"lookback: {expected_message}\n", arguments)
        self.assertEqual(self.tree(), before, arguments)
