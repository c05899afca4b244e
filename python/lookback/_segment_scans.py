"""Scans of segments: by key, or by offsets."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, Wrap, checked_out, finish, line, plain, refused, taken
from ._frames import frame_of, on_gpu
from ._operations import computed_in, identity, result_dtype, seed_of


def keys_of(x: Array, name: str) -> tuple[np.ndarray, Wrap]:
    """A line of numbers of any type that are compared with each other, and how results are given."""
    keys, wrap = taken(x, name)
    if keys.dtype.char in "eFD" and keys.ndim == 1:
        return np.ascontiguousarray(keys, keys.dtype.newbyteorder("=")), wrap
    return line(keys, name), wrap


def heads_of(keys: np.ndarray) -> np.ndarray:
    """1 for the first key and for each key that differs from the one before; else 0."""
    if keys.dtype.kind == "c":
        return heads_of(keys.real.copy()) | heads_of(keys.imag.copy())
    if keys.dtype.char == "e":
        keys = keys.astype(np.float32)
    heads = np.empty(keys.size, np.uint8)
    _core.find_heads(keys, heads)
    return heads


def heads_at(offsets: np.ndarray, items: int) -> np.ndarray:
    heads = np.empty(items, np.uint8)
    _core.heads_of_offsets(offsets, heads)
    return heads


def offsets_of(segments: Array) -> np.ndarray:
    offsets = taken(segments, "segments")[0]
    if offsets.dtype.kind not in "iu":
        raise refused(offsets, "segments", "integers")
    if offsets.ndim != 1:
        raise ValueError(f"lookback: segments has {offsets.ndim} dimensions; expected 1")
    return plain(offsets.astype(np.int64, copy=False), "segments")


def widened(x: np.ndarray, dtype: Any, op: int, name: str = "x") -> tuple[np.ndarray, np.dtype]:
    """The items in the type to compute in, and the type of the result."""
    if x.ndim != 1:
        raise ValueError(f"lookback: {name} has {x.ndim} dimensions; expected 1")
    result = result_dtype(x, dtype, op)
    if result.kind == "c":
        raise refused(x, name)
    computed = computed_in(result)
    if x.dtype != computed:
        return x.astype(computed, order="C"), result
    return plain(x, name), result


def scan_segments(
    x: Array,
    op: int,
    init: Any,
    exclusive: bool,
    reverse: bool,
    by_key: Array,
    segments: Array,
    dtype: Any,
    out: Array,
) -> Any:
    if by_key is not None and segments is not None:
        raise ValueError("lookback: by_key and segments are both given; expected one of them")
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_segments").scan_segments(
            frame, x, op, init, exclusive, reverse, by_key, segments, dtype, out
        )
    a, wrap = taken(x)
    a, result = widened(a, dtype, op)
    if by_key is not None:
        keys, _ = keys_of(by_key, "by_key")
        if keys.size != a.size:
            raise ValueError(f"lookback: by_key has {keys.size} items; expected {a.size}, as x has")
        heads = heads_of(keys[::-1].copy() if reverse else keys)
    else:
        offsets = offsets_of(segments)
        if reverse:
            _core.check_offsets(offsets, a.size)
            offsets = np.ascontiguousarray(a.size - offsets[::-1])
        heads = heads_at(offsets, a.size)
    given = None if out is None else checked_out(out, a.shape)
    if reverse:
        a = a[::-1].copy()
    seed = None
    if init is not None:
        seed = seed_of(init, a.dtype)
    elif exclusive:
        seed = np.full(1, identity(a.dtype, op), a.dtype)
    room = np.empty_like(a)
    _core.scan_segments(a, heads, room, op, exclusive, seed)
    if reverse:
        room = room[::-1].copy()
    if room.dtype != result:
        room = room.astype(result)
    return finish(room, given, out, wrap)
