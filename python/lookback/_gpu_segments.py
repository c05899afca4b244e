"""Segments and runs of arrays on GPUs: their scans and folds. Also bitwise scans, which are scans
of segments: each row is a segment."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import axis_of
from ._frames import Resident, frame_of, of_any_frame
from ._gpu import _cuda, checked_seed, put_out
from ._gpu_compaction import counted, kept, line, marks_of_runs, same_place
from ._gpu_types import NARROW, SIZES, TYPES, converted, identity, name_of, promoted
from ._operations import MAX, MIN, SUM
from ._segment_scans import offsets_of


def _types(dtype: str, asked: Any, op: int, frame: Any) -> tuple[str, str]:
    """The type to fold in, and the type of the result."""
    result = promoted(dtype, op) if asked is None else name_of(asked, frame)
    if result not in TYPES:
        raise TypeError(f"lookback: no such fold of {result} on a GPU")
    if "float" in result and op > MAX:
        raise TypeError(f"lookback: no bitwise operation on {result}; expected integers or bool")
    if result == "bool" and op < MIN:
        raise TypeError("lookback: sums and products of bool are of integers: leave dtype out")
    return NARROW.get(result, result), result


def _narrowed(frame: Any, folds: Any, computed: str, result: str, op: int) -> Any:
    """Folds in the result's type, whose minimum and maximum have other identities."""
    if computed == result:
        return folds
    if op in (MIN, MAX) and "float" not in result:
        folds = folds.clip(identity(result, MAX), identity(result, MIN))
    return frame.cast(folds, result)


def _offsets(frame: Any, segments: Any, x: Any, at: Resident) -> tuple[Any, Resident]:
    """Offsets on the GPU. If they are there already, they are not checked: that would wait."""
    if frame_of(segments) is None:
        host = offsets_of(segments)
        _core.check_offsets(host, at.shape[0])
        segments = frame.asarray(host, x)
    same_place(frame, segments, "segments", at)
    segments, offsets = line(frame, segments, "segments")
    if "float" in offsets.dtype or offsets.dtype == "bool":
        raise TypeError(f"lookback: segments has dtype {offsets.dtype}; expected integers")
    if offsets.shape[0] == 0:
        raise ValueError("lookback: offsets are empty; expected one more than there are segments")
    if offsets.dtype != "int64":
        segments = frame.cast(segments, "int64")
        offsets = frame.resident(segments)
    return segments, offsets


def _marks_of(frame: Any, x: Any, by_key: Any, segments: Any, reverse: bool) -> Any:
    at = frame.resident(x)
    items = at.shape[0]
    if by_key is not None:
        same_place(frame, by_key, "by_key", at)
        by_key, names = line(frame, by_key, "by_key")
        if names.shape[0] != items:
            raise ValueError(
                f"lookback: by_key has {names.shape[0]} items; expected {items}, as x has"
            )
        return marks_of_runs(frame, frame.plain(frame.flip(by_key, 0)) if reverse else by_key)
    segments, _ = _offsets(frame, segments, x, at)
    if reverse:
        segments = frame.plain(items - frame.flip(segments, 0))
    offsets = frame.resident(segments)
    marks = frame.empty((items,), "uint8", x)
    _cuda.mark_segments(
        at.device,
        frame.stream(at),
        offsets.address,
        offsets.shape[0] - 1,
        items,
        frame.resident(marks).address,
    )
    return marks


def _scan_marked(
    frame: Any, x: Any, marks: Any, op: int, init: Any, exclusive: bool, result: str
) -> Any:
    """Scans a line, which has the type to fold in, into a new array."""
    at = frame.resident(x)
    items = at.shape[0]
    room = frame.empty(at.shape, at.dtype, x)
    if items == 0:
        return room
    stream, type_ = frame.stream(at), TYPES[at.dtype]
    begins, address = frame.resident(marks).address, frame.resident(room).address
    _cuda.scan_marked(at.device, stream, type_, op, at.address, items, begins, address)
    if init is None and not exclusive:
        return room
    if init is None:
        init = identity(result, op)
    else:
        init = checked_seed(init, result)
    seed = np.array(init, at.dtype).tobytes()
    seeded = frame.empty(at.shape, at.dtype, x)
    to = frame.resident(seeded).address
    _cuda.seed_scans(
        at.device, stream, type_, op, exclusive, address, items, begins, seed, to
    )
    return seeded


@of_any_frame
def scan_segments(
    frame: Any,
    x: Any,
    op: int,
    init: Any,
    exclusive: bool,
    reverse: bool,
    by_key: Any,
    segments: Any,
    dtype: Any,
    out: Any,
) -> Any:
    x, at = line(frame, x, "x")
    computed, result = _types(at.dtype, dtype, op, frame)
    marks = _marks_of(frame, x, by_key, segments, reverse)
    items = converted(frame, frame.flip(x, 0) if reverse else x, result, computed)
    results = _scan_marked(frame, items, marks, op, init, exclusive, result)
    if reverse:
        results = frame.flip(results, 0)
    return put_out(frame, results if computed == result else frame.cast(results, result), out)


@of_any_frame
def scan_bitwise(
    frame: Any,
    x: Any,
    op: int,
    init: Any,
    axis: int,
    exclusive: bool,
    reverse: bool,
    dtype: Any,
    out: Any,
) -> Any:
    """Bitwise scan, along an axis, of an array of any shape."""
    at = frame.resident(x)
    computed, result = _types(at.dtype, dtype, op, frame)
    axis = axis_of(axis, len(at.shape))
    rows = frame.last(frame.flip(x, axis) if reverse else x, axis)
    rows = converted(frame, rows, result, computed)
    shape = frame.resident(rows).shape
    marks = frame.empty(shape, "uint8", x)
    marks[...] = 0
    marks[..., :1] = 1
    results = _scan_marked(
        frame, rows.reshape(-1), marks.reshape(-1), op, init, exclusive, result
    )
    results = frame.back(results.reshape(shape), axis)
    if reverse:
        results = frame.flip(results, axis)
    return put_out(frame, results if computed == result else frame.cast(results, result), out)


@of_any_frame
def segment_reduce(frame: Any, x: Any, segments: Any, op: int, dtype: Any) -> Any:
    x, at = line(frame, x, "x")
    computed, result = _types(at.dtype, dtype, op, frame)
    x = converted(frame, x, result, computed)
    segments, offsets = _offsets(frame, segments, x, at)
    at = frame.resident(x)
    items, number = at.shape[0], offsets.shape[0] - 1
    folds = frame.empty((number,), computed, x)
    if number > 0:
        room = frame.empty((_cuda.segment_folds_room(items, number),), "uint8", x)
        _cuda.fold_segments(
            at.device,
            frame.stream(at),
            TYPES[computed],
            op,
            at.address,
            items,
            offsets.address,
            number,
            frame.resident(folds).address,
            frame.resident(room).address,
        )
    return _narrowed(frame, folds, computed, result, op)


@of_any_frame
def reduce_by_key(frame: Any, keys: Any, values: Any, op: int, dtype: Any) -> tuple[Any, Any]:
    keys, names = line(frame, keys, "keys")
    same_place(frame, values, "values", names)
    values, at = line(frame, values, "values")
    items = names.shape[0]
    if at.shape[0] != items:
        raise ValueError(
            f"lookback: values has {at.shape[0]} items; expected {items}, as keys has"
        )
    computed, result = _types(at.dtype, dtype, op, frame)
    values = converted(frame, values, result, computed)
    at = frame.resident(values)
    is_one_pass = op == SUM and "float" not in names.dtype and SIZES[TYPES[names.dtype]] >= 4
    is_one_pass = is_one_pass and computed not in ("int32", "uint32")
    firsts = frame.empty((items,), names.dtype, keys)
    folds = frame.empty((items,), computed, keys)
    to_firsts, to_folds = (frame.resident(a).address for a in (firsts, folds))
    stream = frame.stream(at)

    def call(count: int) -> None:
        if is_one_pass:
            _cuda.sum_by_key(
                at.device,
                stream,
                TYPES[names.dtype],
                names.address,
                TYPES[computed],
                at.address,
                items,
                to_firsts,
                to_folds,
                count,
            )
        else:
            marks = marks_of_runs(frame, keys)
            begins = frame.resident(marks).address
            size = SIZES[TYPES[names.dtype]]
            _cuda.select_flagged(
                at.device, stream, size, names.address, items, begins, to_firsts, count
            )
            _cuda.fold_marked(
                at.device, stream, TYPES[computed], op, at.address, items, begins, to_folds, count
            )

    runs = counted(frame, names, call)
    found, folds = kept(firsts, runs), kept(folds, runs)
    return found, _narrowed(frame, folds, computed, result, op)
