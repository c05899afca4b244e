"""What is kept of arrays on GPUs: selection, runs, sums by key and of segments.

How many items are kept is known on the GPU alone: calls that return arrays of that length wait for
it.
"""

from __future__ import annotations

from typing import Any

from . import _core
from ._frames import Resident, frame_of, of_any_frame
from ._gpu import SIZES, SUM, TYPES, _cuda, known, name_of, promoted
from ._segment_scans import offsets_of


def line(frame: Any, x: Any, name: str) -> tuple[Any, Resident]:
    """An array of one dimension, plain, and where it lies."""
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


def no_count(frame: Any, like: Any) -> Any:
    """Room for a count, which is 0."""
    count = frame.empty((1,), "int64", like)
    count[...] = 0
    return count


def kept(room: Any, count: int) -> Any:
    """The first results of the room that was made for as many as there could be."""
    first = room[:count]
    if 4 * count < len(room):
        return first.clone() if hasattr(first, "clone") else first.copy()
    return first


@of_any_frame
def select(frame: Any, x: Any, mask: Any, where: Any, size: int | None) -> Any:
    if where is not None:
        low, high = where
        wanted = (x == x) if low is None else (x >= low)
        if high is not None:
            wanted &= x < high
        mask = wanted if mask is None else mask
    elif mask is None:
        raise ValueError("lookback: expected a mask, or where=(lo, hi)")
    x, at = line(frame, x, "x")
    same_place(frame, mask, "mask", at)
    mask, flags = line(frame, mask, "mask")
    if flags.dtype != "bool":
        raise TypeError(f"lookback: mask has dtype {flags.dtype}; expected bool")
    items = at.shape[0]
    if flags.shape[0] != items:
        raise ValueError(
            f"lookback: mask has {flags.shape[0]} items; expected {items}, as x has"
        )
    room = frame.empty(at.shape, at.dtype, x)
    count = frame.empty((1,), "int64", x)
    if items == 0:
        count[...] = 0
    else:
        _cuda.select_flagged(
            at.device,
            frame.stream(at),
            SIZES[TYPES[at.dtype]],
            at.address,
            items,
            flags.address,
            frame.resident(room).address,
            frame.resident(count).address,
        )
    if size is not None:
        return room[:size], count[0]
    return kept(room, int(count[0]))


_RUNS = {"int16": "int32", "uint16": "int32", "float16": "float32", "bfloat16": "float32"}


@of_any_frame
def unique_consecutive(frame: Any, x: Any, return_inverse: bool, return_counts: bool) -> Any:
    x, at = line(frame, x, "x")
    result = at.dtype
    items = at.shape[0]
    computed = _RUNS.get(result, result)
    if computed != result:
        x = frame.cast(x, computed)
        at = frame.resident(x)
    room = frame.empty((items,), computed, x)
    lengths = frame.empty((items,), "int64", x)
    count = no_count(frame, x)
    if items > 0:
        _cuda.run_length_encode(
            at.device,
            frame.stream(at),
            TYPES[computed],
            at.address,
            items,
            frame.resident(room).address,
            frame.resident(lengths).address,
            frame.resident(count).address,
        )
    runs = int(count[0])
    firsts = kept(room, runs)
    results = [firsts if computed == result else frame.cast(firsts, result)]
    if return_inverse:
        from ._gpu import accumulate

        begins = frame.empty((items,), "uint8", x)
        begins[:1] = 0
        begins[1:] = x[1:] != x[:-1]
        results.append(accumulate(frame, begins, SUM, None, "int64"))
    if return_counts:
        results.append(kept(lengths, runs))
    return results[0] if len(results) == 1 else tuple(results)


def _summed_in(frame: Any, x: Any, dtype: Any, name: str) -> tuple[Any, Resident, str]:
    """The items in a type that there are sums in, and the type of the result."""
    x, at = line(frame, x, name)
    result = promoted(at.dtype, SUM) if dtype is None else name_of(dtype, frame)
    computed = "float32" if result in ("float16", "bfloat16") else result
    if computed not in ("int64", "uint64", "float32", "float64"):
        raise TypeError(f"lookback: no such sums of {computed} on a GPU")
    if at.dtype != computed:
        x = frame.cast(x, computed)
        at = frame.resident(x)
    return x, at, result


def _only_sums(op: int) -> None:
    if op != SUM:
        raise TypeError("lookback: on a GPU segments and runs are summed; expected op='sum'")


@of_any_frame
def reduce_by_key(frame: Any, keys: Any, values: Any, op: int, dtype: Any) -> tuple[Any, Any]:
    _only_sums(op)
    keys, names = line(frame, keys, "keys")
    same_place(frame, values, "values", names)
    values, at, result = _summed_in(frame, values, dtype, "values")
    items = names.shape[0]
    if at.shape[0] != items:
        raise ValueError(
            f"lookback: values has {at.shape[0]} items; expected {items}, as keys has"
        )
    kind = names.dtype
    if "float" in kind:
        raise TypeError(f"lookback: keys has dtype {kind}; expected integers on a GPU")
    wide = kind if SIZES[TYPES[kind]] >= 4 else "int32"
    if wide != kind:
        keys = frame.cast(keys, wide)
        names = frame.resident(keys)
    firsts = frame.empty((items,), wide, keys)
    sums = frame.empty((items,), at.dtype, keys)
    count = no_count(frame, keys)
    if items > 0:
        _cuda.sum_by_key(
            at.device,
            frame.stream(at),
            TYPES[wide],
            names.address,
            TYPES[at.dtype],
            at.address,
            items,
            frame.resident(firsts).address,
            frame.resident(sums).address,
            frame.resident(count).address,
        )
    runs = int(count[0])
    found, folds = kept(firsts, runs), kept(sums, runs)
    found = found if wide == kind else frame.cast(found, kind)
    return found, folds if at.dtype == result else frame.cast(folds, result)


@of_any_frame
def segment_reduce(frame: Any, x: Any, segments: Any, op: int, dtype: Any) -> Any:
    """Offsets that lie on the GPU are not checked: that would wait for it."""
    _only_sums(op)
    x, at, result = _summed_in(frame, x, dtype, "x")
    if frame_of(segments) is None:
        host = offsets_of(segments)
        if host.size > 0:
            _core.check_offsets(host, at.shape[0])
        segments = frame.asarray(host, x)
    same_place(frame, segments, "segments", at)
    segments, offsets = line(frame, segments, "segments")
    if "float" in offsets.dtype or offsets.dtype == "bool":
        raise TypeError(f"lookback: segments has dtype {offsets.dtype}; expected integers")
    if offsets.shape[0] == 0:
        raise ValueError(
            "lookback: offsets are empty; expected one more than there are segments"
        )
    if offsets.dtype != "int64":
        segments = frame.cast(segments, "int64")
        offsets = frame.resident(segments)
    number = offsets.shape[0] - 1
    sums = frame.empty((number,), at.dtype, x)
    if number > 0:
        items = at.shape[0]
        room = frame.empty((_cuda.segment_sums_room(items, number),), "uint8", x)
        _cuda.segment_sums(
            at.device,
            frame.stream(at),
            TYPES[at.dtype],
            at.address,
            items,
            offsets.address,
            number,
            frame.resident(sums).address,
            frame.resident(room).address,
        )
    return sums if at.dtype == result else frame.cast(sums, result)
