"""Sorts, linear recurrences and summed-area tables of arrays on GPUs."""

from __future__ import annotations

import math
from typing import Any

from ._arrays import axis_of
from ._frames import frame_of, of_any_frame
from ._gpu import SUM, TYPES, _cuda, checked_out, known, name_of, promoted
from ._gpu_kept import same_place

_SORTED = {name: "int32" for name in ("bool", "int8", "uint8", "int16", "uint16")}
_SORTED |= {"uint32": "int64", "float16": "float32", "bfloat16": "float32"}


def _sortable(frame: Any, x: Any, axis: int) -> tuple[Any, str, str]:
    """The items in a type that is sorted, that type, and theirs."""
    at = frame.resident(x)
    kind = known(at)
    axis_of(axis, len(at.shape))
    if len(at.shape) != 1:
        raise ValueError(f"lookback: x has {len(at.shape)} dimensions; on a GPU expected 1")
    computed = _SORTED.get(kind, kind)
    if computed == "uint64":
        raise TypeError("lookback: no sort of uint64 on a GPU")
    return frame.plain(x if computed == kind else frame.cast(x, computed)), computed, kind


@of_any_frame
def sort(frame: Any, x: Any, axis: int, descending: bool) -> Any:
    x, computed, kind = _sortable(frame, x, axis)
    at = frame.resident(x)
    out = frame.empty(at.shape, computed, x)
    if at.shape[0] > 0:
        address = frame.resident(out).address
        stream = frame.stream(at)
        _cuda.sort(
            at.device, stream, TYPES[computed], at.address, at.shape[0], address, descending
        )
    return out if computed == kind else frame.cast(out, kind)


@of_any_frame
def argsort(frame: Any, x: Any, axis: int, descending: bool) -> Any:
    x, computed, _ = _sortable(frame, x, axis)
    at = frame.resident(x)
    order = frame.empty(at.shape, "int64", x)
    if at.shape[0] > 0:
        items = at.shape[0]
        room = frame.empty((_cuda.sort_order_room(items),), "uint8", x)
        _cuda.sort_order(
            at.device,
            frame.stream(at),
            TYPES[computed],
            at.address,
            items,
            frame.resident(order).address,
            descending,
            frame.resident(room).address,
        )
    return order


def _broadcast(frame: Any, a: Any, x: Any, dtype: str) -> Any:
    """Factors in the shape of x, which they are read in."""
    at = frame.resident(x)
    if frame_of(a) is not None:
        same_place(frame, a, "a", at)
        if frame.resident(a).shape == at.shape and frame.resident(a).dtype == dtype:
            return a
    else:
        a = frame.asarray(a, x)
    wide = frame.empty(at.shape, dtype, x)
    try:
        wide[...] = a
    except (ValueError, RuntimeError):
        raise ValueError(
            f"lookback: a has shape {tuple(a.shape)}; expected one that broadcasts to "
            f"{at.shape}, which x has"
        ) from None
    return wide


@of_any_frame
def linear_recurrence(frame: Any, a: Any, x: Any, init: Any, axis: int, out: Any) -> Any:
    at = frame.resident(x)
    kind = known(at)
    shape = at.shape
    if len(shape) == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    axis = axis_of(axis, len(shape))
    is_double = kind not in ("float32", "float16", "bfloat16")
    if frame_of(a) is not None:
        is_double |= known(frame.resident(a), "a") not in ("float32", "float16", "bfloat16")
    computed = "float64" if is_double else "float32"
    if kind != computed:
        x = frame.cast(x, computed)
    factors = _broadcast(frame, a, x, computed)
    if axis != len(shape) - 1:
        x, factors = frame.last(x, axis), frame.last(factors, axis)
    x, factors = frame.plain(x), frame.plain(factors)
    at = frame.resident(x)
    if init is not None:
        # The first item of each row, after what came before.
        x = frame.copy(x)
        at = frame.resident(x)
        x[..., 0] += factors[..., 0] * (init if frame_of(init) else frame.asarray(init, x))
    is_there = False
    if out is not None:
        given = checked_out(frame, out, shape, at.device)
        is_there = given.is_plain and given.dtype == computed and axis == len(shape) - 1
    y = out if is_there else frame.empty(at.shape, computed, x)
    length = at.shape[-1]
    if math.prod(at.shape) > 0:
        _cuda.linear_recurrence(
            at.device,
            frame.stream(at),
            TYPES[computed],
            frame.resident(factors).address,
            at.address,
            math.prod(at.shape) // length,
            length,
            frame.resident(y).address,
        )
    if is_there:
        return out
    if axis != len(shape) - 1:
        y = frame.back(y, axis)
    if out is None:
        return y
    frame.put(out, y)
    return out


_TABULATED = ("int32", "uint32", "int64", "uint64", "float32", "float64")


@of_any_frame
def summed_area_table(frame: Any, x: Any, dtype: Any) -> Any:
    at = frame.resident(x)
    known(at)
    result = promoted(at.dtype, SUM) if dtype is None else name_of(dtype, frame)
    if len(at.shape) < 2:
        raise ValueError(f"lookback: x has {len(at.shape)} dimensions; expected 2 or more")
    if result not in _TABULATED:
        raise TypeError(f"lookback: no summed-area table of {result} on a GPU")
    x = frame.plain(x if at.dtype == result else frame.cast(x, result))
    at = frame.resident(x)
    table = frame.empty(at.shape, result, x)
    height, width = at.shape[-2:]
    if math.prod(at.shape) > 0:
        images = math.prod(at.shape) // (height * width)
        address = frame.resident(table).address
        stream = frame.stream(at)
        _cuda.summed_area(
            at.device, stream, TYPES[result], at.address, images, height, width, address
        )
    return table
