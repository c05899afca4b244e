"""The cases of bench/python.py: lookback's calls, and the same by other packages.

A case has a name, our call, a maker of a call for each peer that has the function, and the bytes to
be moved. Makers are used for the packages that are installed, and may prepare the package's own
arrays: only the call is measured.
"""

import importlib
from functools import partial

import numpy as np

import lookback as lb

MODULES = {  # of each peer
    "NumPy": "numpy",
    "Numba": "numba",
    "pandas": "pandas",
    "polars": "polars",
    "PyTorch": "torch",
    "JAX": "jax",
}


def installed(name):
    try:
        return importlib.import_module(MODULES[name])
    except ImportError:
        return None


PEERS = {name: module for name in MODULES if (module := installed(name))}
numba, pandas, polars, torch, jax = (PEERS.get(name) for name in list(MODULES)[1:])
if jax:
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")


def recurrence(a, x):
    y = np.empty_like(x)
    last = x.dtype.type(0)
    for i in range(x.size):
        last = a[i] * last + x[i]
        y[i] = last
    return y


def numba_calls():
    """Sums as one would write them for Numba: blocks in parallel, in two passes."""

    @numba.njit(parallel=True)
    def cumulative_sum(x):
        workers = numba.get_num_threads()
        out = np.empty_like(x)
        ends = np.zeros(workers + 1, x.dtype)
        share = (x.size + workers - 1) // workers
        for w in numba.prange(workers):
            total = x.dtype.type(0)
            for i in range(w * share, min(x.size, (w + 1) * share)):
                total += x[i]
            ends[w + 1] = total
        ends = np.cumsum(ends)
        for w in numba.prange(workers):
            total = ends[w]
            for i in range(w * share, min(x.size, (w + 1) * share)):
                total += x[i]
                out[i] = total
        return out

    @numba.njit(parallel=True)
    def segment_sums(x, offsets):
        sums = np.empty(offsets.size - 1, x.dtype)
        for s in numba.prange(sums.size):
            sums[s] = x[offsets[s] : offsets[s + 1]].sum()
        return sums

    return cumulative_sum, numba.njit(recurrence), segment_sums


def tensor(a):
    return torch.from_numpy(a)


def by_jax(function, *arrays):
    """A call of a compiled function, which waits for its results."""
    there = [jax.numpy.asarray(a) for a in arrays]
    compiled = jax.jit(function)
    return lambda: jax.block_until_ready(compiled(*there))


def after(f, g):
    """The map that applies f, then g, of the maps y -> a * y + x of a linear recurrence."""
    return f[0] * g[0], g[0] * f[1] + g[1]


def sums(name, x, fast):
    return (
        name,
        lambda: lb.cumulative_sum(x),
        {
            "NumPy": lambda: partial(np.cumsum, x),
            "Numba": lambda: partial(fast[0], x),
            "pandas": lambda: pandas.Series(x).cumsum,
            "polars": lambda: polars.Series(x).cum_sum,
            "PyTorch": lambda: partial(torch.cumsum, tensor(x), 0),
            "JAX": lambda: by_jax(jax.numpy.cumsum, x),
        },
        2 * x.nbytes,
    )


def squares(side, rng):
    matrix = rng.random((side, side), np.float32)
    for axis in (0, 1):
        yield (
            f"{side} x {side} f32, sums along axis {axis}",
            lambda: lb.cumulative_sum(matrix, axis=axis),
            {
                "NumPy": lambda: partial(np.cumsum, matrix, axis=axis),
                "pandas": lambda: partial(pandas.DataFrame(matrix).cumsum, axis=axis),
                "PyTorch": lambda: partial(torch.cumsum, tensor(matrix), axis),
                "JAX": lambda: by_jax(partial(jax.numpy.cumsum, axis=axis), matrix),
            },
            2 * matrix.nbytes,
        )
    yield (
        f"{side} x {side} f32, summed-area table",
        lambda: lb.summed_area_table(matrix),
        {"NumPy": lambda: lambda: matrix.cumsum(0).cumsum(1)},
        2 * matrix.nbytes,
    )


def cases(quick):
    rng = np.random.default_rng(0)
    fast = numba_calls() if numba else None
    few = np.arange(10, dtype=np.float32)
    yield *sums("10 f32, sums", few, fast)[:3], 0
    for power in (16, 20, 24 if quick else 27):
        x = rng.random(1 << power, np.float32)
        yield sums(f"2^{power} f32, sums", x, fast)
    out = np.empty_like(x)
    yield (
        f"2^{power} f32, sums into an array that is there",
        lambda: lb.cumulative_sum(x, out=out),
        {
            "NumPy": lambda: partial(np.cumsum, x, out=out),
            "PyTorch": lambda: partial(torch.cumsum, tensor(x), 0, out=tensor(out)),
        },
        2 * x.nbytes,
    )
    del out
    x = x[: 1 << 24].copy()
    yield (
        "2^24 f32, maxima",
        lambda: lb.cumulative_max(x),
        {
            "NumPy": lambda: partial(np.maximum.accumulate, x),
            "pandas": lambda: pandas.Series(x).cummax,
            "polars": lambda: polars.Series(x).cum_max,
            "PyTorch": lambda: partial(torch.cummax, tensor(x), 0),
            "JAX": lambda: by_jax(jax.lax.cummax, x),
        },
        2 * x.nbytes,
    )
    for side in (1 << 11, 1 << 12) if quick else (1 << 12, 1 << 14):
        yield from squares(side, rng)
    yield from kept(x, rng, fast)
    yield from sorted_words(1 << (20 if quick else 24), rng)
    factors = rng.uniform(0, 1, x.size // 8).astype(np.float32)
    added = x[: factors.size]
    yield (
        "2^21 f32, a linear recurrence",
        lambda: lb.linear_recurrence(factors, added),
        {
            "Numba": lambda: partial(fast[1], factors, added),
            "JAX": lambda: by_jax(
                lambda a, x: jax.lax.associative_scan(after, (a, x))[1], factors, added
            ),
        },
        3 * added.nbytes,
    )


def kept(x, rng, fast):
    mask = rng.random(x.size) < 0.5
    yield (
        "2^24 f32, half of them by a mask",
        lambda: lb.select(x, mask),
        {
            "NumPy": lambda: lambda: x[mask],
            "pandas": lambda: partial(pandas.Series(x).__getitem__, pandas.Series(mask)),
            "polars": lambda: partial(polars.Series(x).filter, polars.Series(mask)),
            "PyTorch": lambda: partial(tensor(x).__getitem__, tensor(mask)),
        },
        x.nbytes * 3 // 2 + mask.nbytes,
    )
    yield (
        "2^24 bool to int64, sums",
        lambda: lb.cumulative_sum(mask),
        {
            "NumPy": lambda: partial(np.cumsum, mask),
            "PyTorch": lambda: partial(torch.cumsum, tensor(mask), 0),
            "JAX": lambda: by_jax(jax.numpy.cumsum, mask),
        },
        9 * mask.nbytes,
    )
    offsets = np.append(np.arange(0, x.size, 50), x.size)
    segments = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    yield (
        "2^24 f32, sums of segments of 50",
        lambda: lb.segment_sum(x, offsets),
        {
            "NumPy": lambda: partial(np.add.reduceat, x, offsets[:-1]),
            "Numba": lambda: partial(fast[2], x, offsets),
            "PyTorch": lambda: partial(
                torch.segment_reduce, tensor(x), "sum", offsets=tensor(offsets)
            ),
            "JAX": lambda: by_jax(
                partial(
                    jax.ops.segment_sum, num_segments=offsets.size - 1, indices_are_sorted=True
                ),
                x,
                segments,
            ),
        },
        x.nbytes + offsets.nbytes,
    )
    del segments
    runs = np.sort(rng.integers(0, x.size // 50, x.size).astype(np.int32))
    yield (
        "2^24 i32, runs of 50 and their lengths",
        lambda: lb.run_length_encode(runs),
        {
            "NumPy": lambda: partial(np.unique, runs, return_counts=True),
            "polars": lambda: polars.Series(runs).rle,
            "PyTorch": lambda: partial(
                torch.unique_consecutive, tensor(runs), return_counts=True
            ),
        },
        runs.nbytes,
    )


def sorted_words(items, rng):
    words = rng.integers(0, 1 << 32, items, np.uint32)
    name = f"2^{items.bit_length() - 1} u32"
    yield (
        f"{name}, sorted",
        lambda: lb.sort(words),
        {
            "NumPy": lambda: partial(np.sort, words),
            "pandas": lambda: pandas.Series(words).sort_values,
            "polars": lambda: polars.Series(words).sort,
            "PyTorch": lambda: partial(torch.sort, tensor(words.view(np.int32))),
            "JAX": lambda: by_jax(jax.numpy.sort, words),
        },
        0,
    )
    yield (
        f"{name}, their order",
        lambda: lb.argsort(words),
        {
            "NumPy": lambda: partial(np.argsort, words, kind="stable"),
            "polars": lambda: polars.Series(words).arg_sort,
            "PyTorch": lambda: partial(torch.argsort, tensor(words.view(np.int32)), stable=True),
            "JAX": lambda: by_jax(jax.numpy.argsort, words),
        },
        0,
    )
