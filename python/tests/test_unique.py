"""unique_all, unique_counts, unique_inverse and unique_values, compared with NumPy's."""

import numpy as np
import pytest
from conftest import NUMBERS, numbers

import lookback as lb


def check(x):
    values, indices, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    inverse = inverse.reshape(x.shape)
    everything = lb.unique_all(x)
    for ours, theirs in zip(everything, (values, indices, inverse, counts)):
        np.testing.assert_array_equal(ours, theirs)
    assert everything.values.dtype == x.dtype.newbyteorder("=")
    np.testing.assert_array_equal(lb.unique_values(x), values)
    for ours, theirs in zip(lb.unique_counts(x), (values, counts)):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(lb.unique_inverse(x), (values, inverse)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "float16"])
@pytest.mark.parametrize("shape", [0, 1, 1000, (30, 40), (2, 0), (), 100_000])
def test_real(dtype, shape):
    check(np.asarray(numbers(dtype, shape)))


def test_layouts(layout):
    check(layout(numbers("int32", (30, 40))))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex(dtype):
    x = numbers("f4", 3000, low=0, high=5) + 1j * numbers("f4", 3000, 1, low=0, high=5)
    check(x.astype(dtype).reshape(30, 100))


def test_zeros_and_nans():
    x = np.array([np.nan, 0.0, -0.0, 1, -np.inf, np.nan, 0.0])
    check(x)
    assert not np.signbit(lb.unique_values(x)[1])
    z = np.array([0, -0.0, complex(0, np.nan), 0])
    assert lb.unique_counts(z).counts.tolist() == [3, 1]


def test_refused():
    with pytest.raises(TypeError, match="x has dtype <U1; expected"):
        lb.unique_values(["a"])
    with pytest.raises(TypeError, match="x has dtype <U1; expected"):
        lb.unique_all(["a"])
