"""Ranges of numbers, exact in any type."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np


def ends_of(where: Any, dtype: np.dtype) -> np.ndarray | None:
    """The first and the last number x of the type with lo <= x < hi, or None if there is none."""
    try:
        low, high = where
    except (TypeError, ValueError):
        raise ValueError(f"lookback: where is {where!r}; expected (lo, hi)") from None
    if any(end is not None and end != end for end in (low, high)):
        raise ValueError(f"lookback: where is {where!r}; expected numbers, or None")
    if dtype.kind == "f":
        with np.errstate(all="ignore"):  # numbers that the type rounds to infinity
            first = dtype.type(-np.inf if low is None else low)
            if low is not None and float(first) < low:
                first = np.nextafter(first, dtype.type(np.inf))
            last = dtype.type(np.inf if high is None else high)
            if high is not None and float(last) >= high:
                last = np.nextafter(last, dtype.type(-np.inf)) if last > -np.inf else None
    else:
        limits = np.iinfo(np.uint8 if dtype.kind == "b" else dtype)
        first = _whole(low, limits.min)
        last = _whole(high, limits.max + 1) - 1
        first, last = max(first, limits.min), min(last, limits.max)
    if last is None or first > last:
        return None
    return np.array([first, last], np.uint8 if dtype.kind == "b" else dtype)


def _whole(end: Any, otherwise: int) -> int:
    if end is None:
        return otherwise
    if isinstance(end, (float, np.floating)) and math.isinf(end):
        return 2**64 if end > 0 else -(2**64)
    try:
        return operator.index(end)  # exact, for NumPy's integers too
    except TypeError:
        return math.ceil(end)
