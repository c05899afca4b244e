"""Arrays in .npy files, read and written window by window."""

from __future__ import annotations

import io
import os
import secrets
import stat
import sys
from typing import Any, BinaryIO, Callable, Iterator, Union

import numpy as np

Path = Union[str, "os.PathLike[str]"]
Progress = Union[bool, Callable[[int, int], Any]]


def opened(path: str) -> BinaryIO:
    return io.open(path, "rb", buffering=0)  # type: ignore


def read_header(file: BinaryIO, path: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Reads the header: shape, whether it is in Fortran order, type. The numbers come next."""
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(file)
        return np.lib.format.read_array_header_2_0(file)
    except ValueError as error:
        raise ValueError(f"lookback: {path} is no .npy file: {error}") from None


def header(dtype: np.dtype, shape: tuple[int, ...], is_fortran: bool) -> bytes:
    """The header. It is equally long for any shape of one dimension, so it can be rewritten."""
    text = repr({"descr": dtype.str, "fortran_order": is_fortran, "shape": shape})
    size = max(128, -(-(10 + len(text) + 1) // 64) * 64)
    begin = b"\x93NUMPY\x01\x00" + (size - 10).to_bytes(2, "little")
    return begin + text.ljust(size - 11).encode("latin1") + b"\n"


def windows_of(
    path: str, begin: int, dtype: np.dtype, blocks: int, length: int, most: int
) -> Iterator[np.ndarray]:
    """Reads `blocks` blocks of `length` items from byte `begin` on, at most `most` items at a time.

    No window spans two blocks. A window is valid until the next one is requested.
    """
    room = np.empty(min(length, most), dtype)
    with opened(path) as file:
        file.seek(begin)
        for _ in range(blocks):
            for at in range(0, length, most):
                window = room[: min(most, length - at)]
                _fill(file, window, path)
                yield window.astype(dtype.newbyteorder("="), copy=False)


def _fill(file: BinaryIO, room: np.ndarray, path: str) -> None:
    left = memoryview(room.view(np.uint8))
    while left:
        count = file.readinto(left)  # type: ignore
        if not count:
            raise ValueError(f"lookback: {path} has become shorter")
        left = left[count:]


def _private(path: str, flags: int) -> int:
    """Opens a file that only its owner may use, until it gets the mode of the file it replaces."""
    return os.open(path, flags, 0o600)


class Writer:
    """A .npy file that appears only when all of it has been written without an error.

    Without a shape it has one dimension, and as many items as were written.
    """

    def __init__(
        self,
        path: Path,
        dtype: np.dtype,
        progress: Progress,
        bytes_to_read: int,
        shape: tuple[int, ...] | None = None,
        is_fortran: bool = False,
    ):
        self._path = os.path.realpath(os.fsdecode(path))  # the file behind links
        self._dtype, self._shape, self._is_fortran = dtype, shape, is_fortran
        self._items = 0
        self._progress = _Progress(progress, bytes_to_read)

    def __enter__(self) -> Writer:
        before = os.stat(self._path) if os.path.exists(self._path) else None
        if before is not None and not stat.S_ISREG(before.st_mode):
            raise ValueError(f"lookback: {self._path} is not a regular file")
        self._replaces = before is not None
        self._part = f"{self._path}.{secrets.token_hex(4)}.part"
        self._file = io.open(self._part, "xb", buffering=0, opener=_private if before else None)
        try:
            if before is not None:
                os.fchmod(self._file.fileno(), stat.S_IMODE(before.st_mode))
            self._write(header(self._dtype, self._shape or (0,), self._is_fortran))
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def append(self, results: np.ndarray, bytes_read: int) -> None:
        """Writes `results`; for them `bytes_read` more bytes have been read."""
        results = np.ascontiguousarray(results, self._dtype)
        self._items += results.size
        self._write(memoryview(results.reshape(-1).view(np.uint8)))
        self._progress.add(bytes_read)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._progress.close()
        try:
            if kind is None:
                self._file.seek(0)
                shape = (self._items,) if self._shape is None else self._shape
                self._write(header(self._dtype, shape, self._is_fortran))
                if self._replaces:
                    os.fsync(self._file.fileno())  # the old content may be the only copy
                self._file.close()
                os.replace(self._part, self._path)
        finally:
            self._file.close()
            if os.path.exists(self._part):
                os.unlink(self._part)

    def _write(self, data: Any) -> None:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]


class _Progress:
    """A progress bar on stderr, or calls to the caller's function, or nothing."""

    def __init__(self, progress: Progress, most: int):
        self._done, self._most = 0, most
        self._tell = progress if callable(progress) else None
        self._bar = None
        if progress is True:
            try:
                from tqdm.auto import tqdm  # type: ignore
            except ImportError:
                raise ImportError(
                    "lookback: a progress bar needs tqdm: pip install lookback[progress]; "
                    "or pass a function (bytes_done, bytes_in_all)"
                ) from None
            self._bar = tqdm(total=most, unit="B", unit_scale=True)

    def add(self, count: int) -> None:
        self._done += count
        if self._bar is not None:
            self._bar.update(count)
        if self._tell is not None:
            self._tell(self._done, self._most)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
