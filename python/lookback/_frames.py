"""The same operations in each library that has arrays on GPUs: PyTorch, CuPy and JAX."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import sys
from typing import Any, NamedTuple

import numpy as np


class Resident(NamedTuple):
    """An array in a GPU's memory: where it lies, and how."""

    address: int
    dtype: str  # NumPy's name, or bfloat16
    shape: tuple[int, ...]
    is_plain: bool  # in C order
    device: int


class Torch:
    """PyTorch."""

    flushes_subnormals = False

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.current = torch._C._cuda_getCurrentRawStream
        names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
        names += ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
        self.types = {name: getattr(torch, name) for name in names}
        self.names = {dtype: name for name, dtype in self.types.items()}
        self.rooms: list[Any] = []

    def resident(self, x: Any) -> Resident:
        if x.requires_grad and self.torch.is_grad_enabled():
            raise RuntimeError(
                "lookback: this tensor requires a gradient, which would be lost: use "
                "lookback.torch, or x.detach()"
            )
        if x.is_neg():
            raise RuntimeError(
                "lookback: this tensor's numbers are negated only when read, as PyTorch "
                "does for the imaginary part of a conjugate: use x.resolve_neg()"
            )
        name = self.names.get(x.dtype, str(x.dtype))
        is_plain = x.is_contiguous() and not x.is_conj()
        return Resident(x.data_ptr(), name, tuple(x.shape), is_plain, x.device.index)

    def stream(self, at: Resident) -> int:
        return self.current(at.device)

    def wait(self, at: Resident) -> None:
        self.torch.cuda.current_stream(at.device).synchronize()

    def pinned_count(self) -> Any:
        return self.torch.empty(1, dtype=self.torch.int64, pin_memory=True).numpy()

    def empty(self, shape: Any, dtype: str, like: Any) -> Any:
        return self.torch.empty(shape, dtype=self.types[dtype], device=like.device)

    def cast(self, x: Any, dtype: str) -> Any:
        return x.to(self.types[dtype])

    def plain(self, x: Any) -> Any:
        return x.contiguous().resolve_conj()

    def turned(self, x: Any) -> Any:
        return x.permute(*range(x.ndim - 1, -1, -1))

    def flip(self, x: Any, axis: int) -> Any:
        signed = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
        name = self.names.get(x.dtype)
        if name in signed:  # PyTorch cannot flip these
            return self.viewed(self.viewed(x, signed[name]).flip(axis), name)
        return x.flip(axis)

    def last(self, x: Any, axis: int) -> Any:
        return x.movedim(axis, -1)

    def back(self, x: Any, axis: int) -> Any:
        return x.movedim(-1, axis).contiguous()

    def moved(self, x: Any, axis: int, to: int) -> Any:
        return x.movedim(axis, to)

    def viewed(self, x: Any, dtype: str) -> Any:
        return x.view(self.types[dtype])

    def copy(self, x: Any) -> Any:
        return x.clone()

    def put(self, to: Any, x: Any) -> None:
        to.copy_(x)

    def asarray(self, x: Any, like: Any) -> Any:
        if not isinstance(x, self.torch.Tensor):  # which makes float32 of Python's numbers
            x = np.asarray(x, order="C")
        return self.torch.as_tensor(x, device=like.device)

    def multiples(self, step: int, count: int, like: Any) -> Any:
        return self.torch.arange(0, step * count, step, device=like.device)


class CuPy:
    """CuPy."""

    flushes_subnormals = True  # its kernels take float32's for zeros

    def __init__(self) -> None:
        import cupy

        self.cupy = cupy
        self.rooms: list[Any] = []

    def resident(self, x: Any) -> Resident:
        at = x.data
        return Resident(at.ptr, x.dtype.name, x.shape, x.flags.c_contiguous, at.device_id)

    def stream(self, at: Resident) -> int:
        return int(self.cupy.cuda.get_current_stream(at.device).ptr)

    def wait(self, at: Resident) -> None:
        self.cupy.cuda.get_current_stream(at.device).synchronize()

    def pinned_count(self) -> Any:
        return np.frombuffer(self.cupy.cuda.alloc_pinned_memory(8), np.int64, 1)

    def empty(self, shape: Any, dtype: str, like: Any) -> Any:
        with like.device:
            return self.cupy.empty(shape, dtype)

    def cast(self, x: Any, dtype: str) -> Any:
        return x.astype(dtype)

    def plain(self, x: Any) -> Any:
        return self.cupy.ascontiguousarray(x)

    def turned(self, x: Any) -> Any:
        return x.T

    def flip(self, x: Any, axis: int) -> Any:
        return self.cupy.flip(x, axis)

    def last(self, x: Any, axis: int) -> Any:
        return self.cupy.moveaxis(x, axis, -1)

    def back(self, x: Any, axis: int) -> Any:
        return self.cupy.ascontiguousarray(self.cupy.moveaxis(x, -1, axis))

    def moved(self, x: Any, axis: int, to: int) -> Any:
        return self.cupy.moveaxis(x, axis, to)

    def viewed(self, x: Any, dtype: str) -> Any:
        return x.view(dtype)

    def copy(self, x: Any) -> Any:
        return x.copy()

    def put(self, to: Any, x: Any) -> None:
        self.cupy.copyto(to, x, casting="same_kind")

    def asarray(self, x: Any, like: Any) -> Any:
        with like.device:
            return self.cupy.asarray(x)

    def multiples(self, step: int, count: int, like: Any) -> Any:
        with like.device:
            return self.cupy.arange(0, step * count, step, "int64")


class Lent:
    """A library whose arrays are lent to PyTorch, or else to CuPy, without a copy."""

    def __init__(self) -> None:
        for name, make in (("torch", Torch), ("cupy", CuPy)):
            if name in sys.modules or importlib.util.find_spec(name) is not None:
                self.inner = _loaded(name, make)
                self.lender = importlib.import_module(name)
                return
        raise RuntimeError(
            "lookback: arrays of this library's on a GPU go through PyTorch or CuPy; expected one "
            "of them"
        )

    def given(self, x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(self.given(part) for part in x)
        return self.returned(self.inner.plain(x))


class Dlpack(Lent):
    """JAX, and any library whose arrays have DLPack. Results are arrays of their namespace, or of the
    library that they were lent to."""

    def __init__(self, namespace: Any) -> None:
        super().__init__()
        self.namespace = namespace

    def taken(self, x: Any) -> Any:
        return self.lender.from_dlpack(x) if frame_of(x) is self else x

    def returned(self, x: Any) -> Any:
        return x if self.namespace is None else self.namespace.from_dlpack(x)

    def written(self, out: Any) -> Any:
        raise TypeError("lookback: arrays that come by DLPack cannot be written to; expected no out")


class Interface(Lent):
    """Numba, and any library with __cuda_array_interface__. Numba's arrays give Numba's arrays."""

    def taken(self, x: Any) -> Any:
        if not hasattr(x, "__cuda_array_interface__") or frame_of(x) is not self:
            return x
        if self.lender.__name__ == "torch":
            return self.lender.as_tensor(x, device="cuda")
        return self.lender.asarray(x)

    def returned(self, x: Any) -> Any:
        cuda = sys.modules.get("numba.cuda")
        return x if cuda is None else cuda.as_cuda_array(x)

    def written(self, out: Any) -> Any:
        taken = self.taken(out)
        if taken is out or self.lender.__name__ != "torch":
            return taken
        if taken.numel() > 0 and taken.data_ptr() != out.__cuda_array_interface__["data"][0]:
            raise ValueError("lookback: out is not on the current GPU; expected it there")
        return taken


DLPACK_CUDA = 2  # DLPack's number for memory of a CUDA GPU
_frames: dict[Any, Any] = {}
# Scans PyTorch's tensors without Python code in between. Set when the CUDA part is loaded.
scan_tensor: Any = None


def _loaded(name: Any, make: Any) -> Any:
    found = _frames.get(name)
    if found is None:
        found = _frames[name] = make()
    return found


def frame_of(x: Any) -> Any:
    """The library of the array x, if x lies on a GPU; else None."""
    kind = type(x)
    if kind is np.ndarray or kind in (list, tuple, int, float):
        return None
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return _loaded("torch", Torch) if x.is_cuda else None
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(x, cupy.ndarray):
        return _loaded("cupy", CuPy)
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(x, jax.Array):
        if isinstance(x, jax.core.Tracer):
            return None
    elif hasattr(kind, "__cuda_array_interface__"):
        return _loaded("interface", Interface)
    if hasattr(kind, "__dlpack_device__") and int(x.__dlpack_device__()[0]) == DLPACK_CUDA:
        namespace = x.__array_namespace__() if hasattr(kind, "__array_namespace__") else None
        return _loaded(("dlpack", namespace), lambda: Dlpack(namespace))
    return None


def of_any_frame(function: Any) -> Any:
    """Makes the function also take the arrays of a `Lent` library."""
    names = list(inspect.signature(function).parameters)[1:]
    at_out = names.index("out") if "out" in names else len(names)

    @functools.wraps(function)
    def called(frame: Any, *arguments: Any) -> Any:
        if not isinstance(frame, Lent):
            return function(frame, *arguments)
        out = arguments[at_out] if at_out < len(arguments) else None
        lent = [frame.taken(argument) for argument in arguments]
        if out is None:
            return frame.given(function(frame.inner, *lent))
        lent[at_out] = frame.written(out)
        function(frame.inner, *lent)
        return out

    return called


@functools.cache
def on_gpu(part: str = "_gpu") -> Any:
    """A module for arrays on GPUs, which is loaded when the first of them comes."""
    return importlib.import_module("." + part, __package__)
