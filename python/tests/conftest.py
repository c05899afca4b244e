"""What the tests share: arrays of all types and layouts."""

import doctest

import hypothesis
import numpy as np
import pytest

hypothesis.settings.register_profile(
    "here", max_examples=60, deadline=None, derandomize=True, database=None
)
hypothesis.settings.load_profile("here")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
NUMBERS = INTEGERS + FLOATS


def numbers(dtype, shape, seed=0, low=None, high=None):
    """Numbers whose sums are exact, also in floats."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if low is None:
        low, high = (0, 20) if dtype.kind == "u" else (-10, 10)
    return rng.integers(low, high, shape).astype(dtype)


# How the numbers of an array can lie in memory.
LAYOUTS = {
    "plain": lambda a: a,
    "fortran": np.asfortranarray,
    "reversed": lambda a: a[::-1].copy()[::-1],
    "every_other": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "column": lambda a: np.stack([a, a], axis=-1)[..., 0],
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "unaligned": lambda a: unaligned(a),
    "read_only": lambda a: read_only(a),
}


def check_examples(name, function):
    """Runs the examples of a docstring, of which there must be some."""
    test = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, 0)
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0 and results.attempted > 0, name


def unaligned(a):
    room = np.empty(a.nbytes + 1, np.uint8)[1:]
    result = room.view(a.dtype).reshape(a.shape)
    result[...] = a
    return result


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


@pytest.fixture(params=LAYOUTS, ids=str)
def layout(request):
    return LAYOUTS[request.param]
