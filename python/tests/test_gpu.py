"""Scans of arrays on GPUs, compared with NumPy: arrays of PyTorch and CuPy, if installed."""

import numpy as np
import pytest
from gpu_arrays import TYPES, needs_gpu, numbers, on, same, sums_of  # noqa: F401
from test_coming_from import integers, rows

import lookback as lb
from lookback._frames import frame_of

pytestmark = needs_gpu
SIZES = [0, 1, 2, 10, 1000, 10_879, 10_881, 100_003, 1_000_001]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_lines(on, dtype, offset):
    for size in SIZES:
        a = numbers(dtype, size + offset)[offset:]
        x = on.there(numbers(dtype, size + offset))[offset:]
        same(on.here(lb.cumulative_sum(x)), sums_of(a))
        same(on.here(lb.cumulative_max(x)), np.maximum.accumulate(a) if size else a)
        same(on.here(lb.cumulative_min(x)), np.minimum.accumulate(a) if size else a)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(70, 300), (3, 50, 7), (4000, 2), (2, 4000), (1, 5), (5, 1)])
def test_axes(on, dtype, shape):
    a = numbers(dtype, shape)
    x = on.there(a)
    for axis in range(-len(shape), len(shape)):
        same(on.here(lb.cumulative_sum(x, axis=axis)), sums_of(a, axis))
        same(on.here(lb.cumulative_max(x, axis=axis)), np.maximum.accumulate(a, axis=axis))
        same(on.here(lb.cumulative_min(x, axis=axis)), np.minimum.accumulate(a, axis=axis))
        reverse = np.flip(sums_of(np.flip(a, axis), axis), axis)
        same(on.here(lb.scan(x, axis=axis, reverse=True)), reverse)
        exclusive = lb.exclusive_scan(a, "max", axis=axis)
        same(on.here(lb.exclusive_scan(x, "max", axis=axis)), exclusive)
        with_initial = lb.cumulative_sum(a, axis=axis, include_initial=True)
        same(on.here(lb.cumulative_sum(x, axis=axis, include_initial=True)), with_initial)
    for view in (x.T, x[::2], x[:, 1:]):
        there = on.here(view.copy() if hasattr(view, "copy") else view.clone())
        same(on.here(lb.cumulative_sum(view, axis=0)), sums_of(there, 0))


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
def test_products(on, dtype):
    for shape in ((5000,), (100_003,), (70, 300), (3, 50, 7)):
        places = np.arange(np.prod(shape)).reshape(shape)
        a = places != 4000 if dtype == "bool" else np.where(places % 7 == 0, -1, 1).astype(dtype)
        x = on.there(a)
        for axis in range(len(shape)):
            same(on.here(lb.cumulative_prod(x, axis=axis)), np.cumprod(a, axis=axis))
            if dtype != "bool":
                expected = np.cumprod(a, axis=axis, dtype=dtype)
                same(on.here(lb.cumulative_prod(x, axis=axis, dtype=dtype)), expected)


@pytest.mark.parametrize("dtype", ["int32", "uint32"])
def test_sums_in_32_bits(on, dtype):
    for shape in ((100_003,), (70, 300), (3, 50, 7)):
        a = np.full(shape, np.iinfo(dtype).max // 3 * 2, dtype)
        x = on.there(a)
        for axis in range(len(shape)):
            for how in ({}, {"exclusive": True}, {"init": 3}, {"reverse": True}):
                expected = lb.scan(a, axis=axis, dtype=dtype, **how)
                same(on.here(lb.scan(x, axis=axis, dtype=dtype, **how)), expected)
            sums = lb.cumulative_sum(a, axis=axis, dtype=dtype)
            same(on.here(lb.cumulative_sum(x, axis=axis, dtype=x.dtype)), sums)
            products = lb.cumulative_prod(a, axis=axis, dtype=dtype)
            same(on.here(lb.cumulative_prod(x, axis=axis, dtype=x.dtype)), products)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float32", "int32"])
def test_items_with_a_kernel_are_not_converted(on, dtype, monkeypatch):
    x = on.there(numbers(dtype, (30, 70)))
    frame, casts = frame_of(x), []
    cast = frame.cast
    monkeypatch.setattr(frame, "cast", lambda a, to: casts.append(to) or cast(a, to))
    for axis in (0, 1):
        for op in ("sum", "product", "min", "max"):
            lb.scan(x, op, axis=axis)
    if dtype == "int32":
        lb.cumulative_sum(x, axis=0, dtype=dtype)
    assert casts == []
    if dtype == "int32":
        lb.cumulative_prod(x, axis=0, dtype=dtype)
        assert casts == [dtype]  # the results


def test_out_and_dtype(on):
    a = numbers("float32", 10_000)
    x = on.there(a)
    room = on.there(np.zeros_like(a))
    assert lb.cumulative_sum(x, out=room) is room
    same(on.here(room), np.cumsum(a))
    wide = on.there(np.zeros(10_000))
    assert lb.cumulative_sum(x, out=wide) is wide
    same(on.here(wide), np.cumsum(a).astype(np.float64))
    assert lb.cumulative_sum(x, out=x) is x
    same(on.here(x), np.cumsum(a))
    x = on.there(a)
    same(on.here(lb.cumulative_sum(x, dtype=np.float64)), np.cumsum(a, dtype=np.float64))
    with pytest.raises(ValueError, match="out has shape"):
        lb.cumulative_sum(x, out=room[1:])
    with pytest.raises(ValueError, match="expected an axis"):
        lb.cumulative_sum(x.reshape(100, 100))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
def test_results_wrap_around_before_they_go_to_a_wider_output(on, dtype):
    a = np.full(4, np.iinfo(dtype).max // 3 * 2, dtype)
    for kind in ("uint64" if dtype[0] == "u" else "int64", "float64"):
        for op in ("sum", "product"):
            expected = np.zeros(4, kind)
            lb.scan(a, op, dtype=dtype, out=expected)
            room = on.there(np.zeros(4, kind))
            assert lb.scan(on.there(a), op, dtype=dtype, out=room) is room
            same(on.here(room), expected)


def test_initial_values(on):
    a = numbers("int64", 3000)
    x = on.there(a)
    for op in ("sum", "product", "max"):
        for reverse in (False, True):
            for ours in (lb.scan, lb.exclusive_scan):
                expected = ours(a, op, init=3, reverse=reverse)
                same(on.here(ours(x, op, init=3, reverse=reverse)), expected)


def test_forms_of_initial_values(on):
    for dtype in ("int8", "int64", "uint64", "float16", "float32", "complex64"):
        a = numbers(dtype, 300)
        x = on.there(a)
        for init in (True, 3, np.int8(3), [3], np.array([[3]], "uint8"), 3.0, 3j):
            given = np.asarray(init)
            kinds = [max(2, "buifc".index(kind)) for kind in (given.dtype.kind, np.dtype(dtype).kind)]
            if kinds[0] <= kinds[1]:
                for ours in (lb.scan, lb.exclusive_scan):
                    expected = ours(a, init=init)
                    same(on.here(ours(x, init=init)), expected)
                    same(on.here(ours(x, init=on.there(given))), expected)


@pytest.mark.parametrize(
    "dtype, init",
    [("int64", 1.5), ("uint8", -1), ("uint64", -1), ("int8", 300), ("float32", 1j)]
    + [("float16", "a"), ("float64", [1, 2]), ("uint64", np.nan)],
)
def test_wrong_initial_values(on, dtype, init):
    a = numbers(dtype, 30)
    x, offsets = on.there(a), [0, 10, 30]
    for op in ("sum", "min"):
        for ours in (lb.scan, lb.exclusive_scan):
            for how in ({}, {"segments": offsets}):
                with pytest.raises((TypeError, OverflowError)) as of_cpu:
                    ours(a, op, init=init, dtype=dtype, **how)
                with pytest.raises(of_cpu.type, match="lookback: init is"):
                    ours(x, op, init=init, dtype=dtype, **how)
    for there in (1.5, 1j, [1, 2]):
        if not (there == 1.5 and "float" in dtype):
            with pytest.raises(TypeError, match="init has dtype .* expected one number of"):
                lb.scan(x, init=on.there(np.asarray(there)), dtype=dtype)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "uint32", "uint64", "int8"])
def test_extrema_of_all_integers(on, dtype):
    a = numbers(dtype, (30, 70), 100)
    if dtype[0] == "u":
        a[::7] = np.iinfo(dtype).max
    x = on.there(a)
    for axis in (0, 1):
        for op in ("min", "max"):
            for how in ({}, {"exclusive": True}, {"init": True}, {"reverse": True}):
                expected = lb.scan(a, op, axis=axis, **how)
                same(on.here(lb.scan(x, op, axis=axis, **how)), expected)
                room = on.there(np.zeros_like(a))
                assert lb.scan(x, op, axis=axis, out=room, **how) is room
                same(on.here(room), expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_extrema_with_nan(on, dtype):
    a = numbers(dtype, (300, 70), 100)
    a[150, 35] = np.nan
    for shape in (a.shape, a.size):
        x = on.there(a.reshape(shape))
        for axis in range(x.ndim):
            expected = np.maximum.accumulate(a.reshape(shape), axis=axis)
            same(on.here(lb.cumulative_max(x, axis=axis)), expected)
            expected = np.minimum.accumulate(a.reshape(shape), axis=axis)
            same(on.here(lb.cumulative_min(x, axis=axis)), expected)


def test_bfloat16(on):
    if not hasattr(on, "torch"):
        pytest.skip("NumPy and CuPy have no bfloat16")
    for shape in (100_003, (300, 70), (3, 50, 7)):
        a = numbers("float32", shape, 100)
        signs = np.where(a % 7 == 0, -1, 1).astype("float32")
        for axis in range(a.ndim):
            for op, items in (("max", a), ("min", a), ("product", signs)):
                x = on.there(items).bfloat16()
                for how in ({}, {"exclusive": True}, {"init": 1}, {"reverse": True}):
                    found = lb.scan(x, op, axis=axis, **how)
                    assert found.dtype == x.dtype
                    same(on.here(found.float()), lb.scan(items, op, axis=axis, **how))


@pytest.mark.parametrize("dtype", ["bool", "uint16", "int8", "uint32", "uint64"])
def test_items_are_numbers_of_the_type_that_is_asked_for(on, dtype):
    a = numbers("int32", 300, 100)
    x, offsets = on.there(a), np.array([0, 7, 7, 300])
    for op in ("min", "max", "and") if dtype == "bool" else ("sum", "min", "max", "and"):
        for how in ({}, {"init": True}, {"exclusive": True}, {"segments": offsets}):
            same(on.here(lb.scan(x, op, dtype=dtype, **how)), lb.scan(a, op, dtype=dtype, **how))
        folds = lb.segment_reduce(a, offsets, op, dtype=dtype)
        same(on.here(lb.segment_reduce(x, offsets, op, dtype=dtype)), folds)


@pytest.mark.parametrize("numpys, ours", rows("python"))
def test_calls_beside_numpys(on, numpys, ours):
    """The right side of NumPy's table in docs/coming_from.md."""
    arrays = integers()
    there = {name: on.there(array) for name, array in arrays.items()}
    expected = eval(numpys, {"np": np, **arrays})
    np.testing.assert_array_equal(on.here(eval(ours, {"np": np, "lb": lb, **there})), expected)
