"""Linear recurrences: the scan of affine maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import (
    EXPECTED,
    Array,
    Wrap,
    axis_back,
    axis_last,
    axis_of,
    checked_out,
    extents,
    finish,
    parts_of,
    refused,
    room_in,
    taken,
)

from ._frames import frame_of, on_gpu


def _walked(a: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The numbers in C order, in the type that is computed in; without a copy where they are."""
    if a.dtype == dtype and a.flags.c_contiguous and a.flags.aligned:
        return a
    return np.array(a, dtype, order="C")


def check_broadcasts(
    shape: tuple[int, ...], to: tuple[int, ...], name: str, which: str = ""
) -> None:
    try:
        fits = np.broadcast_shapes(shape, to) == to
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"lookback: {name} has shape {shape}; expected one that broadcasts to {to}" + which
        )


def _as_wide(
    array: np.ndarray, shape: tuple[int, ...], name: str, which: str = ""
) -> np.ndarray:
    check_broadcasts(array.shape, shape, name, which)
    return np.broadcast_to(array, shape)


def numbers_in(x: Array, name: str) -> tuple[np.ndarray, Wrap]:
    """As `taken`, for the numbers that recurrences are computed with."""
    array, wrap = taken(x, name)
    if array.dtype.kind not in "biufc" or array.dtype.char in "gG":
        raise refused(array, name, EXPECTED + ", complex64 or complex128")
    return array, wrap


def linear_recurrence(
    a: Array, x: Array, *, init: Any = None, axis: int = -1, out: Array = None
) -> Any:
    """y[i] = a[i] * y[i - 1] + x[i] for all i at once.

    Recursive filters of the first order, exponential moving averages, balances with interest, the
    state of a diagonal state-space model.

    Parameters
    ----------
    a : array_like
        The factors; as many as `x` has items, or what broadcasts to that: one number, or one for
        each place along the axis.
    x : array_like
        What is added: numbers. The result is float64, or float32 where both are; of complex
        numbers (of either) complex128 or complex64.
    init : array_like, optional
        What comes before the first: a number, or an array that broadcasts to the shape of `x`
        without the axis. Without it, y[0] is x[0].
    axis : int, optional
        The axis of time.
    out : array, optional
        Where the result goes; it may be `x` itself.

    Notes
    -----
    Maps are composed before they are applied (`a` of a stretch is the product of its factors). So
    where that product has no floating-point number, as after a long time of factors above 1, results
    are not finite, though they may be step by step.

    Examples
    --------
    An exponential moving average:

    >>> import numpy as np
    >>> import lookback as lb
    >>> x = np.array([8.0, 0.0, 0.0, 8.0])
    >>> lb.linear_recurrence(0.5, 0.5 * x)
    array([4. , 2. , 1. , 4.5])
    >>> lb.linear_recurrence([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], init=5.0)
    array([ 6., 13., 40.])
    """
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_more").linear_recurrence(frame, a, x, init, axis, out)
    given_x, wrap = numbers_in(x, "x")
    factors, _ = numbers_in(a, "a")
    begin = None if init is None else numbers_in(init, "init")[0]
    if given_x.ndim == 0:
        raise ValueError("lookback: x has 0 dimensions; expected 1 or more")
    axis = axis_of(axis, given_x.ndim)
    is_weak = factors.ndim == 0 and type(a) in (int, float, complex)
    types = [array.dtype for array in ([given_x] if is_weak else [given_x, factors])]
    is_single = all(t.char in "efF" for t in types)
    is_complex = any(x is not None and x.dtype.kind == "c" for x in (given_x, factors, begin))
    computed = np.dtype(("c" if is_complex else "f") + str((4 if is_single else 8) << is_complex))
    items = axis_last(given_x, axis)
    rows, length, _ = extents(items.shape, items.ndim - 1)
    if factors.size == 1 and factors.ndim <= given_x.ndim:
        factors, a_step, a_row = factors.reshape(1), 0, 0
    else:
        wide = axis_last(_as_wide(factors, given_x.shape, "a", ", which x has"), axis)
        if not any(wide.strides[:-1]):
            factors, a_step, a_row = wide[(0,) * (wide.ndim - 1)] if rows > 0 else factors, 1, 0
        else:
            factors, a_step, a_row = wide, 1, length
    factors = _walked(factors, computed)
    starts = None
    if begin is not None:
        starts = _as_wide(begin.astype(computed), items.shape[:-1], "init")
        starts = np.ascontiguousarray(starts).reshape(-1)
    given = None if out is None else checked_out(out, given_x.shape)
    items = _walked(items, computed)
    room = room_in(given, computed) if axis == given_x.ndim - 1 else None
    if room is not None:
        is_same = room.ctypes.data == items.ctypes.data
        is_mixed = np.may_share_memory(room, factors) or (
            starts is not None and np.may_share_memory(room, starts)
        )
        if is_mixed or (np.may_share_memory(room, items) and not is_same):
            room = None
    if room is None:
        room = np.empty(items.shape, computed)
    _core.linear_recurrence(
        parts_of(factors),
        parts_of(items),
        None if starts is None else parts_of(starts),
        parts_of(room),
        rows,
        length,
        a_step,
        a_row,
        is_complex,
    )
    if room is not given:
        room = axis_back(room, axis)
    return finish(room, given, out, wrap)
