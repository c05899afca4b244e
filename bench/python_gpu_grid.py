"""The grid that bench/python_gpu.py measures: cumulative sums, products and maxima of every type, from
1 item on, beside the peers.
"""

from typing import Any, Callable, NamedTuple

import torch

import lookback as lb
from python_gpu_cases import cupy, jax, numbers, peers


class Type(NamedTuple):
    name: str
    items: torch.dtype
    results: torch.dtype


I32 = Type("i32", torch.int32, torch.int32)
I64 = Type("i64", torch.int64, torch.int64)
FLOATS = [
    Type("f16", torch.float16, torch.float16),
    Type("f32", torch.float32, torch.float32),
    Type("f64", torch.float64, torch.float64),
]
TO_I64 = [Type("i32 to i64", torch.int32, torch.int64), Type("bool to i64", torch.bool, torch.int64)]
SCANS = {
    "sum": (lb.cumulative_sum, torch.cumsum, [I32, *TO_I64, I64, *FLOATS]),
    "product": (lb.cumulative_prod, torch.cumprod, [*TO_I64, I64, *FLOATS]),
    "max": (lb.cumulative_max, torch.cummax, [I32, Type("bool", torch.bool, torch.bool), I64, *FLOATS]),
}


class Place(NamedTuple):
    """Where items lie, and along which axis they are scanned."""

    name: str
    shape: tuple[int, ...]
    axis: int = 0
    first: int = 0  # items from a boundary of many bytes
    has_jax: bool = False  # which compiles every shape anew


def places(quick: bool) -> list[Place]:
    powers = (0, 4, 8, 12, 16, 18, 20) if quick else (0, 4, 8, 12, 16, 18, 20, 22, 24, 26)
    found = [
        Place(f"2^{power}" if power else "1", (1 << power,), has_jax=power in (0, 20, 26))
        for power in powers
    ]
    large = powers[-1] // 4 * 4  # a square of a power of two
    side = 1 << large // 2
    found.append(Place(f"2^{large} of x[1:]", (1 << large,), first=1))
    for axis in (0, 1):
        found.append(Place(f"{side} x {side}, axis {axis}", (side, side), axis))
    return found


def theirs(op: str, kind: Type, place: Place, by_torch: Callable, how: dict) -> dict[str, Callable]:
    """The peers' calls. CuPy has no maxima."""
    axis, results = place.axis, str(kind.results).removeprefix("torch.")
    calls = {"PyTorch": lambda x: by_torch(x, axis, **how)}
    if cupy is not None and op != "max":
        by_cupy = cupy.cumsum if op == "sum" else cupy.cumprod
        calls["CuPy"] = lambda x: by_cupy(x, axis=axis, dtype=results)
    if jax is not None and place.has_jax:
        if op == "max":
            calls["JAX"] = lambda x: jax.lax.cummax(x, axis)
        else:
            by_jax = jax.numpy.cumsum if op == "sum" else jax.numpy.cumprod
            calls["JAX"] = lambda x: by_jax(x, axis=axis, dtype=results)
    return calls


def grid(quick: bool) -> Any:
    """Yields for each cell: the scan, the place, our call, the peers' calls, the bytes to be moved."""
    for place in places(quick):
        count = torch.Size(place.shape).numel()
        for op, (ours, by_torch, types) in SCANS.items():
            for kind in types:
                x = numbers(kind.items, count + place.first)[place.first :].reshape(place.shape)
                how = {"dtype": torch.int32} if (op, kind) == ("sum", I32) else {}
                calls = theirs(op, kind, place, by_torch, how)
                moved = count * (kind.items.itemsize + kind.results.itemsize)
                yield (
                    f"{op} {kind.name}",
                    place.name,
                    lambda x=x, ours=ours, axis=place.axis, how=how: ours(x, axis=axis, **how),
                    peers(x, **calls),
                    moved,
                )
