"""Arrays in files, which may be larger than memory: scans and selections window by window."""

from __future__ import annotations

import math
import os
from typing import Any, Iterator

import numpy as np

from . import _compaction
from ._arrays import Array, axis_of, extents, refused
from ._file_scans import FileScan
from ._operations import MAX, MIN, PRODUCT, SUM, operation_of, result_dtype
from ._windows import Path, Progress, Writer, opened, read_header, windows_of


def open(path: Path, *, window: int = 1 << 22) -> FileArray:
    """An array in a .npy file, which may be larger than memory. Nothing is read yet.

    Parameters
    ----------
    path : path
        A file as `numpy.save` writes it.
    window : int, optional
        About how many bytes are read at a time. Calls take a few times as much memory. Results do
        not depend on it, except for the bits of floats in several dimensions.

    Examples
    --------
    >>> import numpy as np
    >>> import lookback as lb
    >>> np.save("big.npy", np.array([3, 1, 7, 0, 4]))
    >>> big = lb.open("big.npy")
    >>> np.asarray(big.cumulative_sum("sums.npy"))
    array([ 3,  4, 11, 11, 15])
    """
    return FileArray(path, window)


class FileArray:
    """An array in a .npy file; `open` makes it.

    Its methods do what the functions of the same names do. They write to another file, and return
    that file as a `FileArray`. The other file appears, or is replaced, when all of it has been
    written, so it may be this one. ``progress=True`` shows a bar (it needs tqdm: ``pip install
    lookback[progress]``). A function given as `progress` is called with two numbers: the bytes
    that have been read, and the bytes to read in all.

    ``np.asarray(file)`` maps the array into memory; all other functions do that with it, too.
    """

    def __init__(self, path: Path, window: int = 1 << 22):
        if window < 1:
            raise ValueError(f"lookback: window is {window}; expected 1 byte or more")
        self.path = os.fspath(path)
        self.window = window
        with opened(self.path) as file:
            self.shape, self._is_fortran, self.dtype = read_header(file, self.path)
            self._begin = file.tell()
            rest = os.fstat(file.fileno()).st_size - self._begin
        if rest < self.nbytes:
            raise ValueError(
                f"lookback: {self.path} has {rest} bytes of numbers; expected {self.nbytes}"
            )

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of items."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all items."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("lookback: len() of an array of 0 dimensions")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        mapped = np.load(self.path, mmap_mode="r")
        if dtype is None or np.dtype(dtype) == mapped.dtype:
            return np.array(mapped) if copy else mapped
        return mapped.astype(dtype)

    def __repr__(self) -> str:
        return f"lookback.open({self.path!r})  # {self.dtype} {self.shape}"

    def cumulative_sum(
        self,
        out: Path,
        *,
        axis: int | None = None,
        dtype: Any = None,
        progress: Progress = False,
    ) -> FileArray:
        """As `lookback.cumulative_sum`."""
        return self._scan(out, SUM, axis, dtype, progress)

    def cumulative_prod(
        self,
        out: Path,
        *,
        axis: int | None = None,
        dtype: Any = None,
        progress: Progress = False,
    ) -> FileArray:
        """As `lookback.cumulative_prod`."""
        return self._scan(out, PRODUCT, axis, dtype, progress)

    def cumulative_max(
        self, out: Path, *, axis: int | None = None, progress: Progress = False
    ) -> FileArray:
        """As `lookback.cumulative_max`."""
        return self._scan(out, MAX, axis, None, progress)

    def cumulative_min(
        self, out: Path, *, axis: int | None = None, progress: Progress = False
    ) -> FileArray:
        """As `lookback.cumulative_min`."""
        return self._scan(out, MIN, axis, None, progress)

    def scan(
        self,
        out: Path,
        op: str = "sum",
        *,
        init: Any = None,
        axis: int | None = None,
        exclusive: bool = False,
        dtype: Any = None,
        progress: Progress = False,
    ) -> FileArray:
        """As `lookback.scan`, with the same bits for an array of one dimension.

        In an array of several dimensions, floats may be added in another order, which depends on
        the window.
        """
        return self._scan(out, operation_of(op), axis, dtype, progress, init, exclusive)

    def select(
        self,
        out: Path,
        mask: Array = None,
        *,
        where: Any = None,
        progress: Progress = False,
    ) -> FileArray:
        """As `lookback.select`; the mask may be in a file."""
        items = self._line()
        masks: Any = None
        if mask is not None and where is None:
            masks = mask if isinstance(mask, FileArray) else np.asarray(mask)
        if masks is not None and masks.shape != self.shape:
            raise ValueError(
                f"lookback: mask has shape {masks.shape}; expected {self.shape}, as x has"
            )
        with Writer(out, self.dtype, progress, self.nbytes) as writer:
            most = self.items_of()
            if isinstance(masks, FileArray):
                flags = masks.windows(items, most)
            elif masks is not None:
                flags = (masks[at : at + most] for at in range(0, items, most))
            for window in self.windows(items, most):
                chosen = mask if masks is None else next(flags)
                writer.append(_compaction.select(window, chosen, where=where), window.nbytes)
        return FileArray(out, self.window)

    def unique_consecutive(self, out: Path, *, progress: Progress = False) -> FileArray:
        """As `lookback.unique_consecutive`, but it returns only the items."""
        items = self._line()
        last = None
        with Writer(out, self.dtype, progress, self.nbytes) as writer:
            for window in self.windows(items, self.items_of()):
                firsts = _compaction.unique_consecutive(window)
                goes_on = last is not None and window[0] == last
                writer.append(firsts[1:] if goes_on else firsts, window.nbytes)
                last = window[-1].copy()
        return FileArray(out, self.window)

    # ---- helpers

    def _line(self) -> int:
        if self.ndim != 1:
            raise ValueError(f"lookback: {self.path} has {self.ndim} dimensions; expected 1")
        return self.size

    def items_of(self, multiple: int = 1) -> int:
        """Items of a window."""
        return max(1, self.window // self.dtype.itemsize // multiple) * multiple

    def windows(self, length: int, most: int, blocks: int = 1) -> Iterator[np.ndarray]:
        """Lines of `length` items, in parts of at most so many, as they lie."""
        with opened(self.path) as file:
            found = (*read_header(file, self.path), file.tell())
        if found != (self.shape, self._is_fortran, self.dtype, self._begin):
            raise ValueError(
                f"lookback: {self.path} has been replaced by another array: open it again"
            )
        return windows_of(self.path, self._begin, self.dtype, blocks, length, most)

    def _scan(
        self,
        out: Path,
        op: int,
        axis: int | None,
        dtype: Any,
        progress: Progress,
        init: Any = None,
        is_exclusive: bool = False,
    ) -> FileArray:
        if axis is None:
            if self.ndim != 1:
                raise ValueError(
                    f"lookback: {self.path} has {self.ndim} dimensions; expected an axis to scan "
                    "along"
                )
            axis = 0
        axis = axis_of(axis, self.ndim)
        result = result_dtype(np.empty(0, self.dtype), dtype, op)
        if result.kind == "c":
            raise refused(np.empty(0, result), self.path)
        run = FileScan(self, op, result, init, is_exclusive)
        shape = self.shape[::-1] if self._is_fortran else self.shape
        outer, length, inner = extents(shape, self.ndim - 1 - axis if self._is_fortran else axis)
        with Writer(out, result, progress, self.nbytes, self.shape, self._is_fortran) as writer:
            if self.size > 0:
                run.to(writer, outer, length, inner)
        return FileArray(out, self.window)
