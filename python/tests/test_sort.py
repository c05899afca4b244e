"""Sorting, compared with NumPy's."""

import numpy as np
import pytest
from conftest import FLOATS, NUMBERS, numbers
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lookback as lb


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 100_003])
@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "float16"])
def test_sizes_and_types(dtype, n):
    x = numbers(dtype, n) if dtype != "float16" else numbers("int8", n).astype("f2")
    result = lb.sort(x)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(result, np.sort(x))
    np.testing.assert_array_equal(lb.sort(x, descending=True), np.sort(x)[::-1])
    order = lb.argsort(x)
    assert order.dtype == np.int64
    np.testing.assert_array_equal(order, np.argsort(x, kind="stable"))
    down = lb.argsort(x, descending=True)
    np.testing.assert_array_equal(down, n - 1 - np.argsort(x[::-1], kind="stable")[::-1])


@pytest.mark.parametrize("keys", ["int8", "uint16", "int32", "uint64", "float32", "float64", "bool"])
@pytest.mark.parametrize("values", ["uint8", "int16", "float32", "int64", "bool"])
@pytest.mark.parametrize("descending", [False, True])
def test_pairs(keys, values, descending):
    k, v = numbers(keys, 5003), numbers(values, 5003, 1)
    sorted_keys, sorted_values = lb.sort_pairs(k, v, descending=descending)
    order = lb.argsort(k, descending=descending)
    np.testing.assert_array_equal(sorted_keys, k[order])
    np.testing.assert_array_equal(sorted_values, v[order])
    assert (sorted_keys.dtype, sorted_values.dtype) == (k.dtype, v.dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_order_of_floats(dtype):
    x = np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, 1.5, -2], dtype)
    result = lb.sort(x)
    np.testing.assert_array_equal(result, [-np.inf, -2, -0.0, 0.0, 1.5, np.inf, np.nan])
    assert np.signbit(result).tolist() == [True, True, True, False, False, False, False]
    np.testing.assert_array_equal(lb.sort(x, descending=True), result[::-1])


@pytest.mark.parametrize("dtype", ["float16", "complex64", "complex128", "M8[s]", "S3", "i4,f8", "O"])
def test_values_of_any_type(layout, dtype):
    keys = numbers("float16", 1000)
    values = np.arange(1000).astype(dtype)
    order = np.argsort(keys, kind="stable")
    by_key, moved = lb.sort_pairs(layout(keys), values[::-1].copy()[::-1])
    np.testing.assert_array_equal(by_key, keys[order])
    np.testing.assert_array_equal(moved, values[order])
    assert by_key.dtype == keys.dtype and moved.dtype == values.dtype


@pytest.mark.parametrize("shape", [(30, 40), (5, 6, 7), (3, 0), (0, 3), (2, 70_000)])
def test_axes_and_layouts(layout, shape):
    plain = numbers("int32", shape)
    x = layout(plain)
    for axis in range(-len(shape), len(shape)):
        np.testing.assert_array_equal(lb.sort(x, axis=axis), np.sort(plain, axis=axis))
        np.testing.assert_array_equal(
            lb.argsort(x, axis=axis), np.argsort(plain, axis=axis, kind="stable")
        )
    np.testing.assert_array_equal(x, plain)


@given(
    hnp.arrays(
        st.sampled_from(["i1", "u4", "i8", "f4"]),
        hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=20),
        elements=st.integers(0, 100),
    )
)
def test_any_shape(x):
    for axis in range(x.ndim):
        np.testing.assert_array_equal(lb.sort(x, axis=axis), np.sort(x, axis=axis))
        np.testing.assert_array_equal(lb.argsort(x, axis=axis), np.argsort(x, axis=axis, kind="stable"))


def test_wrong_arguments():
    with pytest.raises(ValueError, match="0 dimensions"):
        lb.sort(3)
    with pytest.raises(TypeError, match="complex128"):
        lb.sort([1j])
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(1,\)"):
        lb.sort_pairs([1, 2], [1])
    with pytest.raises(IndexError):
        lb.sort([1], axis=1)
