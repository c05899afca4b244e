"""Arrays on GPUs of libraries that have DLPack alone."""

import importlib.util

import numpy as np
import pytest
from gpu_arrays import ByCuPy, ByTorch, needs_gpu, numbers, same

import lookback as lb

pytestmark = needs_gpu


class Other:
    """An array of an unknown library."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return (2, 0)


class OtherWithNamespace(Other):
    """One whose library has the Array API's functions."""

    def __array_namespace__(self):
        return Namespace


class Namespace:
    from_dlpack = OtherWithNamespace


@pytest.fixture(scope="module")
def on():
    """The library that such arrays are lent to."""
    return ByTorch() if importlib.util.find_spec("torch") else ByCuPy()


def test_results_are_arrays_of_the_library_that_they_were_lent_to(on):
    a = numbers("float32", (70, 30))
    x = Other(on.there(a))
    same(on.here(lb.cumulative_sum(x, axis=1)), np.cumsum(a, axis=1))
    line, mask = a.reshape(-1), a.reshape(-1) > 0
    there = Other(on.there(line))
    same(on.here(lb.select(there, Other(on.there(mask)))), line[mask])
    same(on.here(lb.sort(there)), np.sort(line))
    recurrence = lb.linear_recurrence(0.5, on.there(line))
    same(on.here(lb.linear_recurrence(0.5, there)), on.here(recurrence))
    offsets = [0, 700, 700, 2100]
    same(on.here(lb.segment_sum(there, offsets)), lb.segment_sum(line, offsets))


def test_results_are_arrays_of_their_namespace(on):
    a = numbers("int64", 1000)
    x = OtherWithNamespace(on.there(a))
    sums = lb.cumulative_sum(x)
    assert type(sums) is OtherWithNamespace
    same(on.here(sums.x), np.cumsum(a))
    values, lengths = lb.run_length_encode(x)
    for ours, expected in zip((values, lengths), lb.run_length_encode(a)):
        assert type(ours) is OtherWithNamespace
        same(on.here(ours.x), expected)


def test_they_cannot_be_written_to(on):
    x = Other(on.there(numbers("int64", 10)))
    with pytest.raises(TypeError, match="cannot be written to"):
        lb.cumulative_sum(x, out=x)
