"""Arrays on GPUs: the package's CUDA part, and scans with it.

The CUDA part is a separate module, which is loaded with the first such array. Calls are
asynchronous, on the caller's current stream.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _frames
from ._arrays import Array, axis_of, extents
from ._frames import Resident, frame_of, of_any_frame, on_gpu
from ._gpu_types import (
    HALVES,
    NARROW,
    PARTS,
    SIZES,
    TYPES,
    WITH_COMPLEX,
    converted,
    half_of,
    identity,
    known,
    name_of,
    promoted,
    turned,
)
from ._operations import MAX, MIN, PRODUCT, SUM, can_begin, seed_of

try:
    from . import _cuda
except ImportError as error:
    raise RuntimeError(
        "lookback: x lies on a GPU, and this build has no CUDA part "
        f"({error}); build one where nvcc is, by `pip install . "
        "--config-settings=cmake.define.LOOKBACK_CUDA_ARRAYS=ON`, or move x to the CPU first"
    ) from error

_frames.scan_tensor = _cuda.scan_tensor

def _kernel_types(dtype: str, result: str, op: int) -> tuple[str, str]:
    """The types to read and to write for this result, for which there is a kernel."""
    if result in PARTS:
        return result, result
    wide = promoted(result, op) if op in (SUM, PRODUCT) else result
    wide = "int64" if wide == "uint32" else NARROW.get(wide, wide)  # integers wrap around in any width
    for reads, writes in ((dtype, result), (result, result), (dtype, wide), (wide, wide)):
        is_bool = writes == "bool"  # kernels see bytes, which must be 0 or 1
        if _cuda.can_scan(TYPES[reads], op, TYPES[writes]) and (reads == "bool" or not is_bool):
            return reads, writes
    raise TypeError(f"lookback: no such scan of {result} on a GPU")


NEUTRAL = object()  # as a value before the first item: the operator's identity


def checked_seed(init: Any, result: str) -> Any:
    """An initial value as a number of Python's, checked for scans in that type."""
    seed = seed_of(init, np.dtype("float64" if result in HALVES else result))[0].item()
    return init if type(init) is int else seed


def _begin_of(frame: Any, before: Any, result: str) -> Any:
    """The checked value before the first item. If it is on the GPU, only its type is checked: to
    read it would wait."""
    if before is None or before is NEUTRAL:
        return before
    if frame_of(before) is None:
        return checked_seed(before, result)
    at = frame.resident(before)
    given, wanted = (np.dtype(HALVES.get(name, name)) for name in (at.dtype, result))
    if math.prod(at.shape) != 1 or not can_begin(given, wanted):
        raise TypeError(
            f"lookback: init has dtype {at.dtype} and shape {at.shape}; "
            f"expected one number of {result}"
        )
    return before.reshape(())


def checked_out(frame: Any, out: Any, shape: tuple[int, ...], device: int) -> Resident:
    at = frame.resident(out)
    if at.shape != shape:
        raise ValueError(f"lookback: out has shape {at.shape}; expected {shape}")
    if at.device != device:
        raise ValueError(f"lookback: out lies on device {at.device}; expected {device}, as x")
    return at


def put_out(frame: Any, results: Any, out: Any) -> Any:
    """The results, or out with a copy of them."""
    if out is None:
        return results
    at = frame.resident(results)
    checked_out(frame, out, at.shape, at.device)
    frame.put(out, results)
    return out


def scan_into(frame: Any, x: Any, to: Any, axis: int, op: int) -> None:
    """Scans a plain array into another one. There must be a kernel for their types."""
    at, room = frame.resident(x), frame.resident(to)
    if math.prod(at.shape) == 0:
        return
    outer, length, inner = extents(at.shape, axis)
    reads, writes = at.dtype, room.dtype
    if op == SUM and reads in PARTS:  # sums of complex numbers are those of their parts
        reads = writes = PARTS[reads]
        inner *= 2
    _cuda.scan_axis(
        at.device,
        frame.stream(at),
        WITH_COMPLEX[reads],
        op,
        at.address,
        outer,
        length,
        inner,
        WITH_COMPLEX[writes],
        room.address,
    )


@of_any_frame
def accumulate(
    frame: Any,
    x: Array,
    op: int,
    axis: Any = None,
    dtype: Any = None,
    out: Array = None,
    before: Any = None,
    is_kept_before: bool = False,
    reverse: bool = False,
) -> Any:
    """As `_accumulate.accumulate`, for arrays on GPUs."""
    at = frame.resident(x)
    types = WITH_COMPLEX if op in (SUM, PRODUCT) else TYPES
    known(at, types=types)
    if len(at.shape) == 0:
        x = x.reshape(1)
        at = frame.resident(x)
    if axis is None:
        if len(at.shape) > 1:
            raise ValueError(
                f"lookback: x has {len(at.shape)} dimensions; expected an axis to scan along"
            )
        axis = 0
    axis = axis_of(axis, len(at.shape))
    if op > MAX:  # with an initial value: see `scan`
        by_segments = on_gpu("_gpu_segments")
        return by_segments.scan_bitwise(frame, x, op, None, axis, False, reverse, dtype, out)
    result = promoted(at.dtype, op) if dtype is None else name_of(dtype, frame)
    if result not in types or (at.dtype in PARTS and result not in PARTS):
        raise TypeError(f"lookback: no such scan of {at.dtype} in {result} on a GPU")
    if result == "bool" and op in (SUM, PRODUCT):
        raise TypeError("lookback: sums and products of bool are of integers: leave dtype out")
    before = _begin_of(frame, before, result)
    if result == "uint64" and op in (MIN, MAX):  # for which there are no kernels
        x = turned(frame, converted(frame, x, result, result), result)
        if before is not None and before is not NEUTRAL:
            before = int(before) - half_of(result)
        found = accumulate(frame, x, op, axis, None, None, before, is_kept_before, reverse)
        return put_out(frame, frame.viewed(turned(frame, found, result), result), out)
    if out is None and len(at.shape) > 1 and not at.is_plain:
        transposed = frame.turned(x)
        if frame.resident(transposed).is_plain:  # scanned in its own order
            along = len(at.shape) - 1 - axis
            transposed = accumulate(
                frame, transposed, op, along, dtype, None, before, is_kept_before, reverse
            )
            return frame.turned(transposed)

    shape = list(at.shape)
    if before is not None and is_kept_before:
        shape[axis] += 1
    given = None if out is None else checked_out(frame, out, tuple(shape), at.device)
    if reverse:
        x = frame.flip(x, axis)
    reads, writes = _kernel_types(at.dtype, result, op)
    items = converted(frame, x, result, reads)
    is_there = given is not None and given.is_plain and not reverse
    is_there = is_there and given.dtype == writes == result
    if is_there:  # with a value before the items, results are shifted
        items = apart(frame, items, given, before is None)
    room = out if is_there else frame.empty(shape, writes, x)
    if before is None:
        scan_into(frame, items, room, axis, op)
    else:
        if before is NEUTRAL:
            before, is_neutral = identity(result, op), True
        else:  # 0 in sums, 1 in products
            is_neutral = op in (SUM, PRODUCT) and type(before) is int and before == op
        _after(frame, items, room, axis, op, before, is_neutral, is_kept_before)
    if reverse:
        room = frame.flip(room, axis)
    if is_there:
        return out
    return put_out(frame, room if writes == result else frame.cast(room, result), out)


def apart(frame: Any, x: Any, out: Resident, may_be_out: bool = True) -> Any:
    """The array in C order, copied if `out` overlaps it. It may be exactly `out` without a copy."""

    def end(at: Resident) -> int:
        return at.address + math.prod(at.shape) * SIZES[WITH_COMPLEX[at.dtype]]

    at = frame.resident(x)
    is_out = may_be_out and (at.address, at.dtype) == (out.address, out.dtype)
    overlap = at.address < end(out) and out.address < end(at)
    return frame.copy(x) if overlap and not is_out else x


def _after(
    frame: Any,
    items: Any,
    room: Any,
    axis: int,
    op: int,
    before: Any,
    is_neutral: bool,
    is_kept_before: bool,
) -> None:
    """Puts `before` in the first place, and scans the items after it."""

    def along(part: slice) -> tuple[slice, ...]:
        return (slice(None),) * axis + (part,)

    if not is_kept_before:
        items = items[along(slice(None, -1))]
    rest = room[along(slice(1, None))]
    room[along(slice(None, 1))] = before
    if is_neutral and room.ndim == 1:
        scan_into(frame, items, rest, axis, op)
    else:
        kind = frame.resident(room).dtype
        frame.put(rest, items if frame.resident(items).dtype == kind else frame.cast(items, kind))
        scan_into(frame, room, room, axis, op)


@of_any_frame
def scan(
    frame: Any,
    x: Array,
    op: int,
    init: Any,
    axis: Any,
    exclusive: bool,
    reverse: bool,
    dtype: Any,
    out: Array,
) -> Any:
    """Scans with an initial value, and exclusive scans."""
    if op > MAX:
        if len(x.shape) == 0:
            x = x.reshape(1)
        along = 0 if axis is None and len(x.shape) < 2 else axis
        if along is None:
            raise ValueError(
                f"lookback: x has {len(x.shape)} dimensions; expected an axis to scan along"
            )
        by_segments = on_gpu("_gpu_segments")
        return by_segments.scan_bitwise(frame, x, op, init, along, exclusive, reverse, dtype, out)
    before = NEUTRAL if init is None else init
    if exclusive:
        return accumulate(frame, x, op, axis, dtype, out, before, False, reverse)
    more = accumulate(frame, x, op, axis, dtype, None, before, True, reverse)
    ndim = len(frame.resident(more).shape)
    at = axis_of(0 if axis is None else axis, ndim)
    part = slice(None, -1) if reverse else slice(1, None)
    more = more[(slice(None),) * at + (part,)]
    return put_out(frame, more, out)
