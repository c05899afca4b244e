"""Sorts and linear recurrences of arrays on GPUs."""

from __future__ import annotations

import math
from typing import Any

from ._arrays import axis_of
from ._frames import frame_of, of_any_frame
from ._gpu import _cuda, apart, checked_out
from ._gpu_compaction import same_place
from ._gpu_types import NARROW, SIGNED, SIZES, TYPES, WITH_COMPLEX, known, turned
from ._recurrence import check_broadcasts, numbers_in


def _sortable(frame: Any, x: Any, axis: int) -> tuple[Any, str, int]:
    """The items in a type that can be sorted, with `axis` last; their old type; the axis."""
    at = frame.resident(x)
    kind = known(at)
    if len(at.shape) == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    axis = axis_of(axis, len(at.shape))
    x = frame.plain(x if axis == len(at.shape) - 1 else frame.last(x, axis))
    if kind in SIGNED:
        return turned(frame, x, kind), kind, axis
    computed = NARROW.get(kind, kind)
    return x if computed == kind else frame.cast(x, computed), kind, axis


def _as_it_was(frame: Any, keys: Any, kind: str) -> Any:
    if kind in SIGNED:
        return frame.viewed(turned(frame, keys, kind), kind)
    return keys if frame.resident(keys).dtype == kind else frame.cast(keys, kind)


def _sorted_line(frame: Any, x: Any, descending: bool) -> Any:
    at = frame.resident(x)
    out = frame.empty(at.shape, at.dtype, x)
    address, stream = frame.resident(out).address, frame.stream(at)
    items, type_ = at.shape[0], TYPES[at.dtype]
    if items > 0:
        _cuda.sort(at.device, stream, type_, at.address, items, address, descending)
    return out


def _order_of_line(frame: Any, x: Any, descending: bool) -> Any:
    at = frame.resident(x)
    items = at.shape[0]
    order = frame.empty(at.shape, "int64", x)
    if items > 0:
        room = frame.empty((_cuda.sort_order_room(items),), "uint8", x)
        _cuda.sort_order(
            at.device,
            frame.stream(at),
            TYPES[at.dtype],
            at.address,
            items,
            frame.resident(order).address,
            descending,
            frame.resident(room).address,
        )
    return order


def _sort_rows(frame: Any, x: Any, sort_segments: Any, dtype: str, descending: bool) -> Any:
    at = frame.resident(x)
    length = at.shape[-1]
    rows = math.prod(at.shape) // length
    offsets = frame.multiples(length, rows + 1, x)
    out = frame.empty((rows * length,), dtype, x)
    sort_segments(
        at.device,
        frame.stream(at),
        TYPES[at.dtype],
        at.address,
        rows * length,
        frame.resident(offsets).address,
        rows,
        frame.resident(out).address,
        descending,
    )
    return out


def _is_one_line(shape: tuple[int, ...]) -> bool:
    return math.prod(shape) in (0, shape[-1])


@of_any_frame
def sort(frame: Any, x: Any, axis: int, descending: bool) -> Any:
    x, kind, axis = _sortable(frame, x, axis)
    at = frame.resident(x)
    shape = at.shape
    if _is_one_line(shape):
        out = _sorted_line(frame, x.reshape(-1), descending)
    else:
        out = _sort_rows(frame, x, _cuda.sort_segments, at.dtype, descending)
    out = _as_it_was(frame, out, kind).reshape(shape)
    return out if axis == len(shape) - 1 else frame.back(out, axis)


@of_any_frame
def argsort(frame: Any, x: Any, axis: int, descending: bool) -> Any:
    x, _, axis = _sortable(frame, x, axis)
    shape = frame.resident(x).shape
    if _is_one_line(shape):
        order = _order_of_line(frame, x.reshape(-1), descending)
    else:
        order = _sort_rows(frame, x, _cuda.sort_segments_order, "int64", descending)
        order %= shape[-1]
    order = order.reshape(shape)
    return order if axis == len(shape) - 1 else frame.back(order, axis)


@of_any_frame
def sort_pairs(frame: Any, keys: Any, values: Any, descending: bool) -> tuple[Any, Any]:
    at = frame.resident(keys)
    same_place(frame, values, "values", at)
    shape = frame.resident(values).shape
    if len(at.shape) != 1 or shape != at.shape:
        raise ValueError(
            f"lookback: keys and values have shapes {at.shape} and {shape}; "
            "expected one dimension, as many of both"
        )
    names, kind, _ = _sortable(frame, keys, 0)
    value_kind = known(frame.resident(values), "values")
    bits = frame.plain(values)
    bytes_of_value = SIZES[TYPES[value_kind]]
    if bytes_of_value < 4:
        bits = frame.cast(frame.viewed(bits, f"int{8 * bytes_of_value}"), "int32")
    at, of_values = frame.resident(names), frame.resident(bits)
    keys_out = frame.empty(shape, at.dtype, names)
    values_out = frame.empty(shape, of_values.dtype, names)
    _cuda.sort_pairs(
        at.device,
        frame.stream(at),
        TYPES[at.dtype],
        at.address,
        max(bytes_of_value, 4),
        of_values.address,
        shape[0],
        frame.resident(keys_out).address,
        frame.resident(values_out).address,
        descending,
    )
    if bytes_of_value < 4:
        values_out = frame.cast(values_out, f"int{8 * bytes_of_value}")
        values_out = frame.viewed(values_out, value_kind)
    return _as_it_was(frame, keys_out, kind), values_out


def _operand(frame: Any, given: Any, name: str, x: Any) -> tuple[Any, str]:
    """Factors or initial values as an array on the GPU, and the name of their type."""
    if frame_of(given) is not None:
        at = frame.resident(x)
        same_place(frame, given, name, at)
        return given, known(frame.resident(given), name, WITH_COMPLEX)
    here = numbers_in(given, name)[0]
    return frame.asarray(here, x), here.dtype.name


def _broadcast(frame: Any, a: Any, x: Any, dtype: str) -> Any:
    """The factors broadcast to the shape of x, in which kernels read them."""
    shape = frame.resident(x).shape
    its = frame.resident(a)
    if its.shape == shape and its.dtype == dtype:
        return a
    check_broadcasts(its.shape, shape, "a", ", which x has")
    wide = frame.empty(shape, dtype, x)
    wide[...] = a
    return wide


_SINGLE = ("float32", "float16", "bfloat16", "complex64")


@of_any_frame
def linear_recurrence(frame: Any, a: Any, x: Any, init: Any, axis: int, out: Any) -> Any:
    at = frame.resident(x)
    kind = known(at, types=WITH_COMPLEX)
    shape = at.shape
    if len(shape) == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    axis = axis_of(axis, len(shape))
    factors, kind_of_a = _operand(frame, a, "a", x)
    begin, kind_of_init = (None, "") if init is None else _operand(frame, init, "init", x)
    is_weak = type(a) in (int, float, complex)
    is_single = kind in _SINGLE and (is_weak or kind_of_a in _SINGLE)
    if any("complex" in name for name in (kind, kind_of_a, kind_of_init)):
        computed = "complex64" if is_single else "complex128"
    else:
        computed = "float32" if is_single else "float64"
    if kind != computed:
        x = frame.cast(x, computed)
    factors = _broadcast(frame, factors, x, computed)
    if axis != len(shape) - 1:
        x, factors = frame.last(x, axis), frame.last(factors, axis)
    x, factors = frame.plain(x), frame.plain(factors)
    at = frame.resident(x)
    if begin is not None:
        check_broadcasts(tuple(begin.shape), at.shape[:-1], "init")
        # The recurrence's first step, from `init`, goes into the first item of each row.
        if math.prod(at.shape) > 0:
            x = frame.copy(x)
            at = frame.resident(x)
            x[..., 0] += factors[..., 0] * frame.cast(begin, computed)
    is_there = False
    if out is not None:
        given = checked_out(frame, out, shape, at.device)
        is_there = given.is_plain and given.dtype == computed and axis == len(shape) - 1
        if is_there:
            x, factors = apart(frame, x, given), apart(frame, factors, given)
            at = frame.resident(x)
    y = out if is_there else frame.empty(at.shape, computed, x)
    length = at.shape[-1]
    if math.prod(at.shape) > 0:
        _cuda.linear_recurrence(
            at.device,
            frame.stream(at),
            WITH_COMPLEX[computed],
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
