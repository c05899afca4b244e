"""Scans: cumulative sums, products, minima and maxima, of whole arrays, along axes, of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import (
    Array,
    axis_of,
    checked_out,
    extents,
    finish,
    is_computed,
    line,
    plain,
    refused,
    room_in,
    taken,
)

# As in the table of compiled kernels.
OPERATIONS = {
    "sum": 0,
    "product": 1,
    "prod": 1,
    "min": 2,
    "max": 3,
    "and": 4,
    "or": 5,
    "xor": 6,
}
SUM, PRODUCT, MIN, MAX, AND, OR, XOR = range(7)


def operation_of(op: str) -> int:
    try:
        return OPERATIONS[op]
    except (KeyError, TypeError):
        names = ", ".join(repr(name) for name in OPERATIONS)
        raise ValueError(f"lookback: op is {op!r}; expected one of {names}") from None


def promoted(dtype: np.dtype, op: int) -> np.dtype:
    """What NumPy accumulates in: sums and products of narrow integers in the default integer."""
    if op in (SUM, PRODUCT) and dtype.kind in "biu" and dtype.itemsize < 8:
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return dtype


def result_dtype(a: np.ndarray, dtype: Any, op: int) -> np.dtype:
    result = promoted(a.dtype, op) if dtype is None else np.dtype(dtype)
    result = result.newbyteorder("=")
    is_pair = op == SUM and result.kind == "c" and result.itemsize <= 16
    if not (is_computed(result) or result.char == "e" or is_pair):
        raise refused(a if dtype is None else np.empty(0, result), "x")
    if result.kind in "fc" and op in (AND, OR, XOR):
        raise TypeError(f"lookback: no bitwise operation on {result}; expected integers or bool")
    if result.kind == "b" and op in (SUM, PRODUCT):
        raise TypeError("lookback: sums and products of bool are of integers: leave dtype out")
    return result


def identity(dtype: np.dtype, op: int) -> Any:
    if op in (SUM, OR, XOR):
        return dtype.type(0)
    if op == PRODUCT:
        return dtype.type(1)
    if op == AND:
        return dtype.type(True) if dtype.kind == "b" else np.invert(dtype.type(0))
    if dtype.kind == "f":
        return dtype.type(np.inf if op == MIN else -np.inf)
    if dtype.kind == "b":
        return dtype.type(op == MIN)
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if op == MIN else limits.min)


def _seed(init: Any, dtype: np.dtype) -> np.ndarray:
    """An initial value as an array of one item, in the type that is computed in."""
    value = np.asarray(taken(init, "init")[0])
    if value.size != 1 or not np.can_cast(value.dtype, dtype, "same_kind"):
        is_number = value.size == 1 and value.dtype.kind in "iub" and dtype.kind in "iu"
        if not is_number:
            raise TypeError(f"lookback: init is {init!r}; expected one number of {dtype}")
    number = value.reshape(-1)[0]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= int(number) <= limits.max:
            raise OverflowError(f"lookback: init is {number}, which {dtype} cannot hold")
    return np.full(1, number, dtype)


def _inclusive(a: np.ndarray, room: np.ndarray, axis: int, op: int, reverse: bool) -> None:
    """Scans `a` into `room`, an array in C order of the type that is computed in."""
    if room.dtype.kind == "c":
        part = room.dtype.type(0).real.dtype
        if a is not room:
            np.copyto(room, a, casting="unsafe")
        if reverse:
            room[...] = np.flip(room, axis)
        outer, length, inner = extents(room.shape, axis)
        numbers = room.reshape(-1).view(part)
        _core.scan_axis(numbers, numbers, op, outer, length, 2 * inner)
        if reverse:
            room[...] = np.flip(room, axis)
        return
    is_line = room.ndim == 1
    can_walk = a.flags.c_contiguous and a.flags.aligned and is_computed(a.dtype)
    if can_walk and is_line and op == SUM and not reverse and _core.sum_in(a, room):
        return
    if reverse and not is_line:
        a = np.flip(a, axis)
        can_walk = False
    if not can_walk or a.dtype != room.dtype:
        np.copyto(room, a, casting="unsafe")
        a = room
    if is_line:
        _core.scan(a, room, op, reverse, None)
    else:
        outer, length, inner = extents(room.shape, axis)
        if op in (AND, OR, XOR) and inner != 1:
            rows = np.ascontiguousarray(np.moveaxis(a, axis, -1))
            _core.scan_axis(rows, rows, op, outer * inner, length, 1)
            room[...] = np.moveaxis(rows, -1, axis)
        else:
            _core.scan_axis(a, room, op, outer, length, inner)
    if reverse and not is_line:
        room[...] = np.flip(room, axis).copy()


def accumulate(
    x: Array,
    op: int,
    axis: Any = None,
    dtype: Any = None,
    out: Array = None,
    before: Any = None,
    is_kept_before: bool = False,
    reverse: bool = False,
) -> Any:
    """All plain scans.

    `before`, where it is not None, comes before the first item; with `is_kept_before` the results
    begin with it and are one more, else they end before the last item's.
    """
    a, wrap = taken(x)
    if a.ndim == 0:
        a = a.reshape(1)
    if axis is None:
        if a.ndim > 1:
            raise ValueError(f"lookback: x has {a.ndim} dimensions; expected an axis to scan along")
        axis = 0
    axis = axis_of(axis, a.ndim)
    result = result_dtype(a, dtype, op)
    if out is None and a.ndim > 1 and a.flags.f_contiguous and not a.flags.c_contiguous:
        # In the order in which it lies.
        turned = accumulate(
            a.T, op, a.ndim - 1 - axis, dtype, None, before, is_kept_before, reverse
        )
        return wrap(turned.T)
    computed = np.dtype(np.float32) if result.char == "e" else result
    shape = list(a.shape)
    if before is not None and is_kept_before:
        shape[axis] += 1
    given = None if out is None else checked_out(out, tuple(shape))
    if given is not None and np.may_share_memory(given, a):
        is_same = given.shape == a.shape and given.strides == a.strides
        is_same = is_same and given.ctypes.data == a.ctypes.data and given.dtype == a.dtype
        if not is_same or before is not None:
            a = a.copy()
    room = room_in(given, computed)
    if room is None:
        room = np.empty(shape, computed)
    if room.size > 0:
        if before is None:
            _inclusive(a, room, axis, op, reverse)
        else:
            _after(a, room, axis, op, reverse, before, is_kept_before)
    if computed != result:
        room = room.astype(result)
    return finish(room, given, out, wrap)


def _after(
    a: np.ndarray,
    room: np.ndarray,
    axis: int,
    op: int,
    reverse: bool,
    before: Any,
    is_kept_before: bool,
) -> None:
    """A scan that begins with `before`: that in its place, and the items behind it."""

    def along(part: slice) -> tuple[slice, ...]:
        return (slice(None),) * axis + (part,)

    if reverse:
        first, others = along(slice(-1, None)), along(slice(None, -1))
        items = a if is_kept_before else a[along(slice(1, None))]
    else:
        first, others = along(slice(None, 1)), along(slice(1, None))
        items = a if is_kept_before else a[along(slice(None, -1))]
    room[first] = before
    line_of = room.ndim == 1 and items.dtype == room.dtype and room.dtype.kind != "c"
    if line_of and items.flags.c_contiguous and items.flags.aligned:
        _core.scan(items, room[others], op, reverse, np.full(1, before, room.dtype))
        return
    np.copyto(room[others], items, casting="unsafe")
    _inclusive(room, room, axis, op, reverse)


def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
    out: Array = None,
) -> Any:
    """Cumulative sum of the items along an axis.

    Parameters
    ----------
    x : array_like
        Numbers, bool or complex ones too. A NumPy array or whatever has DLPack or a buffer.
    axis : int, optional
        The axis to sum along. Needed where `x` has more dimensions than one.
    dtype : dtype, optional
        The type to sum in. By default that of `x`, but for integers narrower than 64 bits, which
        are summed in ``int64`` or, where they have no sign, ``uint64``.
    include_initial : bool, optional
        Whether the result begins with 0, and is one item longer.
    out : array, optional
        Where the result goes; it may be `x` itself.

    Returns
    -------
    array
        Of the kind of `x`: NumPy's, PyTorch's, ...

    Notes
    -----
    Sums of floats have the same bits in every run, for any number of threads. ``float16`` is summed
    in ``float32`` and rounded once. Items are read once and results written once, at any axis of an
    array that is contiguous; of others, and of those that another `dtype` is asked for, results are
    read once more.

    Examples
    --------
    >>> import numpy as np
    >>> import lookback as lb
    >>> lb.cumulative_sum(np.array([3, 1, 7, 0, 4], dtype=np.int8))
    array([ 3,  4, 11, 11, 15])
    >>> lb.cumulative_sum([[1.0, 2.0], [3.0, 4.0]], axis=0, include_initial=True)
    array([[0., 0.],
           [1., 2.],
           [4., 6.]])
    """
    if axis is None and dtype is None and out is None and not include_initial:
        result = _core.scan_plain(x, 0)
        if result is not None:
            return result
    return accumulate(x, SUM, axis, dtype, out, 0 if include_initial else None, True)


def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
    out: Array = None,
) -> Any:
    """Cumulative product of the items along an axis: as `cumulative_sum`, but for complex numbers.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_prod([1, 2, 3, 4])
    array([ 1,  2,  6, 24])
    """
    if axis is None and dtype is None and out is None and not include_initial:
        result = _core.scan_plain(x, 1)
        if result is not None:
            return result
    return accumulate(x, PRODUCT, axis, dtype, out, 1 if include_initial else None, True)


def cumulative_max(x: Array, /, *, axis: int | None = None, out: Array = None) -> Any:
    """The largest item so far, along an axis; NaN from the first NaN on.

    Of bools: whether any has been true.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_max([3, 1, 7, 0, 4])
    array([3, 3, 7, 7, 7])
    """
    if axis is None and out is None:
        result = _core.scan_plain(x, 3)
        if result is not None:
            return result
    return accumulate(x, MAX, axis, None, out)


def cumulative_min(x: Array, /, *, axis: int | None = None, out: Array = None) -> Any:
    """The smallest item so far, along an axis; NaN from the first NaN on.

    Of bools: whether all have been true.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_min([3, 1, 7, 0, 4])
    array([3, 1, 1, 0, 0])
    """
    if axis is None and out is None:
        result = _core.scan_plain(x, 2)
        if result is not None:
            return result
    return accumulate(x, MIN, axis, None, out)


def scan(
    x: Array,
    op: str = "sum",
    *,
    init: Any = None,
    axis: int | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    by_key: Array = None,
    segments: Array = None,
    dtype: Any = None,
    out: Array = None,
) -> Any:
    """Scan: each result is the fold of all items up to it, from `init`.

    Parameters
    ----------
    x : array_like
        Numbers.
    op : {'sum', 'product', 'min', 'max', 'and', 'or', 'xor'}
        What folds two items; ``'prod'`` is ``'product'``.
    init : number, optional
        What comes before the first item (of each segment).
    axis : int, optional
        The axis to scan along. Needed where `x` has more dimensions than one.
    exclusive : bool, optional
        Whether an item is left out of its own result, which then is the fold of those before it;
        the first one is `init`, or what leaves items as they are (0 in a sum).
    reverse : bool, optional
        Whether the scan runs from the last item to the first.
    by_key : array_like, optional
        As many keys as there are items: the scan begins anew wherever a key differs from the one
        before. For one dimension.
    segments : array_like of integers, optional
        Where segments begin, and the number of items: segment s is
        ``x[segments[s]:segments[s + 1]]`` (the row pointers of CSR). For one dimension.
    dtype, out
        As in `cumulative_sum`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.scan([3, 1, 7, 0, 4], "max", reverse=True)
    array([7, 7, 7, 4, 4])
    >>> lb.scan([1, 1, 1, 1, 1], by_key=[7, 7, 3, 3, 3])
    array([1, 2, 1, 2, 3])
    >>> lb.scan([1, 2, 3, 4], segments=[0, 1, 1, 4], init=10)
    array([11, 12, 15, 19])
    """
    number = operation_of(op)
    if by_key is not None or segments is not None:
        if axis is not None:
            raise ValueError("lookback: scans of segments have no axis; expected one dimension")
        return _segments(x, number, init, exclusive, reverse, by_key, segments, dtype, out)
    if not exclusive and init is None:
        return accumulate(x, number, axis, dtype, out, reverse=reverse)
    a, wrap = taken(x)
    result = result_dtype(a, dtype, number)
    computed = np.dtype(np.float32) if result.char == "e" else result
    before = identity(computed, number) if init is None else _seed(init, computed)[0]
    if exclusive:
        return accumulate(x, number, axis, dtype, out, before, False, reverse)
    # Behind `init`: the inclusive scan without its first (in reverse, last) result.
    more = accumulate(a, number, axis, dtype, None, before, True, reverse)
    at = axis_of(0 if axis is None else axis, max(a.ndim, 1))
    part = slice(None, -1) if reverse else slice(1, None)
    more = more[(slice(None),) * at + (part,)]
    given = None if out is None else checked_out(out, more.shape)
    return finish(more, given, out, wrap)


def exclusive_scan(
    x: Array,
    op: str = "sum",
    *,
    init: Any = None,
    axis: int | None = None,
    reverse: bool = False,
    by_key: Array = None,
    segments: Array = None,
    dtype: Any = None,
    out: Array = None,
) -> Any:
    """Exclusive scan: each result is the fold of all items before it. `scan` says the rest.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.exclusive_scan([3, 1, 7, 0, 4])
    array([ 0,  3,  4, 11, 11])
    >>> lb.exclusive_scan([3, 1, 7], "product", init=2)
    array([2, 6, 6])
    """
    return scan(
        x,
        op,
        init=init,
        axis=axis,
        exclusive=True,
        reverse=reverse,
        by_key=by_key,
        segments=segments,
        dtype=dtype,
        out=out,
    )


def heads_of(keys: np.ndarray) -> np.ndarray:
    """1 where a key differs from the one before, at the first too, else 0."""
    heads = np.empty(keys.size, np.uint8)
    _core.find_heads(keys, heads)
    return heads


def heads_at(offsets: np.ndarray, items: int) -> np.ndarray:
    heads = np.empty(items, np.uint8)
    _core.heads_of_offsets(offsets, heads)
    return heads


def offsets_of(segments: Array) -> np.ndarray:
    offsets = taken(segments, "segments")[0]
    if offsets.dtype.kind not in "iu":
        raise refused(offsets, "segments", "integers")
    if offsets.ndim != 1:
        raise ValueError(f"lookback: segments has {offsets.ndim} dimensions; expected 1")
    return plain(offsets.astype(np.int64, copy=False), "segments")


def widened(x: np.ndarray, dtype: Any, op: int, name: str = "x") -> tuple[np.ndarray, np.dtype]:
    """The items in the type that is computed in, and the type of the result."""
    if x.ndim != 1:
        raise ValueError(f"lookback: {name} has {x.ndim} dimensions; expected 1")
    result = result_dtype(x, dtype, op)
    if result.kind == "c":
        raise refused(x, name)
    computed = np.dtype(np.float32) if result.char == "e" else result
    if x.dtype != computed:
        return x.astype(computed, order="C"), result
    return plain(x, name), result


def _segments(
    x: Array,
    op: int,
    init: Any,
    exclusive: bool,
    reverse: bool,
    by_key: Array,
    segments: Array,
    dtype: Any,
    out: Array,
) -> Any:
    a, wrap = taken(x)
    a, result = widened(a, dtype, op)
    if by_key is not None:
        if segments is not None:
            raise ValueError("lookback: by_key and segments are both given; expected one of them")
        keys = line(taken(by_key, "by_key")[0], "by_key")
        if keys.size != a.size:
            raise ValueError(f"lookback: by_key has {keys.size} items; expected {a.size}, as x has")
        heads = heads_of(keys[::-1].copy() if reverse else keys)
    else:
        offsets = offsets_of(segments)
        if reverse:
            _core.check_offsets(offsets, a.size)
            offsets = np.ascontiguousarray(a.size - offsets[::-1])
        heads = heads_at(offsets, a.size)
    given = None if out is None else checked_out(out, a.shape)
    if reverse:
        a = a[::-1].copy()
    seed = None
    if init is not None:
        seed = _seed(init, a.dtype)
    elif exclusive:
        seed = np.full(1, identity(a.dtype, op), a.dtype)
    room = np.empty_like(a)
    _core.scan_segments(a, heads, room, op, exclusive, seed)
    if reverse:
        room = room[::-1].copy()
    if room.dtype != result:
        room = room.astype(result)
    return finish(room, given, out, wrap)
