"""Scans of whole arrays along an axis, whatever their layout."""

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
    parts_of,
    room_in,
    taken,
)
from ._frames import frame_of, on_gpu
from ._operations import AND, OR, SUM, XOR, computed_in, result_dtype


def _inclusive(a: np.ndarray, room: np.ndarray, axis: int, op: int, reverse: bool) -> None:
    """Scans `a` into `room`, an array in C order of the type that is computed in."""
    if room.dtype.kind == "c":
        _inclusive_complex(a, room, axis, op, reverse)
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
            rows = np.array(np.moveaxis(a, axis, -1), order="C")
            _core.scan_axis(rows, rows, op, outer * inner, length, 1)
            room[...] = np.moveaxis(rows, -1, axis)
        else:
            _core.scan_axis(a, room, op, outer, length, inner)
    if reverse and not is_line:
        room[...] = np.flip(room, axis).copy()


def _inclusive_complex(a: np.ndarray, room: np.ndarray, axis: int, op: int, reverse: bool) -> None:
    """The same of complex numbers: sums are those of their parts, side by side."""
    if reverse or not (a.flags.c_contiguous and a.flags.aligned and a.dtype == room.dtype):
        np.copyto(room, np.flip(a, axis).copy() if reverse else a, casting="unsafe")
        a = room
    outer, length, inner = extents(room.shape, axis)
    items, results = parts_of(a), parts_of(room)
    if op == SUM:
        _core.scan_axis(items, results, op, outer, length, 2 * inner)
    else:
        _core.multiply_complex(items, results, outer, length, inner)
    if reverse:
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
    frame = frame_of(x)
    if frame is not None:
        return on_gpu().accumulate(
            frame, x, op, axis, dtype, out, before, is_kept_before, reverse
        )
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
    computed = computed_in(result)
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
