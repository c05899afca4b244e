"""Images on GPUs: summed-area tables and box filters."""

from __future__ import annotations

import math
from typing import Any

from ._frames import of_any_frame
from ._gpu import _cuda, put_out
from ._gpu_types import TYPES, known, name_of, promoted
from ._images import shape_of
from ._operations import SUM

_TABULATED = ("int32", "uint32", "int64", "uint64", "float32", "float64")
_FILTERED = ("uint8", "uint16", "float32", "float64")


def _bordered(frame: Any, table: Any) -> Any:
    """The table with a row of zeros above it and a column of zeros to its left."""
    at = frame.resident(table)
    *images, height, width = at.shape
    wider = frame.empty((*images, height + 1, width + 1), at.dtype, table)
    wider[..., :1, :] = 0
    wider[..., :, :1] = 0
    frame.put(wider[..., 1:, 1:], table)
    return wider


@of_any_frame
def summed_area_table(
    frame: Any, x: Any, exclusive: bool, channels: bool, dtype: Any, out: Any
) -> Any:
    at = frame.resident(x)
    known(at)
    result = promoted(at.dtype, SUM) if dtype is None else name_of(dtype, frame)
    shape_of(x, channels)
    if result not in _TABULATED:
        raise TypeError(
            f"lookback: no summed-area table of {result} on a GPU; expected {', '.join(_TABULATED)}"
        )
    x = x if at.dtype == result else frame.cast(x, result)
    if channels:  # each channel as an image of its own
        x = frame.moved(x, -1, -3)
    x = frame.plain(x)
    at = frame.resident(x)
    table = frame.empty(at.shape, result, x)
    height, width = at.shape[-2:]
    if math.prod(at.shape) > 0:
        images = math.prod(at.shape) // (height * width)
        address = frame.resident(table).address
        stream = frame.stream(at)
        _cuda.summed_area(
            at.device, stream, TYPES[result], at.address, images, height, width, address
        )
    if exclusive:
        table = _bordered(frame, table)
    if channels:
        table = frame.plain(frame.moved(table, -3, -1))
    return put_out(frame, table, out)


@of_any_frame
def box_filter(frame: Any, x: Any, radius: int, border: int, channels: bool, out: Any) -> Any:
    at = frame.resident(x)
    if at.dtype not in _FILTERED:
        raise TypeError(
            f"lookback: x has dtype {at.dtype}; expected uint8, uint16, float32 or float64"
        )
    shape_of(x, channels)
    if channels:
        x = frame.moved(x, -1, -3)
    x = frame.plain(x)
    at = frame.resident(x)
    means = frame.empty(at.shape, at.dtype, x)
    height, width = at.shape[-2:]
    if math.prod(at.shape) > 0:
        images = math.prod(at.shape) // (height * width)
        address = frame.resident(means).address
        _cuda.box_filter(
            at.device,
            frame.stream(at),
            TYPES[at.dtype],
            at.address,
            images,
            height,
            width,
            radius,
            border,
            address,
        )
    if channels:
        means = frame.plain(frame.moved(means, -3, -1))
    return put_out(frame, means, out)
