"""Numbers on GPUs: their types, and the types in which they are computed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._frames import Resident
from ._operations import AND, MIN, OR, PRODUCT, SUM, XOR

# The numbers of item_type in src/table/device/device_arrays.hpp; bool is uint8.
TYPES = {
    "int8": 0,
    "int16": 1,
    "int32": 2,
    "int64": 3,
    "uint8": 4,
    "bool": 4,
    "uint16": 5,
    "uint32": 6,
    "uint64": 7,
    "float32": 8,
    "float64": 9,
    "float16": 10,
    "bfloat16": 11,
}
PARTS = {"complex64": "float32", "complex128": "float64"}
WITH_COMPLEX = TYPES | {"complex64": 12, "complex128": 13}  # in sums, products and recurrences
SIZES = {0: 1, 1: 2, 2: 4, 3: 8, 4: 1, 5: 2, 6: 4, 7: 8, 8: 4, 9: 8, 10: 2, 11: 2, 12: 8, 13: 16}
HALVES = {"float16": "float32", "bfloat16": "float32"}  # and the types in which they are computed
NARROW = {name: "int32" for name in ("bool", "int8", "uint8", "int16", "uint16")} | HALVES


def known(at: Resident, name: str = "x", types: Any = TYPES) -> str:
    """The name of the array's type. Raises TypeError if it is none of `types`."""
    if at.dtype not in types:
        expected = "bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32 or float64"
        if types is WITH_COMPLEX:
            expected += ", complex64 or complex128"
        raise TypeError(f"lookback: {name} has dtype {at.dtype}; expected {expected}")
    return at.dtype


def name_of(dtype: Any, frame: Any) -> str:
    """The name of a type that the caller gives."""
    names = getattr(frame, "names", {})
    if dtype in names:
        return str(names[dtype])
    return str(dtype) if str(dtype) in TYPES else np.dtype(dtype).name


def promoted(dtype: str, op: int) -> str:
    """The type in which NumPy accumulates: 64 bits for sums and products of narrow integers."""
    if op in (SUM, PRODUCT) and (dtype == "bool" or "int" in dtype):
        return "uint64" if dtype[0] == "u" else "int64"
    return dtype


def identity(dtype: str, op: int) -> Any:
    if op in (SUM, PRODUCT):
        return op
    if op in (OR, XOR):
        return 0
    if op == AND and dtype != "bool":
        return 2 ** (8 * SIZES[TYPES[dtype]]) - 1 if dtype[0] == "u" else -1
    if "float" in dtype:
        return math.inf if op == MIN else -math.inf
    if dtype == "bool":
        return op in (MIN, AND)
    bits = 8 * SIZES[TYPES[dtype]]
    if dtype[0] == "u":
        return 2**bits - 1 if op == MIN else 0
    return 2 ** (bits - 1) - 1 if op == MIN else -(2 ** (bits - 1))


SIGNED = {"uint32": "int32", "uint64": "int64"}  # they have its order if the first bit is flipped


def turned(frame: Any, x: Any, kind: str) -> Any:
    """Unsigned integers as signed ones in the same order, or signed ones back as unsigned bits."""
    return frame.viewed(x, SIGNED[kind]) ^ -half_of(kind)


def half_of(kind: str) -> int:
    return int(2 ** (8 * SIZES[TYPES[kind]] - 1))


def converted(frame: Any, x: Any, result: str, computed: str) -> Any:
    """Items in the type to fold in. They are first converted to the result's type if it is narrower."""
    kind = frame.resident(x).dtype
    if result in (*NARROW, "uint32") and result not in HALVES and kind != result:
        x, kind = frame.cast(x, result), result
    return frame.plain(x if kind == computed else frame.cast(x, computed))
