"""Sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, axis_back, axis_last, axis_of, extents, is_computed, plain, taken
from ._frames import frame_of, on_gpu


def _rows(x: Array, axis: int) -> tuple[np.ndarray, Any, int, tuple[int, int, int], np.dtype]:
    """The array with the sorted axis last, and the type of its items."""
    a, wrap = taken(x)
    if a.ndim == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    axis = axis_of(axis, a.ndim)
    dtype = a.dtype.newbyteorder("=")
    if a.dtype.char == "e":
        a = a.astype(np.float32)
    a = plain(axis_last(a, axis), "x")
    return a, wrap, axis, extents(a.shape, a.ndim - 1), dtype


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The items along an axis, sorted.

    Parameters
    ----------
    x : array_like
        Numbers.
    axis : int, optional
    descending : bool, optional
    stable : bool, optional
        Whether equal items keep their order. They always do.

    Notes
    -----
    The order of floats is total: -0 comes before +0, and NaN comes last (`descending`: first).

    Examples
    --------
    >>> import lookback as lb
    >>> lb.sort([3, 1, 7, 0, 4])
    array([0, 1, 3, 4, 7])
    """
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_more").sort(frame, x, axis, bool(descending))
    rows, wrap, axis, (outer, width, _), dtype = _rows(x, axis)
    room = np.empty_like(rows)
    _core.sort(rows, room, outer, width, bool(descending))
    return wrap(axis_back(room, axis).astype(dtype, copy=False))


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The positions in `x` of the sorted items, along an axis. The arguments are those of `sort`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.argsort([3, 1, 7, 0, 4], descending=True)
    array([2, 4, 0, 1, 3])
    """
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_more").argsort(frame, x, axis, bool(descending))
    rows, wrap, axis, (outer, width, _), _ = _rows(x, axis)
    order = np.empty(rows.shape, np.int64)
    _core.argsort(rows, order, outer, width, bool(descending))
    return wrap(axis_back(order, axis))


def sorted_lexically(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Complex numbers sorted by their real, then their imaginary parts, and their old positions."""
    order = argsort(a.imag)
    order = order[argsort(a.real[order])]
    return a[order], order


def sort_pairs(keys: Array, values: Array, *, descending: bool = False) -> tuple[Any, Any]:
    """Sorted keys, and the values moved with their keys. Stable.

    Parameters
    ----------
    keys : array_like
        Numbers in one dimension.
    values : array_like
        As many items, of any type.
    descending : bool, optional

    Examples
    --------
    >>> import lookback as lb
    >>> lb.sort_pairs([3, 1, 2, 1], [10, 20, 30, 40])
    (array([1, 1, 2, 3]), array([20, 40, 30, 10]))
    """
    frame = frame_of(keys)
    if frame is not None:
        return on_gpu("_gpu_more").sort_pairs(frame, keys, values, bool(descending))
    names, wrap_keys = taken(keys, "keys")
    a, wrap = taken(values, "values")
    if names.ndim != 1 or a.shape != names.shape:
        raise ValueError(
            f"lookback: keys and values have shapes {names.shape} and {a.shape}; "
            "expected one dimension, as many of both"
        )
    key_type = names.dtype
    if key_type.char == "e":
        names = names.astype(np.float32)
    names = plain(names, "keys")
    value_type = a.dtype.newbyteorder("=")
    is_moved = is_computed(value_type)  # others are taken in the order of the keys
    moved = plain(a, "values") if is_moved else np.arange(a.size)
    keys_out, values_out = np.empty_like(names), np.empty_like(moved)
    _core.sort_pairs(names, moved, keys_out, values_out, bool(descending))
    if not is_moved:
        values_out = a[values_out].astype(value_type, copy=False)
    keys_out = keys_out.astype(key_type.newbyteorder("="), copy=False)
    return wrap_keys(keys_out), wrap(values_out)
