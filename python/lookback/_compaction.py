"""Functions that keep some of the items: selection, partition, runs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Array, is_computed, kept, line, taken
from ._frames import frame_of, on_gpu
from ._operations import operation_of
from ._ranges import ends_of
from ._segment_scans import heads_of, keys_of, widened


def _mask(mask: Array, items: int) -> np.ndarray:
    flags = taken(mask, "mask")[0]
    if flags.dtype.kind != "b":
        raise TypeError(f"lookback: mask has dtype {flags.dtype}; expected bool")
    flags = line(flags, "mask")
    if flags.size != items:
        raise ValueError(f"lookback: mask has {flags.size} items; expected {items}, as x has")
    return flags


def _line(x: Array, name: str = "x") -> tuple[np.ndarray, Any, np.dtype]:
    """Items of any type that can be moved, as numbers: those of 16 bytes as two."""
    a, wrap = taken(x, name)
    if a.ndim != 1:
        raise ValueError(f"lookback: {name} has {a.ndim} dimensions; expected 1")
    dtype = a.dtype.newbyteorder("=")
    if dtype.kind in "fcmM" and dtype.char not in "fd" and dtype.itemsize in (2, 8, 16):
        a = np.ascontiguousarray(a, dtype).view(f"u{min(dtype.itemsize, 8)}")
    return line(a, name), wrap, dtype


def _wanted(
    a: np.ndarray, dtype: np.dtype, mask: Array, where: Any
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Which items of `_line` are wanted: flags, or the first and the last number that is."""
    if mask is not None:
        parts = dtype.itemsize // a.itemsize
        flags = _mask(mask, a.size // parts)
        return (np.repeat(flags, parts) if parts > 1 else flags), None
    if where is None:
        raise ValueError("lookback: expected a mask, or where=(lo, hi)")
    if a.dtype != dtype and dtype.char != "e":
        raise TypeError(
            f"lookback: x has dtype {dtype}, which where=(lo, hi) does not know; use a mask"
        )
    ends = ends_of(where, dtype)
    if ends is None:
        return np.zeros(a.size, bool), None
    if dtype.char == "e":
        halves = a.view(dtype)
        return (halves >= ends[0]) & (halves <= ends[1]), None
    return None, ends


def select(
    x: Array, mask: Array = None, *, where: Any = None, size: int | None = None
) -> Any:
    """The wanted items, in their order.

    Parameters
    ----------
    x : array_like
        Numbers in one dimension, complex ones too, or times.
    mask : array_like of bool, optional
        True for each item that is wanted.
    where : (lo, hi), optional
        Instead of a mask: items with ``lo <= x < hi`` are wanted, but never NaN. ``lo`` or ``hi``
        may be None, for no limit.
    size : int, optional
        For arrays on a GPU: the length of the result, so that the call need not wait for the GPU.
        It then returns the array and the number of wanted items, as an array on the GPU. The number
        may be larger than `size`. If it is smaller, the rest of the array is undefined.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.select([3, 1, 7, 0, 4], [True, False, True, False, True])
    array([3, 7, 4])
    >>> lb.select([3, 1, 7, 0, 4], where=(1, 4))
    array([3, 1])
    """
    if mask is not None and where is not None:
        raise ValueError("lookback: mask and where are both given; expected one of them")
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_compaction").select(frame, x, mask, where, size)
    if size is not None:
        raise ValueError("lookback: size is given; expected none where x does not lie on a GPU")
    a, wrap, dtype = _line(x)
    flags, ends = _wanted(a, dtype, mask, where)
    room = np.empty_like(a)
    if flags is not None:
        count = _core.select_flagged(a, flags, False, room)
    else:
        count = _core.select_between(a, ends, room)
    return wrap(kept(room, count).view(dtype))


def compress(condition: Array, a: Array) -> Any:
    """`select` with NumPy's order of arguments.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.compress([True, False, True], [5, 6, 7])
    array([5, 7])
    """
    return select(a, condition)


def partition(x: Array, mask: Array = None, *, where: Any = None) -> tuple[Any, Any]:
    """The wanted items and the others, both in their order. The arguments are those of `select`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.partition([3, 1, 7, 0, 4], where=(3, None))
    (array([3, 7, 4]), array([1, 0]))
    """
    if mask is not None and where is not None:
        raise ValueError("lookback: mask and where are both given; expected one of them")
    frame = frame_of(x)
    if frame is not None:
        return on_gpu("_gpu_compaction").partition(frame, x, mask, where)
    a, wrap, dtype = _line(x)
    flags, ends = _wanted(a, dtype, mask, where)
    room, rest = np.empty_like(a), np.empty_like(a)
    if flags is not None:
        count = _core.select_flagged(a, flags, False, room)
        _core.select_flagged(a, flags, True, rest)
    else:
        count = _core.partition_between(a, ends, room, rest)
    others = kept(rest, a.size - count)
    return wrap(kept(room, count).view(dtype)), wrap(others.view(dtype))


def _runs(keys: np.ndarray, with_lengths: bool) -> tuple[np.ndarray, np.ndarray | None]:
    """The first key of each run, and if asked for the lengths of the runs."""
    if not is_computed(keys.dtype):  # float16, complex numbers
        firsts = np.flatnonzero(heads_of(keys))
        return keys[firsts], np.diff(firsts, append=keys.size) if with_lengths else None
    room = np.empty_like(keys)
    if not with_lengths:
        return kept(room, _core.unique(keys, room)), None
    lengths = np.empty(keys.size, np.int64)
    count = _core.run_length_encode(keys, room, lengths)
    return kept(room, count), kept(lengths, count)


def unique_consecutive(
    x: Array, /, *, return_inverse: bool = False, return_counts: bool = False
) -> Any:
    """The first of each run of equal neighbours.

    Each NaN is a run of its own.

    Parameters
    ----------
    x : array_like
        Numbers in one dimension, complex ones too.
    return_inverse : bool, optional
        Whether to return the number of each item's run, too.
    return_counts : bool, optional
        Whether to return the lengths of the runs, too.

    Returns
    -------
    array, or a tuple of the items, the inverse if asked for, and the lengths if asked for

    Examples
    --------
    >>> import lookback as lb
    >>> lb.unique_consecutive([5, 5, 2, 2, 2, 5])
    array([5, 2, 5])
    >>> lb.unique_consecutive([5, 5, 2, 2, 2, 5], return_inverse=True, return_counts=True)
    (array([5, 2, 5]), array([0, 0, 1, 1, 1, 2]), array([2, 3, 1]))
    """
    frame = frame_of(x)
    if frame is not None:
        there = on_gpu("_gpu_compaction")
        return there.unique_consecutive(frame, x, return_inverse, return_counts)
    a, wrap = keys_of(x, "x")
    firsts, lengths = _runs(a, return_counts)
    results = [wrap(firsts)]
    if return_inverse:
        heads = heads_of(a)
        if a.size > 0:
            heads[0] = 0
        inverse = np.empty(a.size, np.int64)
        _core.sum_in(heads, inverse)
        results.append(wrap(inverse))
    if lengths is not None:
        results.append(wrap(lengths))
    return results[0] if len(results) == 1 else tuple(results)


class Runs(NamedTuple):
    """What `run_length_encode` returns."""

    values: Any
    lengths: Any


def run_length_encode(x: Array, /) -> Runs:
    """The first item of each run of equal neighbours, and the run's length.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.run_length_encode([5, 5, 2, 2, 2, 5])
    Runs(values=array([5, 2, 5]), lengths=array([2, 3, 1]))
    """
    return Runs(*unique_consecutive(x, return_counts=True))


class Reduced(NamedTuple):
    """What `reduce_by_key` returns."""

    keys: Any
    values: Any


def reduce_by_key(keys: Array, values: Array, op: str = "sum", *, dtype: Any = None) -> Reduced:
    """The first key of each run of equal keys, and the fold of the run's values.

    Parameters
    ----------
    keys : array_like
        Numbers in one dimension. Equal keys that are not neighbours belong to different runs: to
        bring them together, sort first (`sort_pairs`).
    values : array_like
        As many numbers.
    op : str, optional
        As in `scan`.
    dtype : dtype, optional
        The type to fold in. The default is that of `cumulative_sum`.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.reduce_by_key([7, 7, 3, 3, 7], [1, 2, 3, 4, 5])
    Reduced(keys=array([7, 3, 7]), values=array([3, 7, 5]))
    """
    number = operation_of(op)
    frame = frame_of(keys)
    if frame is not None:
        return Reduced(*on_gpu("_gpu_segments").reduce_by_key(frame, keys, values, number, dtype))
    names, wrap_keys = keys_of(keys, "keys")
    a, wrap = taken(values, "values")
    a, result = widened(a, dtype, number, "values")
    if a.size != names.size:
        raise ValueError(f"lookback: values has {a.size} items; expected {names.size}, as keys has")
    firsts, _ = _runs(names, False)
    folds = np.empty(a.size + 1, a.dtype)
    count = _core.reduce_segments(a, heads_of(names), folds, number)
    folds = kept(folds, count)
    if folds.dtype != result:
        folds = folds.astype(result)
    return Reduced(wrap_keys(firsts), wrap(folds))
