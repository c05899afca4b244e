"""Scans of arrays in files, from window to window."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _scans
from ._operations import OPERATIONS, computed_in, identity, seed_of
from ._windows import Writer


class FileScan:
    """One scan of a `FileArray`, which reads its windows in the order of the file."""

    def __init__(self, file: Any, op: int, result: np.dtype, init: Any, is_exclusive: bool):
        self.items_of, self.windows = file.items_of, file.windows
        self.op, self.result = op, result
        self.computed = computed_in(result)
        self.init, self.is_exclusive = init, is_exclusive
        self.seed = None if init is None else seed_of(init, self.computed)
        if is_exclusive and init is None:
            self.seed = np.full(1, identity(self.computed, op), self.computed)

    def to(self, writer: Writer, outer: int, length: int, inner: int) -> None:
        most = self.items_of()
        if length * inner <= most:
            self._blocks(writer, outer, length, inner, most // (length * inner))
        elif inner == 1:
            self._lines(writer, outer, length)
        else:
            self._rows(writer, outer, length, inner)

    def _blocks(self, writer: Writer, outer: int, length: int, inner: int, blocks: int) -> None:
        """Scans whole blocks, as they would be scanned in memory."""
        name = next(name for name, number in OPERATIONS.items() if number == self.op)
        of_block = length * inner
        for window in self.windows(outer * of_block, blocks * of_block):
            is_line = outer * inner == 1
            results = _scans.scan(
                window if is_line else window.reshape(-1, length, inner),
                name,
                init=self.init,
                axis=0 if is_line else 1,
                exclusive=self.is_exclusive,
                dtype=self.result,
            )
            writer.append(results, window.nbytes)

    def _lines(self, writer: Writer, outer: int, length: int) -> None:
        """Scans windows of whole tiles, so that the bits are those of one scan."""
        carry = None
        done = 0
        most = self.items_of(_core.scan_tile(np.empty(0, self.computed)))
        for window in self.windows(length, most, outer):
            if done % length == 0:
                carry = self.seed
            items = window.astype(self.computed, copy=False)
            results = np.empty(items.size + 1, self.computed)
            if carry is not None:
                results[0] = carry[0]
            _core.scan(items, results[1:], self.op, False, carry)
            carry = results[-1:].copy()
            writer.append(results[:-1] if self.is_exclusive else results[1:], window.nbytes)
            done += window.size

    def _rows(self, writer: Writer, outer: int, length: int, inner: int) -> None:
        """Scans whole rows, or parts of a row that is longer than a window."""
        row = np.empty(inner, self.computed)
        done = 0
        most = self.items_of()
        if inner <= most:
            windows = self.windows(length * inner, self.items_of(inner), outer)
        else:
            windows = self.windows(inner, most, outer * length)
        for window in windows:
            width = min(inner, window.size)
            before = row[done % inner :][:width]
            begins = done % (length * inner) < inner
            if begins and self.seed is not None:
                before[:] = self.seed
            items = window.astype(self.computed, copy=False)
            results = np.empty_like(items)
            has_carry = not begins or self.seed is not None
            rows = items.size // width
            _core.scan_columns(
                items, results, before, has_carry, self.op, self.is_exclusive, rows, width
            )
            writer.append(results, window.nbytes)
            done += window.size
