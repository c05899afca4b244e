"""Views of arrays that hypothesis finds: negative steps, broadcast axes, no items, no dimensions.
Each function is compared with NumPy, and must not change its inputs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lookback as lb

NUMBERS = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", ">i2", ">f8"]
STEPS = [slice(None), slice(None, None, -1), slice(1, None, 2), slice(-1, None, -3), slice(0, 0)]


@st.composite
def views(draw, dtypes=NUMBERS, min_dims=0, max_dims=4):
    """A view of an array of small whole numbers: transposed, sliced, broadcast."""
    shape = draw(hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=0, max_side=7))
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    number = st.integers(0, 1 if dtype.kind == "b" else 5)
    x = draw(hnp.arrays(dtype, shape, elements=number.map(float) if dtype.kind == "f" else number))
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    x = x[(..., *(draw(st.sampled_from(STEPS)) for _ in range(x.ndim)))]
    if x.ndim < max_dims and draw(st.booleans()):
        x = np.broadcast_to(x, (draw(st.integers(0, 3)), *x.shape))
    if x.ndim > 0 and draw(st.booleans()):
        x = np.moveaxis(x, 0, -1)
    if not x.flags.writeable or draw(st.booleans()):
        x.flags.writeable = False
    return x


def same(ours, theirs):
    assert type(ours) is np.ndarray
    np.testing.assert_array_equal(ours, theirs)


def axis_of(data, x):
    return data.draw(st.integers(-x.ndim, x.ndim - 1))


@given(views(min_dims=1), st.data())
def test_scans(x, data):
    before = x.copy()
    axis = axis_of(data, x)
    same(lb.cumulative_sum(x, axis=axis), np.cumsum(x, axis=axis))
    same(lb.cumulative_prod(x, axis=axis, dtype="f8"), np.cumprod(x, axis=axis, dtype="f8"))
    same(lb.cumulative_max(x, axis=axis), np.maximum.accumulate(x, axis=axis))
    same(lb.cumulative_min(x, axis=axis), np.minimum.accumulate(x, axis=axis))
    sums = np.flip(np.cumsum(np.flip(x, axis), axis=axis), axis)
    same(lb.scan(x, axis=axis, reverse=True), sums)
    wide = x.astype("f8")
    same(lb.exclusive_scan(x, axis=axis, dtype="f8"), np.cumsum(wide, axis=axis) - wide)
    same(x, before)


@given(views(min_dims=1), st.data())
def test_scans_into_views(x, data):
    axis = axis_of(data, x)
    expected = np.cumsum(x, axis=axis)
    room = np.full([2 * n + 1 for n in x.shape], 7, expected.dtype)
    part = room[tuple(slice(1, None, 2) if data.draw(st.booleans()) else slice(n) for n in x.shape)]
    for k in range(x.ndim):
        if data.draw(st.booleans()):
            part = np.flip(part, k)
    outside = room.copy()
    assert lb.cumulative_sum(x, axis=axis, out=part) is part
    same(part.copy(), expected)
    part[...] = 7
    outside[...] = 7
    same(room, outside)


@given(views(dtypes=[d for d in NUMBERS if d != ">f8"], min_dims=1), st.data())
def test_sorts(x, data):
    axis = axis_of(data, x)
    same(lb.sort(x, axis=axis), np.sort(x, axis=axis))
    order = lb.argsort(x, axis=axis)
    same(order, np.argsort(x, axis=axis, kind="stable"))
    down = lb.argsort(x, axis=axis, descending=True)
    same(np.take_along_axis(x, down, axis), np.flip(np.sort(x, axis=axis), axis))


@given(views())
def test_unique(x):
    values, counts = np.unique(x, return_counts=True)
    same(lb.unique_values(x), values)
    same(lb.unique_counts(x).counts, counts)
    everything = lb.unique_all(x)
    assert everything.inverse_indices.shape == x.shape
    same(np.asarray(np.take(everything.values, everything.inverse_indices)), x)
    same(x.reshape(-1)[everything.indices], values)


@given(views(dtypes=[d for d in NUMBERS if d != "f2"], min_dims=1, max_dims=1), st.data())
def test_lines(x, data):
    x = x.reshape(-1)
    mask = data.draw(hnp.arrays(bool, 2 * x.size))[:: data.draw(st.sampled_from([2, -2]))]
    same(lb.select(x, mask), x[mask])
    wanted, others = lb.partition(x, mask)
    same(wanted, x[mask])
    same(others, x[~mask])
    if x.dtype.kind != "b":
        same(lb.select(x, where=(1, 4)), x[(x >= 1) & (x < 4)])
    heads = np.append(True, x[1:] != x[:-1])[: x.size]
    values, lengths = lb.run_length_encode(x)
    same(values, x[heads])
    same(np.repeat(values, lengths), x)
    first = np.flatnonzero(heads)
    sums = np.add.reduceat(x, first, dtype="f8") if x.size else np.empty(0)
    same(lb.reduce_by_key(x, x, dtype="f8").values, sums)
    cuts = np.sort(data.draw(hnp.arrays(np.int64, 3, elements=st.integers(0, x.size))))
    offsets = np.concatenate([[0], cuts, [x.size]])
    folds = [x[a:b].sum(dtype="f8") for a, b in zip(offsets[:-1], offsets[1:])]
    same(lb.segment_sum(x, offsets[::-1].copy()[::-1], dtype="f8"), folds)
    keys = np.searchsorted(cuts, np.arange(x.size), side="right")
    parts = [np.cumsum(x[a:b], dtype="f8") for a, b in zip(offsets[:-1], offsets[1:])]
    same(lb.scan(x, by_key=keys, dtype="f8"), np.concatenate(parts))


@given(views(dtypes=["f4", "f8", "F", "D"], min_dims=1), st.data())
def test_recurrences(x, data):
    axis = axis_of(data, x)
    moved = np.moveaxis(x, axis, 0)
    expected = np.zeros_like(moved)
    for i, row in enumerate(moved):
        expected[i] = (2 * expected[i - 1] if i > 0 else 0) + row
    for a in (2.0, np.broadcast_to(np.full(1, 2.0, x.dtype), x.shape)):
        same(lb.linear_recurrence(a, x, axis=axis), np.moveaxis(expected, 0, axis))


@given(views(dtypes=["u1", "i4", "f4", "f8"], min_dims=2))
def test_images(x):
    table = np.cumsum(np.cumsum(x, axis=-1), axis=-2)
    same(lb.summed_area_table(x), table)


@given(views(dtypes=[*NUMBERS, "F", "D"], max_dims=0))
def test_no_dimensions(x):
    x = x.reshape(())
    same(lb.cumulative_sum(x), np.cumsum(x))
    same(lb.cumulative_sum(x, axis=0), np.cumsum(x))
    room = np.empty(1, np.cumsum(x).dtype)
    assert lb.cumulative_sum(x[()], out=room) is room
