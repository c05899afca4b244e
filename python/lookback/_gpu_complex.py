"""Sums of complex numbers on GPUs: those of their parts, side by side."""

from __future__ import annotations

from typing import Any

from . import _gpu
from ._arrays import axis_of


def accumulate(
    frame: Any,
    x: Any,
    op: int,
    axis: Any,
    dtype: Any,
    out: Any,
    before: Any,
    is_kept_before: bool,
    reverse: bool,
) -> Any:
    """As `_gpu.accumulate`, of complex numbers."""
    is_begun = before is None or before is _gpu.NEUTRAL or (type(before) is int and before == 0)
    if op != _gpu.SUM or not is_begun:
        raise TypeError("lookback: of complex numbers on a GPU there are sums, which begin with 0")
    shape = tuple(x.shape)
    if dtype is not None and dtype != x.dtype:
        raise TypeError(f"lookback: no sums of {x.dtype} in another type on a GPU; leave dtype out")
    if axis is None and len(shape) > 1:
        raise ValueError(f"lookback: x has {len(shape)} dimensions; expected an axis to scan along")
    axis = axis_of(0 if axis is None else axis, max(len(shape), 1))
    parts = frame.parts(x.reshape(1) if len(shape) == 0 else x)
    sums = _gpu.accumulate(frame, parts, op, axis, None, None, before, is_kept_before, reverse)
    results = frame.whole(sums)
    if out is None:
        return results
    if tuple(out.shape) != tuple(results.shape):
        raise ValueError(
            f"lookback: out has shape {tuple(out.shape)}; expected {tuple(results.shape)}"
        )
    frame.put(out, results)
    return out
