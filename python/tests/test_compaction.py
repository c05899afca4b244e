"""Selection, partition and runs, compared with NumPy's indexing."""

import numpy as np
import pytest
from conftest import NUMBERS, numbers
from hypothesis import given
from hypothesis import strategies as st

import lookback as lb


def check(result, expected):
    assert type(result) is np.ndarray
    assert result.dtype == expected.dtype
    assert result.base is None or result.base.size == result.size or result.base.base is None
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 1000, 70_001])
@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "float16", "complex64", "complex128", "M8[s]"])
def test_masks(dtype, n):
    x = numbers("int64", n).astype(dtype)
    rng = np.random.default_rng(n)
    for mask in (rng.random(n) < 0.5, rng.random(n) < 0.01, np.zeros(n, bool), np.ones(n, bool)):
        check(lb.select(x, mask), x[mask])
        check(lb.compress(mask, x), x[mask])
        wanted, rest = lb.partition(x, mask)
        check(wanted, x[mask])
        check(rest, x[~mask])


@pytest.mark.parametrize("n", [0, 1, 1000, 70_001])
@pytest.mark.parametrize("dtype", [*NUMBERS, "float16"])
def test_ranges(dtype, n):
    x = numbers(dtype, n)
    if x.dtype.kind == "f" and n > 2:
        x[::7] = np.nan
        x[1::50] = np.inf
        x[2::50] = -np.inf
    for low, high in ((3, 7), (-4.5, 5.5), (None, 3), (3, None), (None, None), (7, 3), (3, 3)):
        mask = ~np.isnan(x)
        if low is not None:
            mask &= x >= low
        if high is not None:
            mask &= x < high
        check(lb.select(x, where=(low, high)), x[mask])
        wanted, rest = lb.partition(x, where=(low, high))
        check(wanted, x[mask])
        check(rest, x[~mask])


@pytest.mark.parametrize("dtype", [*NUMBERS, "float16"])
def test_ends_of_ranges(dtype):
    if np.dtype(dtype).kind == "f":
        limits = np.finfo(dtype)
        x = np.array([-np.inf, limits.min, -0.0, 0.0, limits.tiny, limits.max, np.inf], dtype)
        ends = [-np.inf, float(limits.min), 0.0, float(limits.max), np.inf, 1e-320]
    else:
        limits = np.iinfo(dtype)
        x = np.array([limits.min, limits.min + 1, 5, limits.max - 1, limits.max], dtype)
        ends = [-np.inf, np.inf, limits.min - 1, int(limits.min), 5, 5.5, int(limits.max), 2**70]
    for low in ends:
        for high in ends:
            expected = [v for v in x.tolist() if low <= v < high]
            assert lb.select(x, where=(low, high)).tolist() == expected, (low, high)


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 70_001])
@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "float16", "complex64", "complex128"])
def test_runs(dtype, n):
    x = np.sort(numbers("int8", n)) if n != 1000 else numbers("int8", n)
    x = x.astype(dtype)
    if x.dtype.kind == "c":  # runs that only the imaginary parts tell from each other, too
        x.imag = np.arange(n) // 30
    first = np.ones(n, bool)
    first[1:] = x[1:] != x[:-1]
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, n))
    check(lb.unique_consecutive(x), x[starts])
    values, inverse, counts = lb.unique_consecutive(x, return_inverse=True, return_counts=True)
    check(values, x[starts])
    check(counts, lengths)
    check(inverse, np.cumsum(first) - 1)
    runs = lb.run_length_encode(x)
    check(runs.values, x[starts])
    check(runs.lengths, lengths)


def test_nan_is_a_run():
    x = np.array([np.nan, np.nan, 0.0, -0.0])
    for kind in ("f2", "f4", "f8", "c8", "c16"):
        assert lb.run_length_encode(x.astype(kind)).lengths.tolist() == [1, 1, 2]
    assert lb.run_length_encode(np.array([complex(0, np.nan)] * 2)).lengths.tolist() == [1, 1]


def test_layouts(layout):
    plain = numbers("uint16", 5000)
    mask = numbers("bool", 5000)
    x = layout(plain)
    np.testing.assert_array_equal(lb.select(x, layout(mask)), plain[mask])
    np.testing.assert_array_equal(lb.select(x, where=(3, 9)), plain[(plain >= 3) & (plain < 9)])
    np.testing.assert_array_equal(
        lb.unique_consecutive(layout(np.sort(plain))), np.unique(plain)
    )


@given(st.lists(st.integers(-3, 3)), st.integers(-4, 4), st.integers(-4, 4))
def test_any_range(items, low, high):
    x = np.array(items, np.int8)
    wanted, rest = lb.partition(x, where=(low, high))
    assert wanted.tolist() == [v for v in items if low <= v < high]
    assert rest.tolist() == [v for v in items if not low <= v < high]


def test_wrong_arguments():
    with pytest.raises(ValueError, match="expected a mask"):
        lb.select([1])
    with pytest.raises(ValueError, match="both given"):
        lb.select([1], [True], where=(0, 1))
    with pytest.raises(TypeError, match="mask has dtype int64; expected bool"):
        lb.select([1], np.array([1]))
    with pytest.raises(ValueError, match="mask has 2 items; expected 1, as x has"):
        lb.select([1], [True, False])
    with pytest.raises(ValueError, match=r"where is 3; expected \(lo, hi\)"):
        lb.select([1], where=3)
    with pytest.raises(ValueError, match="expected numbers, or None"):
        lb.select([1], where=(np.nan, 3))
    with pytest.raises(TypeError, match="which where"):
        lb.select(np.array([1], "c8"), where=(0, 1))
    with pytest.raises(ValueError, match="x has 2 dimensions; expected 1"):
        lb.unique_consecutive([[1]])
    with pytest.raises(TypeError, match="x has dtype <U1"):
        lb.select(np.array(["a"]), [True])
    with pytest.raises(TypeError, match="mask has dtype float64; expected bool"):
        lb.select([1], np.array([[1.0]]))


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_ends_beyond_what_doubles_hold(dtype):
    x = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3], dtype)
    ends = dtype(2**60 + 1), dtype(2**60 + 3)
    np.testing.assert_array_equal(lb.select(x, where=ends), x[1:3])
    highest = np.array([np.iinfo(dtype).max, 5], dtype)
    np.testing.assert_array_equal(lb.select(highest, where=(highest[0], None)), highest[:1])
