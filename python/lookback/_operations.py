"""Operations that fold items, and the types that they are computed in."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import is_computed, refused, taken

# As in the table of compiled kernels.
OPERATIONS = {
    "sum": 0,
    "product": 1,
    "prod": 1,
    "min": 2,
    "max": 3,
    "and": 4,
    "or": 5,
    "xor": 6,
}
SUM, PRODUCT, MIN, MAX, AND, OR, XOR = range(7)


def operation_of(op: str) -> int:
    try:
        return OPERATIONS[op]
    except (KeyError, TypeError):
        names = ", ".join(repr(name) for name in OPERATIONS)
        raise ValueError(f"lookback: op is {op!r}; expected one of {names}") from None


def promoted(dtype: np.dtype, op: int) -> np.dtype:
    """What NumPy accumulates in: sums and products of narrow integers in the default integer."""
    if op in (SUM, PRODUCT) and dtype.kind in "biu" and dtype.itemsize < 8:
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return dtype


def result_dtype(a: np.ndarray, dtype: Any, op: int) -> np.dtype:
    result = promoted(a.dtype, op) if dtype is None else np.dtype(dtype)
    result = result.newbyteorder("=")
    is_pair = op in (SUM, PRODUCT) and result.char in "FD"
    if not (is_computed(result) or result.char == "e" or is_pair):
        raise refused(a if dtype is None else np.empty(0, result), "x")
    if result.kind in "fc" and op in (AND, OR, XOR):
        raise TypeError(f"lookback: no bitwise operation on {result}; expected integers or bool")
    if result.kind == "b" and op in (SUM, PRODUCT):
        raise TypeError("lookback: sums and products of bool are of integers: leave dtype out")
    return result


def identity(dtype: np.dtype, op: int) -> Any:
    if op in (SUM, OR, XOR):
        return dtype.type(0)
    if op == PRODUCT:
        return dtype.type(1)
    if op == AND:
        return dtype.type(True) if dtype.kind == "b" else np.invert(dtype.type(0))
    if dtype.kind == "f":
        return dtype.type(np.inf if op == MIN else -np.inf)
    if dtype.kind == "b":
        return dtype.type(op == MIN)
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if op == MIN else limits.min)


def computed_in(result: np.dtype) -> np.dtype:
    """The type to compute results of another type in: float16 is rounded once, at the end."""
    return np.dtype(np.float32) if result.char == "e" else result


def can_begin(given: np.dtype, dtype: np.dtype) -> bool:
    """Whether scans of `dtype` take initial values of the given type (if they can hold them)."""
    are_integers = given.kind in "iub" and dtype.kind in "iu"
    return are_integers or np.can_cast(given, dtype, "same_kind")


def seed_of(init: Any, dtype: np.dtype) -> np.ndarray:
    """An initial value as an array of one item, in the type that is computed in."""
    value = np.asarray(taken(init, "init")[0])
    if value.size != 1 or not can_begin(value.dtype, dtype):
        raise TypeError(f"lookback: init is {init!r}; expected one number of {dtype}")
    number = value.reshape(-1)[0]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= int(number) <= limits.max:
            raise OverflowError(f"lookback: init is {number}, which {dtype} cannot hold")
    return np.full(1, number, dtype)
