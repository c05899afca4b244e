"""Segments, by keys and by offsets, compared with loops over them."""

import numpy as np
import pytest
from conftest import NUMBERS, numbers
from hypothesis import given
from hypothesis import strategies as st

import lookback as lb

UFUNCS = {
    "sum": np.add,
    "product": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def cuts(n, seed, mean=7):
    """Offsets of segments, some of them empty."""
    rng = np.random.default_rng(seed)
    inner = np.sort(rng.integers(0, n + 1, max(0, n // mean)))
    return np.concatenate([[0], inner, [n]])


def keys_of(offsets):
    return np.repeat(np.arange(offsets.size - 1), np.diff(offsets))


def expected_scan(x, offsets, ufunc, init, exclusive, reverse):
    parts = []
    for first, last in zip(offsets, offsets[1:]):
        items = x[first:last]
        items = items[::-1] if reverse else items
        if init is not None:
            items = np.append(np.array([init], x.dtype), items)
        folds = ufunc.accumulate(items)
        if init is not None:
            folds = folds[:-1] if exclusive else folds[1:]
        parts.append(folds[::-1] if reverse else folds)
    return np.concatenate(parts).astype(x.dtype)


@pytest.mark.parametrize("n", [1, 10, 5000, 200_000])
@pytest.mark.parametrize("op", ["sum", "max"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_scans(dtype, reverse, op, n):
    if n == 200_000 and dtype not in ("int64", "float32"):
        pytest.skip("large arrays of two types")
    x = numbers(dtype, n)
    offsets = cuts(n, n, 7 if n < 200_000 else 500)
    keys = keys_of(offsets) % 5  # equal neighbours only if empty segments lie between
    runs = np.flatnonzero(np.diff(keys, prepend=-1))
    runs = np.append(runs, n)
    wide = lb.scan(x[:1], op).dtype
    for init, exclusive in ((None, False), (3, False), (3, True)):
        options = {"init": init, "exclusive": exclusive, "reverse": reverse}
        by_offsets = lb.scan(x, op, segments=offsets, **options)
        assert by_offsets.dtype == wide
        expected = expected_scan(x.astype(wide), offsets, UFUNCS[op], init, exclusive, reverse)
        np.testing.assert_array_equal(by_offsets, expected)
        by_key = lb.scan(x, op, by_key=keys, **options)
        expected = expected_scan(x.astype(wide), runs, UFUNCS[op], init, exclusive, reverse)
        np.testing.assert_array_equal(by_key, expected)


def test_exclusive_begins_with_identity():
    x = np.array([5, 6, 7])
    assert lb.exclusive_scan(x, segments=[0, 1, 3]).tolist() == [0, 0, 6]
    assert lb.exclusive_scan(x, "product", segments=[0, 1, 3]).tolist() == [1, 1, 6]
    assert lb.exclusive_scan(x.astype("f4"), "max", by_key=[1, 1, 2]).tolist() == [-np.inf, 5, -np.inf]
    assert lb.exclusive_scan(x.astype("u1"), "min", by_key=[1, 1, 2]).tolist() == [255, 5, 255]


@pytest.mark.parametrize("n", [0, 1, 10, 5000, 100_000])
@pytest.mark.parametrize("op", UFUNCS)
def test_reductions(op, n):
    x = numbers("int32", n, low=1, high=3)
    offsets = cuts(n, n)
    folds = lb.segment_reduce(x, offsets, op)
    wide = x.astype(folds.dtype)
    for s in np.random.default_rng(0).integers(0, offsets.size - 1, 200):
        part = wide[offsets[s] : offsets[s + 1]]
        if part.size:
            assert folds[s] == UFUNCS[op].reduce(part)
        else:
            assert folds[s] == lb.exclusive_scan(wide[:1] if n else np.ones(1, wide.dtype), op)[0]
    keys = keys_of(offsets)
    names, values = lb.reduce_by_key(keys, x, op)
    full = np.diff(offsets) > 0
    np.testing.assert_array_equal(names, np.flatnonzero(full))
    np.testing.assert_array_equal(values, folds[full])
    assert values.dtype == folds.dtype


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "float16", "float32", "float64"])
def test_sums_of_types(dtype):
    x = numbers(dtype, 3000)
    offsets = cuts(3000, 1)
    sums = lb.segment_sum(x, offsets)
    whole = np.append(0, np.cumsum(x.astype("f8")))
    np.testing.assert_array_equal(sums, np.diff(whole[offsets]))
    assert sums.dtype == (np.cumsum(x[:1]).dtype)
    assert lb.segment_prod([2, 3, 4], [0, 1, 3]).tolist() == [2, 12]
    assert lb.segment_min([2, 3, 4], [0, 1, 3]).tolist() == [2, 3]
    assert lb.segment_max([2, 3, 4], [0, 1, 3]).tolist() == [2, 4]


@pytest.mark.parametrize("op", UFUNCS)
def test_long_and_short_segments(op):
    """Both ways to fold segments give the same results."""
    x = numbers("int16", 200_000, low=1, high=3)
    offsets = np.array([0, 0, 3, 100_000, 100_000, 199_999, 200_000, 200_000])
    short = np.union1d(offsets, np.arange(0, 200_000, 60_000))
    for cut in (offsets, short):
        folds = lb.segment_reduce(x, cut, op, dtype="int64")
        for s, (first, last) in enumerate(zip(cut, cut[1:])):
            items = x[first:last].astype("i8")
            if items.size:
                assert folds[s] == UFUNCS[op].reduce(items)
            else:
                assert folds[s] == lb.exclusive_scan(np.ones(1, "i8"), op)[0]


def test_layouts(layout):
    plain = numbers("int16", 4000)
    keys = np.sort(numbers("int32", 4000, 3))
    np.testing.assert_array_equal(
        lb.scan(layout(plain), by_key=layout(keys)), lb.scan(plain, by_key=keys)
    )
    theirs, ours = lb.reduce_by_key(keys, plain), lb.reduce_by_key(layout(keys), layout(plain))
    np.testing.assert_array_equal(ours.keys, theirs.keys)
    np.testing.assert_array_equal(ours.values, theirs.values)
    assert theirs.values.sum() == plain.sum()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 5))), st.booleans())
def test_by_key_of_anything(pairs, reverse):
    keys = np.array([k for k, _ in pairs], np.int16)
    x = np.array([v for _, v in pairs], np.int64)
    result = lb.scan(x, by_key=keys, reverse=reverse)
    expected = x.copy()
    order = range(len(x) - 2, -1, -1) if reverse else range(1, len(x))
    for i in order:
        j = i + 1 if reverse else i - 1
        if keys[i] == keys[j]:
            expected[i] += expected[j]
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", ["float16", "complex64", "complex128"])
def test_keys_that_are_no_plain_numbers(layout, dtype):
    words = np.repeat(numbers("int8", 200, low=0, high=3), 3)
    keys, x = words.astype(dtype), numbers("int32", words.size)
    if keys.dtype.kind == "c":
        keys = (words // 2 + 1j * (words % 2)).astype(dtype)
    for reverse in (False, True):
        np.testing.assert_array_equal(
            lb.scan(x, by_key=layout(keys), reverse=reverse), lb.scan(x, by_key=words, reverse=reverse)
        )
    ours, theirs = lb.reduce_by_key(layout(keys), x), lb.reduce_by_key(words, x)
    np.testing.assert_array_equal(ours.values, theirs.values)
    np.testing.assert_array_equal(ours.keys, keys[np.append(True, words[1:] != words[:-1])])
    assert ours.keys.dtype == keys.dtype


def test_wrong_arguments():
    with pytest.raises(TypeError, match="segments has dtype float64; expected integers"):
        lb.segment_sum([1], [0.0, 1.0])
    with pytest.raises(ValueError, match="one more than there are segments"):
        lb.segment_sum([1], np.array([], int))
    with pytest.raises(ValueError, match="offsets decrease"):
        lb.segment_sum([1, 2], [0, 2, 1, 2])
    with pytest.raises(ValueError, match="offsets run from 1"):
        lb.segment_sum([1, 2], [1, 2])
    with pytest.raises(ValueError, match="values has 1 items; expected 2, as keys has"):
        lb.reduce_by_key([1, 2], [1])
    with pytest.raises(ValueError, match="x has 2 dimensions; expected 1"):
        lb.scan([[1]], by_key=[1])


def test_offsets_whose_differences_overflow():
    x = np.arange(10)
    wild = np.array([0, 1, -(2**63), -2, 10])
    for call in (lambda: lb.segment_sum(x, wild), lambda: lb.scan(x, segments=wild)):
        with pytest.raises(ValueError, match="offsets decrease from 1 to -9223372036854775808"):
            call()
