"""Scans and folds of segments and runs of arrays on GPUs, bitwise scans, and partition, compared
with the CPU's."""

import numpy as np
import pytest
from gpu_arrays import TYPES, needs_gpu, numbers, on, same  # noqa: F401

import lookback as lb

pytestmark = needs_gpu
OPS = ["sum", "product", "min", "max", "and", "or", "xor"]
SIZES = [(0, 3), (1, 1), (1000, 30), (20_003, 2), (300_001, 9000), (50, 1000)]


def is_bitwise(op):
    return op in OPS[4:]


def exact(dtype, size, op):
    """Numbers whose folds are exact; for products they are 1 and -1."""
    if op != "product" or dtype == "bool":
        return numbers(dtype, size, 100 if "int" in dtype else 5)
    a = np.where(np.arange(size) % 7 == 0, -1, 1)
    return (a if dtype[0] != "u" else np.abs(a)).astype(dtype)


def offsets_of(size, number):
    offsets = np.sort(np.random.default_rng(2).integers(0, size + 1, number + 1))
    offsets[0], offsets[-1] = 0, size
    return offsets


@pytest.mark.parametrize("dtype", [*TYPES, "uint64"])
@pytest.mark.parametrize("op", OPS)
def test_segments(on, dtype, op):
    if is_bitwise(op) and "float" in dtype:
        with pytest.raises(TypeError, match="no bitwise operation"):
            lb.segment_reduce(on.there(numbers(dtype, 10)), [0, 10], op)
        return
    for size, number in SIZES:
        a = exact(dtype, size, op)
        offsets = offsets_of(size, number)
        x = on.there(a)
        folds = on.here(lb.segment_reduce(x, on.there(offsets), op))
        same(folds, lb.segment_reduce(a, offsets, op))
        same(on.here(lb.segment_reduce(x, offsets.astype(np.int32), op)), folds)
        for how in ({}, {"reverse": True}, {"exclusive": True}):
            expected = lb.scan(a, op, segments=offsets, **how)
            same(on.here(lb.scan(x, op, segments=on.there(offsets), **how)), expected)
        expected = lb.scan(a, op, segments=offsets, init=True)
        same(on.here(lb.scan(x, op, segments=offsets, init=True)), expected)


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_unsigned_integers(on, dtype):
    """PyTorch compares few of them."""
    top = np.iinfo(dtype).max
    a = np.repeat(np.array([0, 1, 2, top // 2, top // 2 + 1, top - 1, top], dtype), [3, 1, 4, 1, 5, 2, 6])
    x = on.there(a)
    for ours, expected in zip(
        lb.unique_consecutive(x, return_inverse=True, return_counts=True),
        lb.unique_consecutive(a, return_inverse=True, return_counts=True),
    ):
        same(on.here(ours), expected)
    for where in ((1, int(top)), (None, 2**70), (top // 2 + 1, None), (1.5, 2.5), (5, 5), (-7, 1)):
        for ours, expected in zip(lb.partition(x, where=where), lb.partition(a, where=where)):
            same(on.here(ours), expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_ends_between_numbers(on, dtype):
    a = np.array([0.1, 0.7, np.nan, -0.0, 1, np.inf, -np.inf, 1e-40, 0, -np.nan, -1e-40, -2], dtype)
    x = on.there(a)
    for low in (None, 0.1, 0.7, 0, 1, np.inf, 1e-40, -1e-40, -0.0, -2):
        for high in (None, 0.1, 0.7, 0, 1 + 1e-12, np.inf, 1e-40, -1e-40, -2):
            wanted = [v for v in a.tolist() if v == v]
            wanted = [v for v in wanted if (low is None or v >= low) and (high is None or v < high)]
            got = on.here(lb.select(x, where=(low, high)))
            assert got.tolist() == wanted, (low, high)
    x = on.there(np.array([2**60, 2**60 + 1, 2**60 + 2]))
    assert on.here(lb.select(x, where=(2**60 + 1, None))).tolist() == [2**60 + 1, 2**60 + 2]
    assert on.here(lb.select(x, where=(0, float(2**60)))).tolist() == []


KEYS = ["bool", "uint8", "int16", "int32", "uint64", "float16", "float64"]


@pytest.mark.parametrize("dtype", KEYS)
@pytest.mark.parametrize("offset", [0, 1])
def test_runs(on, dtype, offset):
    rng = np.random.default_rng(3)
    for size in (0, 1, 5, 1000, 100_003):
        keys = np.repeat(rng.integers(0, 3, size + offset), 3)[: size + offset].astype(dtype)
        a = numbers("int32", size + offset, 100)
        there, x = on.there(keys)[offset:], on.there(a)[offset:]
        keys, a = keys[offset:], a[offset:]
        if dtype == "float16":  # the CPU has no runs of float16
            keys = keys.astype(np.float32)
        for op in ("sum", "min", "xor"):
            same(on.here(lb.scan(x, op, by_key=there)), lb.scan(a, op, by_key=keys))
            expected = lb.exclusive_scan(a, op, by_key=keys, init=7, reverse=True)
            same(on.here(lb.exclusive_scan(x, op, by_key=there, init=7, reverse=True)), expected)
            got, expected = lb.reduce_by_key(there, x, op), lb.reduce_by_key(keys, a, op)
            same(on.here(got.keys), expected.keys.astype(dtype))
            same(on.here(got.values), expected.values)


def test_what_runs_are_made_of(on):
    keys = np.array([0.0, -0.0, np.nan, np.nan, 1, 1], np.float32)
    counted = lb.scan(on.there(np.ones(6)), by_key=on.there(keys))
    same(on.here(counted), np.array([1.0, 2, 1, 1, 1, 2]))
    x = on.there(np.arange(6))
    with pytest.raises(ValueError, match="by_key has 5 items"):
        lb.scan(x, by_key=x[1:])
    with pytest.raises(ValueError, match="both given"):
        lb.scan(x, by_key=x, segments=[0, 6])
    with pytest.raises(ValueError, match="expected 0 to the number of items"):
        lb.scan(x, segments=[0, 7])
    room = on.there(np.zeros(6, np.int64))
    assert lb.scan(x, segments=[0, 3, 6], out=room) is room
    same(on.here(room), np.array([0, 1, 3, 3, 7, 12]))


def test_wrong_offsets_harm_nothing(on):
    for dtype in ("int64", "float32"):
        x = on.there(np.ones(1000, dtype))
        for offsets in ([5, 3, 2000], [-7, 10**9, 4, 4, 4, -(2**62)], [500, 1000, 1000], [0] * 9):
            lb.segment_sum(x, on.there(np.array(offsets)))
            lb.segment_max(x, on.there(np.array(offsets)))
            lb.scan(x, segments=on.there(np.array(offsets)))
        same(on.here(lb.segment_sum(x, [0, 1000])), np.full(1, 1000, dtype))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "int64", "uint64"])
@pytest.mark.parametrize("op", ["and", "or", "xor"])
def test_bitwise_scans(on, dtype, op):
    for shape in ((0,), (1,), (5000,), (70, 300), (3, 50, 7)):
        a = numbers(dtype, shape, 100)
        x = on.there(a)
        for axis in range(len(shape)):
            for how in ({}, {"exclusive": True}, {"init": True}, {"reverse": True}):
                expected = lb.scan(a, op, axis=axis, **how)
                same(on.here(lb.scan(x, op, axis=axis, **how)), expected)
    with pytest.raises(TypeError, match="no bitwise operation"):
        lb.scan(on.there(np.ones(3)), op)
    with pytest.raises(ValueError, match="expected an axis"):
        lb.exclusive_scan(on.there(np.ones((3, 3), int)), op)


@pytest.mark.parametrize("dtype", [*TYPES, "uint64"])
@pytest.mark.parametrize("offsets", [(0, 0), (1, 0), (0, 1), (3, 3), (1, 2)])
def test_masks(on, dtype, offsets):
    first, flag = offsets
    for size in (0, 1, 1000, 262_143, 262_144, 600_001):
        mask = np.random.default_rng(1).random(size + flag) < 0.3
        a = numbers(dtype, size + first)
        x, flags = on.there(a)[first:], on.there(mask)[flag:]
        a, mask = a[first:], mask[flag:]
        same(on.here(lb.select(x, flags)), a[mask])
        for ours, expected in zip(lb.partition(x, flags), (a[mask], a[~mask])):
            same(on.here(ours), expected)
        if dtype != "bool":
            is_in = (a >= 0) & (a < 3)
            for ours, expected in zip(lb.partition(x, where=(0, 3)), (a[is_in], a[~is_in])):
                same(on.here(ours), expected)
