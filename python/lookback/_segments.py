"""Folds of the segments of an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, taken
from ._frames import frame_of, on_gpu
from ._operations import operation_of
from ._segment_scans import offsets_of, widened


def segment_reduce(x: Array, segments: Array, op: str = "sum", *, dtype: Any = None) -> Any:
    """The fold of each segment.

    Parameters
    ----------
    x : array_like
        Numbers in one dimension.
    segments : array_like of integers
        Where segments begin, and the number of items: segment s is
        ``x[segments[s]:segments[s + 1]]`` (the row pointers of CSR).
    op : str, optional
        As in `scan`.
    dtype : dtype, optional
        The type to fold in. The default is that of `cumulative_sum`.

    Returns
    -------
    array
        One number for each segment. For an empty segment it is the operator's identity: 0 for sums,
        1 for products, the largest number (infinity) for minima, the smallest for maxima.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.segment_reduce([3, 1, 7, 0, 4], [0, 2, 2, 5], "max")
    array([                   3, -9223372036854775808,                    7])
    """
    number = operation_of(op)
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_segments").segment_reduce(frame, x, segments, number, dtype)
    a, wrap = taken(x)
    a, result = widened(a, dtype, number)
    offsets = offsets_of(segments)
    results = np.empty(max(offsets.size - 1, 0), a.dtype)
    _core.fold_segments(a, offsets, results, number)
    return wrap(results.astype(result, copy=False))


def segment_sum(x: Array, segments: Array, *, dtype: Any = None) -> Any:
    """The sum of each segment. See `segment_reduce`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.segment_sum([3, 1, 7, 0, 4], [0, 2, 2, 5])
    array([ 4,  0, 11])
    """
    return segment_reduce(x, segments, "sum", dtype=dtype)


def segment_prod(x: Array, segments: Array, *, dtype: Any = None) -> Any:
    """The product of each segment. See `segment_reduce`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.segment_prod([3, 1, 7, 0, 4], [0, 3, 3, 5])
    array([21,  1,  0])
    """
    return segment_reduce(x, segments, "product", dtype=dtype)


def segment_min(x: Array, segments: Array) -> Any:
    """The smallest item of each segment. See `segment_reduce`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.segment_min([3.0, 1.0, 7.0], [0, 2, 2, 3])
    array([ 1., inf,  7.])
    """
    return segment_reduce(x, segments, "min")


def segment_max(x: Array, segments: Array) -> Any:
    """The largest item of each segment. See `segment_reduce`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.segment_max([3.0, 1.0, 7.0], [0, 2, 2, 3])
    array([  3., -inf,   7.])
    """
    return segment_reduce(x, segments, "max")
