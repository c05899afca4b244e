"""Arrays of any library as NumPy arrays, without a copy, and results in the caller's kind."""

from __future__ import annotations

import operator
import sys
from typing import Any, Callable

import numpy as np

Array = Any  # of NumPy, PyTorch, or any library with DLPack or a buffer
Wrap = Callable[[np.ndarray], Any]

_NUMBERS = "?bBhHiIlLqQfd"  # the type characters of the numbers that the library computes with
EXPECTED = "bool, int8 to int64, uint8 to uint64, float16, float32 or float64"
AxisError: Any = np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError  # type: ignore


def _same(result: np.ndarray) -> np.ndarray:
    return result


def taken(x: Array, name: str = "x") -> tuple[np.ndarray, Wrap]:
    """x as a NumPy array over the same memory, and a function that turns a result into x's kind."""
    if type(x) is np.ndarray:
        return x, _same
    if isinstance(x, np.ndarray):
        if isinstance(x, np.ma.MaskedArray):
            raise TypeError(f"lookback: {name} is a masked array; expected one without a mask")
        return np.asarray(x), _same
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        if x.device.type != "cpu":
            raise _elsewhere(name, x.device)
        return _of_tensor(x, name, torch), torch.from_numpy
    if hasattr(x, "__cuda_array_interface__"):
        raise _elsewhere(name, "a GPU")
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array_interface__"):
        wrap = _wrap_of(x, name)
        kind, number = x.__dlpack_device__()
        if int(kind) not in (1, 3):  # the CPU's memory, and memory that it shares with CUDA
            raise _elsewhere(name, f"device {int(kind)}:{number}")
        try:
            return np.from_dlpack(x), wrap
        except (BufferError, RuntimeError) as error:
            raise TypeError(f"lookback: {name} is no array that NumPy knows: {error}") from error
    try:
        return np.asarray(x), _same
    except (TypeError, ValueError) as error:
        raise TypeError(f"lookback: {name} is no array: {error}") from error


def _of_tensor(x: Any, name: str, torch: Any) -> np.ndarray:
    if x.requires_grad:
        if torch.is_grad_enabled():
            raise RuntimeError(
                f"lookback: {name} requires a gradient, which would be lost: use lookback.torch, or "
                f"{name}.detach()"
            )
        x = x.detach()
    try:
        return np.asarray(x.numpy())
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"lookback: {name} is no array that NumPy knows: {error}") from error


def _wrap_of(x: Array, name: str) -> Wrap:
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(x, jax.Array):
        if isinstance(x, jax.core.Tracer):
            raise TypeError(
                f"lookback: {name} is an array of a compiled JAX program; use lookback.jax"
            )
        return jax.numpy.asarray
    namespace = getattr(x, "__array_namespace__", None)
    return namespace().asarray if namespace is not None else _same


def _elsewhere(name: str, device: object) -> TypeError:
    return TypeError(
        f"lookback: {name} lies on {device}; there is no code for that here: move it to the CPU first"
    )


def refused(a: np.ndarray, name: str, expected: str = EXPECTED) -> TypeError:
    return TypeError(f"lookback: {name} has dtype {a.dtype}; expected {expected}")


def is_computed(dtype: np.dtype) -> bool:
    """Whether the library has kernels for this type without a conversion."""
    return dtype.char in _NUMBERS and dtype.isnative


def plain(a: np.ndarray, name: str, copy: bool = False) -> np.ndarray:
    """The same numbers in the form that the library reads: the array itself if possible."""
    if a.dtype.char not in _NUMBERS:
        raise refused(a, name)
    native = a.dtype.newbyteorder("=")
    if copy or not (a.flags.c_contiguous and a.flags.aligned and a.dtype.isnative):
        return np.array(a, dtype=native, order="C", copy=True)
    return a


def line(a: np.ndarray, name: str, copy: bool = False) -> np.ndarray:
    """The same as `plain`, for an array that must have one dimension."""
    if a.ndim != 1:
        raise ValueError(f"lookback: {name} has {a.ndim} dimensions; expected 1")
    return plain(a, name, copy)


def parts_of(a: np.ndarray) -> np.ndarray:
    """Complex numbers in C order as a line of their parts; other arrays as they are."""
    return a.reshape(-1).view(a.dtype.char.lower()) if a.dtype.kind == "c" else a


def axis_of(axis: Any, ndim: int) -> int:
    number = operator.index(axis)
    if not -ndim <= number < ndim:
        raise AxisError(number, ndim)
    return number % ndim


def axis_last(a: np.ndarray, axis: int) -> np.ndarray:
    return a if axis == a.ndim - 1 else np.moveaxis(a, axis, -1)


def axis_back(rows: np.ndarray, axis: int) -> np.ndarray:
    return rows if axis == rows.ndim - 1 else np.ascontiguousarray(np.moveaxis(rows, -1, axis))


def extents(shape: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """An array in C order as seen from an axis: outer, length, inner."""
    outer = inner = 1
    for n in shape[:axis]:
        outer *= n
    for n in shape[axis + 1 :]:
        inner *= n
    return outer, shape[axis], inner


def kept(room: np.ndarray, count: int) -> np.ndarray:
    """The first `count` results of `room`, which was made for the largest possible number."""
    if 2 * count < room.size:
        return room[:count].copy()
    room.resize(count, refcheck=False)
    return room


def checked_out(out: Array, shape: tuple[int, ...]) -> np.ndarray:
    """The caller's output, checked."""
    result, _ = taken(out, "out")
    if isinstance(out, (list, tuple)) or not result.flags.writeable:
        raise ValueError("lookback: out cannot be written to")
    if result.shape != shape:
        raise ValueError(f"lookback: out has shape {result.shape}; expected {shape}")
    return result


def room_in(out: np.ndarray | None, dtype: np.dtype) -> np.ndarray | None:
    """The caller's output, if results can be written there without a conversion."""
    return out if out is not None and out.dtype == dtype and out.flags.carray else None


def finish(result: np.ndarray, out: np.ndarray | None, given: Array, wrap: Wrap) -> Any:
    """Puts a result where the caller wants it, unless it is there already."""
    if out is None:
        return wrap(result)
    if out is not result:
        np.copyto(out, result, casting="same_kind")
    return given
