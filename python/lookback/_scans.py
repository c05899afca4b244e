"""Scans as users call them: cumulative sums, products, minima and maxima, and any scan."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _frames
from ._accumulate import accumulate
from ._arrays import Array, axis_of, checked_out, finish, taken
from ._frames import frame_of, on_gpu
from ._operations import (
    MAX,
    MIN,
    PRODUCT,
    SUM,
    computed_in,
    identity,
    operation_of,
    result_dtype,
    seed_of,
)
from ._segment_scans import scan_segments


def _of_tensor(x: Any, op: int, axis: Any, dtype: Any, out: Any) -> Any:
    """The scan of a tensor on a GPU without further Python code, or None."""
    if dtype is not None and dtype is not getattr(x, "dtype", None):
        return None
    return _frames.scan_tensor(x, op, axis, out, dtype is not None)


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
        Numbers, which may be bool or complex. A NumPy array, or any object with DLPack or a buffer.
    axis : int, optional
        The axis to sum along. Needed if `x` has more than one dimension.
    dtype : dtype, optional
        The type to sum in. The default is the type of `x`; integers narrower than 64 bits are
        summed in ``int64``, or in ``uint64`` if they have no sign.
    include_initial : bool, optional
        Whether the result begins with 0, and is one item longer.
    out : array, optional
        Where the result goes; it may be `x` itself.

    Returns
    -------
    array
        An array of the same kind as `x`: of NumPy, PyTorch, ...

    Notes
    -----
    Sums of floats have the same bits in every run, for any number of threads. ``float16`` is summed
    in ``float32`` and rounded once. Items are read once and results are written once, along any
    axis of a contiguous array. For other arrays, and if `dtype` is another type, results are read
    once more.

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
    if _frames.scan_tensor and type(x) is not np.ndarray and not include_initial:
        result = _of_tensor(x, SUM, axis, dtype, out)
        if result is not None:
            return result
    if not include_initial:
        result = _core.scan_plain(x, SUM, axis, dtype, out)
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
    """Cumulative product of the items along an axis. The arguments are those of `cumulative_sum`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_prod([1, 2, 3, 4])
    array([ 1,  2,  6, 24])
    """
    if _frames.scan_tensor and type(x) is not np.ndarray and not include_initial:
        result = _of_tensor(x, PRODUCT, axis, dtype, out)
        if result is not None:
            return result
    if not include_initial:
        result = _core.scan_plain(x, PRODUCT, axis, dtype, out)
        if result is not None:
            return result
    return accumulate(x, PRODUCT, axis, dtype, out, 1 if include_initial else None, True)


def cumulative_max(x: Array, /, *, axis: int | None = None, out: Array = None) -> Any:
    """The largest item so far, along an axis; NaN from the first NaN on.

    For bools: whether any item so far is true.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_max([3, 1, 7, 0, 4])
    array([3, 3, 7, 7, 7])
    """
    if _frames.scan_tensor and type(x) is not np.ndarray:
        result = _of_tensor(x, MAX, axis, None, out)
        if result is not None:
            return result
    result = _core.scan_plain(x, MAX, axis, None, out)
    if result is not None:
        return result
    return accumulate(x, MAX, axis, None, out)


def cumulative_min(x: Array, /, *, axis: int | None = None, out: Array = None) -> Any:
    """The smallest item so far, along an axis; NaN from the first NaN on.

    For bools: whether all items so far are true.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.cumulative_min([3, 1, 7, 0, 4])
    array([3, 1, 1, 0, 0])
    """
    if _frames.scan_tensor and type(x) is not np.ndarray:
        result = _of_tensor(x, MIN, axis, None, out)
        if result is not None:
            return result
    result = _core.scan_plain(x, MIN, axis, None, out)
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
        The operator that folds two items; ``'prod'`` is ``'product'``.
    init : number, optional
        The value before the first item (of each segment).
    axis : int, optional
        The axis to scan along. Needed if `x` has more than one dimension.
    exclusive : bool, optional
        Whether an item is left out of its own result, which then is the fold of the items before
        it. The first result is `init`, or the operator's identity (0 for sums).
    reverse : bool, optional
        Whether the scan runs from the last item to the first.
    by_key : array_like, optional
        A key for each item: the scan begins anew wherever a key differs from the one before. For
        one dimension.
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
        return scan_segments(x, number, init, exclusive, reverse, by_key, segments, dtype, out)
    if not exclusive and init is None:
        result = None if reverse else _core.scan_plain(x, number, axis, dtype, out)
        if result is not None:
            return result
        return accumulate(x, number, axis, dtype, out, reverse=reverse)
    frame = frame_of(x)
    if frame is not None:
        return on_gpu().scan(frame, x, number, init, axis, exclusive, reverse, dtype, out)
    a, wrap = taken(x)
    result = result_dtype(a, dtype, number)
    computed = computed_in(result)
    before = identity(computed, number) if init is None else seed_of(init, computed)[0]
    if exclusive:
        return accumulate(x, number, axis, dtype, out, before, False, reverse)
    # Scans with `init` as the first item, and drops the first result (in reverse, the last).
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
    """Exclusive scan: each result is the fold of all items before it. See `scan` for the arguments.

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
