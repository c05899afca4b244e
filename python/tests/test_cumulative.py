"""Cumulative sums, products, minima and maxima, compared with NumPy's."""

import numpy as np
import pytest
from conftest import FLOATS, INTEGERS, NUMBERS, numbers
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lookback as lb
from lookback import _frames

SIZES = [0, 1, 2, 10, 63, 64, 65, 1000, 4097, 100_003]


def check(result, expected):
    assert type(result) is np.ndarray
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", [*NUMBERS, "bool"])
def test_sizes_and_types(dtype, n):
    x = numbers(dtype, n)
    check(lb.cumulative_sum(x), np.cumsum(x))
    signs = numbers(dtype, n, low=-1 if x.dtype.kind in "if" else 0, high=2)
    check(lb.cumulative_prod(signs), np.cumprod(signs))
    check(lb.cumulative_max(x), np.maximum.accumulate(x))
    check(lb.cumulative_min(x), np.minimum.accumulate(x))


@pytest.mark.parametrize("shape", [(7, 300, 5), (1, 1, 1), (3, 0, 2), (0, 4, 4), (300, 2, 300)])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64"])
def test_axes_and_layouts(layout, dtype, axis, shape):
    plain = numbers(dtype, shape)
    x = layout(plain)
    check(lb.cumulative_sum(x, axis=axis), np.cumsum(plain, axis=axis))
    check(lb.cumulative_max(x, axis=axis), np.maximum.accumulate(plain, axis=axis))
    check(lb.cumulative_min(x, axis=axis), np.minimum.accumulate(plain, axis=axis))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_lines_in_layouts(layout, dtype):
    plain = numbers(dtype, 5000)
    x = layout(plain)
    before = x.copy()
    check(lb.cumulative_sum(x), np.cumsum(plain))
    check(lb.cumulative_max(x), np.maximum.accumulate(plain))
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("op", ["sum", "product", "min", "max", "and", "or", "xor"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["int32", "uint8"])
def test_scan_along_axes(op, axis, reverse, dtype):
    x = numbers(dtype, (5, 70, 6), low=0, high=3)
    ufunc = {
        "sum": np.add,
        "product": np.multiply,
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }[op]
    turned = np.flip(x, axis) if reverse else x
    expected = ufunc.accumulate(turned, axis=axis, dtype=None)
    expected = np.flip(expected, axis) if reverse else expected
    result = lb.scan(x, op, axis=axis, reverse=reverse)
    np.testing.assert_array_equal(result, expected.astype(result.dtype))
    wide = x.astype(np.int64) if op in ("sum", "product") else x
    wide = np.flip(wide, axis) if reverse else wide
    whole = ufunc.accumulate(np.insert(wide, 0, 1, axis=axis), axis=axis)
    before = np.delete(whole, -1, axis=axis)
    after = np.delete(whole, 0, axis=axis)
    if reverse:
        before, after = np.flip(before, axis), np.flip(after, axis)
    exclusive = lb.exclusive_scan(x, op, init=1, axis=axis, reverse=reverse)
    np.testing.assert_array_equal(exclusive, before.astype(exclusive.dtype))
    inclusive = lb.scan(x, op, init=1, axis=axis, reverse=reverse)
    np.testing.assert_array_equal(inclusive, after.astype(inclusive.dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_wraps_around(dtype):
    limits = np.iinfo(dtype)
    x = np.array([limits.max, 1, limits.max, limits.min], dtype)
    check(lb.cumulative_sum(x, dtype=dtype), np.cumsum(x, dtype=dtype))
    check(lb.cumulative_prod(x, dtype=dtype), np.cumprod(x, dtype=dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats(dtype):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(300_000).astype(dtype)
    exact = np.cumsum(x.astype(np.longdouble))
    error = np.abs(lb.cumulative_sum(x) - exact).max()
    assert error <= np.abs(np.cumsum(x) - exact).max() + 1e-6
    again = lb.cumulative_sum(x)
    assert again.tobytes() == lb.cumulative_sum(x).tobytes()
    lb.set_num_threads(1)
    try:
        assert again.tobytes() == lb.cumulative_sum(x).tobytes()
    finally:
        lb.set_num_threads(0)
    x[1000] = np.nan
    for ours, theirs in ((lb.cumulative_max, np.maximum), (lb.cumulative_min, np.minimum)):
        np.testing.assert_array_equal(ours(x), theirs.accumulate(x))


def test_other_result_types():
    x = numbers("int16", (40, 30))
    for dtype in ("int16", "int32", "float32", "float64", "uint8"):
        check(lb.cumulative_sum(x, axis=0, dtype=dtype), np.cumsum(x, axis=0, dtype=dtype))
    check(
        lb.cumulative_sum(x[0].astype("f4"), dtype="f8"), np.cumsum(x[0].astype("f4"), dtype="f8")
    )
    half = numbers("float16", 500)
    check(lb.cumulative_sum(half), np.cumsum(half.astype("f4")).astype("f2"))
    check(lb.cumulative_max(half), np.maximum.accumulate(half))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [0, 1, 70, 100_003])
def test_complex(layout, dtype, n):
    plain = (numbers("f8", n) + 1j * numbers("f8", n, 1)).astype(dtype)
    z = layout(plain)
    check(lb.cumulative_sum(z), np.cumsum(plain))
    check(lb.scan(z, reverse=True), np.cumsum(plain[::-1])[::-1])
    check(lb.exclusive_scan(z, init=3j), np.append(3j, 3j + np.cumsum(plain))[:n].astype(dtype))
    # Products of 1, 1j, -1 and -1j are exact.
    turns = np.array([1, 1j, -1, -1j], dtype)[numbers("i4", n, low=0, high=4)]
    check(lb.cumulative_prod(layout(turns)), np.cumprod(turns))
    check(lb.cumulative_prod(turns, include_initial=True)[1:], np.cumprod(turns))
    check(lb.scan(turns, "product", reverse=True), np.cumprod(turns[::-1])[::-1])
    check(lb.scan(turns, "product", init=2j), 2j * np.cumprod(turns))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_complex_axes(layout, dtype, axis):
    plain = (numbers("f8", (7, 300, 5)) + 1j * numbers("f8", (7, 300, 5), 1)).astype(dtype)
    check(lb.cumulative_sum(layout(plain), axis=axis), np.cumsum(plain, axis=axis))
    reverse = np.flip(np.cumsum(np.flip(plain, axis), axis=axis), axis)
    check(lb.scan(layout(plain), axis=axis, reverse=True), reverse)
    turns = np.array([1, 1j, -1, -1j], dtype)[numbers("i4", plain.shape, low=0, high=4)]
    check(lb.cumulative_prod(layout(turns), axis=axis), np.cumprod(turns, axis=axis))
    room = turns.copy()
    assert lb.cumulative_prod(room, axis=axis, out=room) is room
    check(room, np.cumprod(turns, axis=axis))


def test_complex_products_are_near():
    rng = np.random.default_rng(0)
    for dtype, near in (("complex64", 1e-3), ("complex128", 1e-11)):
        z = np.exp(1j * rng.standard_normal(100_000)).astype(dtype)
        product = lb.cumulative_prod(z)
        np.testing.assert_allclose(product, np.cumprod(z.astype("c16")), rtol=near)
        lb.set_num_threads(1)
        assert product.tobytes() == lb.cumulative_prod(z).tobytes()
        lb.set_num_threads(0)
    with pytest.raises(TypeError, match="complex128"):
        lb.cumulative_max(z)
    with pytest.raises(TypeError, match="complex128"):
        lb.segment_sum(z, [0, z.size])


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32"])
@pytest.mark.parametrize("axis", [0, 1])
def test_include_initial(dtype, axis):
    x = numbers(dtype, (30, 40))
    shape = [1 if k == axis else n for k, n in enumerate(x.shape)]
    sums = np.cumsum(x, axis=axis)
    expected = np.concatenate([np.zeros(shape, sums.dtype), sums], axis=axis)
    check(lb.cumulative_sum(x, axis=axis, include_initial=True), expected)
    product = lb.cumulative_prod(x, axis=axis, include_initial=True)
    assert (np.take(product, 0, axis) == 1).all()
    line = x[0]
    check(lb.cumulative_sum(line, include_initial=True), np.append(0, np.cumsum(line)).astype(sums.dtype))


def test_out():
    x = numbers("int64", (50, 60))
    room = np.full_like(x, 77)
    assert lb.cumulative_sum(x, axis=1, out=room) is room
    check(room, np.cumsum(x, axis=1))
    part = np.full((50, 120), 7, np.int64)
    view = part[:, ::2]
    assert lb.cumulative_sum(x, axis=0, out=view) is view
    check(np.ascontiguousarray(view), np.cumsum(x, axis=0))
    assert (part[:, 1::2] == 7).all()
    same = x.copy()
    lb.cumulative_max(same, axis=0, out=same)
    check(same, np.maximum.accumulate(x, axis=0))
    line = np.arange(1000)
    shifted = line.copy()
    lb.cumulative_sum(shifted[:-1], out=shifted[1:])
    check(shifted[1:], np.cumsum(line[:-1]))
    with pytest.raises(ValueError, match=r"out has shape \(3,\); expected \(2,\)"):
        lb.cumulative_sum([1, 2], out=np.zeros(3, int))
    with pytest.raises(ValueError, match="cannot be written"):
        fixed = np.zeros(2, int)
        fixed.flags.writeable = False
        lb.cumulative_sum([1, 2], out=fixed)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="x has 2 dimensions; expected an axis"):
        lb.cumulative_sum([[1]])
    with pytest.raises(IndexError):  # NumPy's AxisError is an IndexError
        lb.cumulative_sum([1], axis=1)
    with pytest.raises(TypeError, match="x has dtype <U1; expected"):
        lb.cumulative_sum(["a"])
    with pytest.raises(TypeError, match="object"):
        lb.cumulative_sum([None])
    with pytest.raises(ValueError, match="op is 'mean'; expected one of 'sum'"):
        lb.scan([1], "mean")
    with pytest.raises(TypeError, match="bitwise"):
        lb.scan([1.0], "xor")
    with pytest.raises(TypeError, match="init is 'a'"):
        lb.scan([1], init="a")
    with pytest.raises(OverflowError, match="init is 300, which uint8 cannot hold"):
        lb.scan(np.array([1], "u1"), "max", init=300)
    with pytest.raises(TypeError, match="masked"):
        lb.cumulative_sum(np.ma.masked_array([1]))
    with pytest.raises(ValueError, match="threads"):
        lb.set_num_threads(-1)
    with pytest.raises(ValueError, match="both given"):
        lb.scan([1], by_key=[1], segments=[0, 1])
    with pytest.raises(ValueError, match="by_key has 2 items; expected 1"):
        lb.scan([1], by_key=[1, 2])
    with pytest.raises(ValueError, match="offsets decrease from 2 to 1, at 2"):
        lb.scan([1, 2, 3], segments=[0, 2, 1, 3])
    with pytest.raises(ValueError, match="offsets run from 0 to 2; expected 0 to .* 3"):
        lb.scan([1, 2, 3], segments=[0, 2])


def test_scalars_and_lists():
    check(lb.cumulative_sum(5), np.array([5]))
    check(lb.cumulative_sum([]), np.array([]))
    check(lb.cumulative_sum(np.float32(2)), np.array([2], "f4"))
    check(lb.cumulative_sum(memoryview(b"\1\2")), np.array([1, 3], "u8"))


@given(
    hnp.arrays(
        st.sampled_from(["i1", "u2", "i4", "i8", "f4"]),
        hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=9),
        elements=st.integers(0, 9),
    ),
    st.data(),
)
def test_any_view(x, data):
    axes = data.draw(st.permutations(range(x.ndim)))
    view = x.transpose(axes)
    view = view[tuple(data.draw(st.sampled_from([slice(None), slice(None, None, -1), slice(1, None, 2)])) for _ in axes)]
    axis = data.draw(st.integers(-view.ndim, view.ndim - 1))
    check(lb.cumulative_sum(view, axis=axis), np.cumsum(view, axis=axis))
    check(lb.cumulative_max(view, axis=axis), np.maximum.accumulate(view, axis=axis))
    reverse = lb.scan(view, axis=axis, reverse=True)
    check(reverse, np.flip(np.cumsum(np.flip(view, axis), axis=axis), axis))
    room = np.empty(view.shape, reverse.dtype)
    check(lb.cumulative_sum(view, axis=axis, out=room), np.cumsum(view, axis=axis))


def test_exclusive_scan_of_unaligned_items():
    x = np.zeros(81, np.uint8)[1:].view(np.int64)
    x[:] = np.arange(10)
    np.testing.assert_array_equal(lb.exclusive_scan(x), np.cumsum(np.arange(10)) - np.arange(10))


def test_bitwise_scans_of_one_item_that_is_read_only():
    x = np.arange(8, dtype=np.uint32).reshape(1, 8)
    x.flags.writeable = False
    np.testing.assert_array_equal(lb.scan(x, "xor", axis=0), x)


def test_numpy_arrays_do_not_ask_the_cuda_part(monkeypatch):
    """Once it is loaded, other arrays are shown to it first."""
    asked = []
    monkeypatch.setattr(_frames, "scan_tensor", lambda x, *_: asked.append(type(x)))
    for call in (lb.cumulative_sum, lb.cumulative_prod, lb.cumulative_max, lb.cumulative_min):
        check(call(np.arange(5)), call([0, 1, 2, 3, 4]))
    assert asked == [list] * 4
