"""The unique items of an array, with the Array API's names: by sorting."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Array, kept, plain, taken
from ._segment_scans import heads_of
from ._sort import sorted_lexically


class UniqueAll(NamedTuple):
    """What `unique_all` returns."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCounts(NamedTuple):
    """What `unique_counts` returns."""

    values: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """What `unique_inverse` returns."""

    values: Any
    inverse_indices: Any


class _Runs:
    """The items in their order: runs of equal ones."""

    def __init__(self, x: Array):
        a, self.wrap = taken(x)
        self.shape = a.shape
        self.dtype = a.dtype.newbyteorder("=")
        a = a.reshape(-1)
        if self.dtype.char == "e":
            a = a.astype(np.float32)
        if self.dtype.kind in "fc":
            a = a + a.dtype.type(0)  # of both zeros one, so that equal items keep their order
        if self.dtype.kind == "c":
            self.items, self.order = sorted_lexically(a)
        else:
            a = plain(a, "x")
            places = np.arange(a.size)
            self.items, self.order = np.empty_like(a), np.empty_like(places)
            _core.sort_pairs(a, places, self.items, self.order, False)
        self.heads = heads_of(self.items)
        self.firsts = np.flatnonzero(self.heads)

    def values(self) -> Any:
        return self.wrap(self.items[self.firsts].astype(self.dtype, copy=False))

    def indices(self) -> Any:
        return self.wrap(self.order[self.firsts])

    def counts(self) -> Any:
        return self.wrap(np.diff(self.firsts, append=self.heads.size))

    def inverse(self) -> Any:
        numbers = np.empty(self.heads.size, np.int64)
        _core.sum_in(self.heads, numbers)
        inverse = np.empty_like(numbers)
        inverse[self.order] = numbers - 1
        return self.wrap(inverse.reshape(self.shape))


def unique_values(x: Array, /) -> Any:
    """The items that are in `x`, each once, in their order.

    Parameters
    ----------
    x : array_like
        Numbers of any shape; complex ones are ordered by their real parts.

    Notes
    -----
    Each NaN is an item of its own. -0 is 0.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.unique_values([3, 1, 3, 3, 1])
    array([1, 3])
    """
    a, wrap = taken(x)
    if a.dtype.kind not in "biu":
        return _Runs(x).values()
    a = plain(a.reshape(-1), "x")
    items, room = np.empty_like(a), np.empty_like(a)
    _core.sort(a, items, 1, a.size, False)
    return wrap(kept(room, _core.unique(items, room)))


def unique_counts(x: Array, /) -> UniqueCounts:
    """The items that are in `x`, as `unique_values`, and how often.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.unique_counts([3, 1, 3, 3, 1])
    UniqueCounts(values=array([1, 3]), counts=array([2, 3]))
    """
    runs = _Runs(x)
    return UniqueCounts(runs.values(), runs.counts())


def unique_inverse(x: Array, /) -> UniqueInverse:
    """The items that are in `x`, as `unique_values`, and which of them stands where.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.unique_inverse([3, 1, 3, 3, 1])
    UniqueInverse(values=array([1, 3]), inverse_indices=array([1, 0, 1, 1, 0]))
    """
    runs = _Runs(x)
    return UniqueInverse(runs.values(), runs.inverse())


def unique_all(x: Array, /) -> UniqueAll:
    """`unique_counts` and `unique_inverse`, and where in `x` each item stands first.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.unique_all([3, 1, 3]).indices
    array([1, 0])
    """
    runs = _Runs(x)
    return UniqueAll(runs.values(), runs.indices(), runs.inverse(), runs.counts())
