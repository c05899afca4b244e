"""Items kept of arrays on GPUs: selection, partition, runs.

Only the GPU knows how many items are kept: calls that return arrays of that length wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._frames import Resident, frame_of, of_any_frame
from ._gpu import _cuda, accumulate
from ._gpu_types import HALVES, SIGNED, SIZES, TYPES, half_of, known, turned
from ._operations import SUM
from ._ranges import ends_of


def line(frame: Any, x: Any, name: str) -> tuple[Any, Resident]:
    """An array that must have one dimension, in C order, and where it lies."""
    at = frame.resident(x)
    known(at, name)
    if len(at.shape) != 1:
        raise ValueError(f"lookback: {name} has {len(at.shape)} dimensions; expected 1")
    if not at.is_plain:
        x = frame.plain(x)
        at = frame.resident(x)
    return x, at


def same_place(frame: Any, x: Any, name: str, at: Resident) -> None:
    if frame_of(x) is not frame or frame.resident(x).device != at.device:
        raise TypeError(f"lookback: {name} lies elsewhere than x; expected device {at.device}")


def counted(frame: Any, at: Resident, call: Callable[[int], None]) -> int:
    """The number that `call(address)` has the GPU write at that address, in pinned memory of the
    host. Waits for the stream. If there are no items `at` all, 0 without a call."""
    if at.shape[0] == 0:
        return 0
    try:
        number, address = frame.rooms.pop()
    except IndexError:
        number = frame.pinned_count()
        address = number.ctypes.data
    number[0] = 0
    call(address)
    frame.wait(at)
    count = int(number[0])
    frame.rooms.append((number, address))  # not after an error: the GPU may still write there
    return count


def marks_of_runs(frame: Any, keys: Any) -> Any:
    """1 for the first key and for each key that differs from the one before; else 0."""
    kind = frame.resident(keys).dtype
    keys = frame.cast(keys, HALVES[kind]) if kind in HALVES else keys
    at = frame.resident(keys)
    marks = frame.empty(at.shape, "uint8", keys)
    _cuda.mark_runs(
        at.device,
        frame.stream(at),
        TYPES[at.dtype],
        at.address,
        at.shape[0],
        frame.resident(marks).address,
    )
    return marks


SMALL_ROOM = 1 << 18  # bytes; copying results out of a smaller room takes longer than it saves


def kept(room: Any, count: int) -> Any:
    """The first `count` results of `room`, which was made for the largest possible number."""
    first = room[:count]
    if 4 * count < len(room) and room.nbytes > SMALL_ROOM:
        return first.clone() if hasattr(first, "clone") else first.copy()
    return first


def _ordered(bits: Any) -> Any:
    """Integers in the order of the float32 with these bits; NaNs come before or after all numbers."""
    return bits ^ ((bits >> 31) & 0x7FFFFFFF)


def _between(frame: Any, x: Any, at: Resident, where: Any) -> Any:
    """Whether lo <= x < hi: exactly, by the first and the last number of the type in the range."""
    kind = HALVES.get(at.dtype, at.dtype)
    ends = ends_of(where, np.dtype(kind))
    if ends is None:
        none = frame.empty(at.shape, "bool", x)
        none[...] = False
        return none
    if kind != at.dtype:
        x = frame.cast(x, kind)
    first, last = ends.tolist()
    if kind in SIGNED:  # which PyTorch does not compare
        x = turned(frame, x, kind)
        first, last = first - half_of(kind), last - half_of(kind)
    elif kind in ("bool", "uint16"):
        x = frame.cast(x, "int32")
    elif kind == "float32" and frame.flushes_subnormals:
        x = _ordered(frame.viewed(x, "int32"))
        ends = np.where(ends == 0, np.array([-0.0, 0.0], kind), ends)  # both zeros are in the range
        first, last = _ordered(ends.view("int32")).tolist()
    wanted = x >= first
    wanted &= x <= last
    return wanted


def _flags(frame: Any, x: Any, at: Resident, mask: Any, where: Any) -> tuple[Any, Resident]:
    """A bool for each item: whether it is wanted."""
    if where is not None:
        mask = _between(frame, x, at, where)
    elif mask is None:
        raise ValueError("lookback: expected a mask, or where=(lo, hi)")
    same_place(frame, mask, "mask", at)
    mask, flags = line(frame, mask, "mask")
    if flags.dtype != "bool":
        raise TypeError(f"lookback: mask has dtype {flags.dtype}; expected bool")
    if flags.shape[0] != at.shape[0]:
        raise ValueError(
            f"lookback: mask has {flags.shape[0]} items; expected {at.shape[0]}, as x has"
        )
    return mask, flags


@of_any_frame
def select(frame: Any, x: Any, mask: Any, where: Any, size: int | None) -> Any:
    x, at = line(frame, x, "x")
    mask, flags = _flags(frame, x, at, mask, where)
    items = at.shape[0]
    room = frame.empty(at.shape, at.dtype, x)

    def call(count: int) -> None:
        _cuda.select_flagged(
            at.device,
            frame.stream(at),
            SIZES[TYPES[at.dtype]],
            at.address,
            items,
            flags.address,
            frame.resident(room).address,
            count,
        )

    if size is None:
        return kept(room, counted(frame, at, call))
    found = frame.empty((1,), "int64", x)
    if items == 0:
        found[...] = 0
    else:
        call(frame.resident(found).address)
    return room[:size], found[0]


@of_any_frame
def partition(frame: Any, x: Any, mask: Any, where: Any) -> tuple[Any, Any]:
    x, at = line(frame, x, "x")
    mask, flags = _flags(frame, x, at, mask, where)
    items = at.shape[0]
    room, rest = (frame.empty(at.shape, at.dtype, x) for _ in range(2))

    def call(count: int) -> None:
        _cuda.partition_flagged(
            at.device,
            frame.stream(at),
            SIZES[TYPES[at.dtype]],
            at.address,
            items,
            flags.address,
            frame.resident(room).address,
            frame.resident(rest).address,
            count,
        )

    number = counted(frame, at, call)
    return kept(room, number), kept(rest, items - number)


@of_any_frame
def unique_consecutive(frame: Any, x: Any, return_inverse: bool, return_counts: bool) -> Any:
    x, at = line(frame, x, "x")
    result = at.dtype
    items = at.shape[0]
    computed = {"int16": "int32", "uint16": "int32", **HALVES}.get(result, result)
    if computed != result:
        x = frame.cast(x, computed)
        at = frame.resident(x)
    room = frame.empty((items,), computed, x)
    lengths = frame.empty((items,), "int64", x)

    def call(count: int) -> None:
        _cuda.run_length_encode(
            at.device,
            frame.stream(at),
            TYPES[computed],
            at.address,
            items,
            frame.resident(room).address,
            frame.resident(lengths).address,
            count,
        )

    runs = counted(frame, at, call)
    firsts = kept(room, runs)
    results = [firsts if computed == result else frame.cast(firsts, result)]
    if return_inverse:
        begins = marks_of_runs(frame, x)
        begins[:1] = 0
        results.append(accumulate(frame, begins, SUM, None, "int64"))
    if return_counts:
        results.append(kept(lengths, runs))
    return results[0] if len(results) == 1 else tuple(results)
