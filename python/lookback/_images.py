"""Images: summed-area tables and box filters."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, checked_out, finish, plain, refused, room_in, taken
from ._frames import frame_of, on_gpu
from ._operations import SUM, result_dtype

_BORDERS = {"clamp": 0, "zero": 1, "reflect": 2}


def shape_of(a: Any, channels: bool) -> tuple[int, int, int, int]:
    """The number of images, height, width and channels of an array of any library."""
    least = 3 if channels else 2
    if a.ndim < least:
        raise ValueError(f"lookback: x has {a.ndim} dimensions; expected {least} or more")
    depth = a.shape[-1] if channels else 1
    if channels and not 1 <= depth <= 4:
        raise ValueError(f"lookback: x has {depth} channels; expected 1 to 4")
    height, width = a.shape[a.ndim - least : a.ndim - least + 2]
    images = 1
    for n in a.shape[: a.ndim - least]:
        images *= n
    return images, height, width, depth


def summed_area_table(
    x: Array,
    /,
    *,
    exclusive: bool = False,
    channels: bool = False,
    dtype: Any = None,
    out: Array = None,
) -> Any:
    """Summed-area table: each entry is the sum of all items above it and to its left.

    Parameters
    ----------
    x : array_like
        Images, of shape ``(..., height, width)``.
    exclusive : bool, optional
        Whether an entry leaves out the item's own row and column. Tables then have one row and one
        column more than images; the first row and column are zeros.
    channels : bool, optional
        Whether pixels have channels, 1 to 4: the shape is ``(..., height, width, channels)``.
    dtype : dtype, optional
        The type to sum in, of 4 or 8 bytes. The default is that of `cumulative_sum`.
    out : array, optional
        Where the result goes.

    Examples
    --------
    >>> import lookback as lb
    >>> lb.summed_area_table([[1, 2], [3, 4]])
    array([[ 1,  3],
           [ 4, 10]])
    >>> lb.summed_area_table([[1, 2], [3, 4]], exclusive=True)
    array([[ 0,  0,  0],
           [ 0,  1,  3],
           [ 0,  4, 10]])
    """
    frame = frame_of(x)
    if frame is not None:
        images_there = on_gpu("_gpu_images")
        return images_there.summed_area_table(frame, x, exclusive, channels, dtype, out)
    a, wrap = taken(x)
    images, height, width, depth = shape_of(a, channels)
    result = result_dtype(a, dtype, SUM)
    if result.itemsize < 4 or result.kind not in "iuf":
        raise TypeError(f"lookback: no tables of {result}; expected numbers of 4 or 8 bytes")
    border = 1 if exclusive else 0
    shape = list(a.shape)
    at = a.ndim - (3 if channels else 2)
    shape[at] += border
    shape[at + 1] += border
    given = None if out is None else checked_out(out, tuple(shape))
    ready = room_in(given, result)
    if ready is not None and ready is not a and np.may_share_memory(ready, a):
        a = a.copy()
    room = np.empty(shape, result) if ready is None else ready
    stack = room.reshape(images, height + border, width + border, depth)
    inner = stack[:, border:, border:]
    items = a.reshape(images, height, width, depth)
    if not np.shares_memory(inner, items):
        np.copyto(inner, items, casting="unsafe")
    if exclusive:
        stack[:, 0] = 0
        stack[:, :, 0] = 0
        if images * height * width > 0:
            for image in stack:
                _core.summed_area(image, 1, height, width, width + 1, width + 2, depth)
    else:
        _core.summed_area(stack, images, height, width, width, 0, depth)
    return finish(room, given, out, wrap)


def box_filter(
    x: Array,
    radius: int,
    *,
    border: str = "clamp",
    channels: bool = False,
    out: Array = None,
) -> Any:
    """The mean of the square window of ``2 * radius + 1`` items around each item.

    Parameters
    ----------
    x : array_like of uint8, uint16, float32 or float64
        Images, of shape ``(..., height, width)``.
    radius : int
        0 to 8,388,607. The time does not depend on it.
    border : {'clamp', 'zero', 'reflect'}
        What lies beyond the edges: the outermost items, zeros, or the image mirrored.
    channels : bool, optional
        Whether pixels have channels, 1 to 4: the shape is ``(..., height, width, channels)``.
    out : array, optional
        Where the result goes; it may be `x` itself.

    Returns
    -------
    array
        Of the type of `x`; integers are rounded to nearest, ties to even.

    Examples
    --------
    >>> import numpy as np
    >>> import lookback as lb
    >>> lb.box_filter(np.array([[0, 9, 0], [0, 0, 0], [0, 0, 0]], np.float32), 1, border="zero")
    array([[1., 1., 1.],
           [1., 1., 1.],
           [0., 0., 0.]], dtype=float32)
    """
    if border not in _BORDERS:
        raise ValueError(f"lookback: border is {border!r}; expected 'clamp', 'zero' or 'reflect'")
    frame = frame_of(x)
    if frame is not None:
        images_there = on_gpu("_gpu_images")
        number = operator.index(radius)
        return images_there.box_filter(frame, x, number, _BORDERS[border], channels, out)
    a, wrap = taken(x)
    if a.dtype.char not in "BHfd":
        raise refused(a, "x", "uint8, uint16, float32 or float64")
    images, height, width, depth = shape_of(a, channels)
    a = plain(a, "x")
    given = None if out is None else checked_out(out, a.shape)
    ready = room_in(given, a.dtype)
    if ready is None or np.may_share_memory(ready, a):
        ready = np.empty_like(a)
    _core.box_filter(
        a, ready, images, height, width, depth, operator.index(radius), _BORDERS[border]
    )
    return finish(ready, given, out, wrap)
