#!/usr/bin/env python3
"""Measures calls of the Python package beside NumPy, and Numba and PyTorch if they are installed.

    bench/python.py [--quick] [--out FILE.json] [--note TEXT]

Times are medians. The peers take turns with lookback, so that other load on the machine slows all
of them down alike.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import time

import numpy as np

import lookback as lb

try:
    import numba
except ImportError:
    numba = None
try:
    import torch
except ImportError:
    torch = None


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


def cases(quick):
    """Yields for each case: its name, our call, {peer: call}, and the bytes to be moved."""
    rng = np.random.default_rng(0)
    fast = numba_calls() if numba else None
    tensor = torch.from_numpy if torch else None

    few = np.arange(10, dtype=np.float32)
    yield (
        "10 f32, sums",
        lambda: lb.cumulative_sum(few),
        {"NumPy": lambda: np.cumsum(few), "Numba": fast and (lambda: fast[0](few))}
        | ({"PyTorch": lambda t=tensor(few): torch.cumsum(t, 0)} if torch else {}),
        0,
    )
    for power in (16, 20, 24 if quick else 27):
        x = rng.random(1 << power, np.float32)
        yield (
            f"2^{power} f32, sums",
            lambda x=x: lb.cumulative_sum(x),
            {"NumPy": lambda x=x: np.cumsum(x), "Numba": fast and (lambda x=x: fast[0](x))}
            | ({"PyTorch": lambda t=tensor(x): torch.cumsum(t, 0)} if torch else {}),
            2 * x.nbytes,
        )
    out = np.empty_like(x)
    yield (
        f"2^{power} f32, sums into an array that is there",
        lambda: lb.cumulative_sum(x, out=out),
        {"NumPy": lambda: np.cumsum(x, out=out)}
        | ({"PyTorch": lambda t=tensor(x), o=tensor(out): torch.cumsum(t, 0, out=o)} if torch else {}),
        2 * x.nbytes,
    )
    x, power = x[: 1 << 24], 24
    yield (
        f"2^{power} f32, maxima",
        lambda: lb.cumulative_max(x),
        {"NumPy": lambda: np.maximum.accumulate(x)}
        | ({"PyTorch": lambda t=tensor(x): torch.cummax(t, 0)} if torch else {}),
        2 * x.nbytes,
    )
    side = 1 << (11 if quick else 12)
    matrix = rng.random((side, side), np.float32)
    for axis in (0, 1):
        yield (
            f"{side} x {side} f32, sums along axis {axis}",
            lambda axis=axis: lb.cumulative_sum(matrix, axis=axis),
            {"NumPy": lambda axis=axis: np.cumsum(matrix, axis=axis)}
            | ({"PyTorch": lambda a=axis, t=tensor(matrix): torch.cumsum(t, a)} if torch else {}),
            2 * matrix.nbytes,
        )
    yield (
        f"{side} x {side} f32, summed-area table",
        lambda: lb.summed_area_table(matrix),
        {"NumPy": lambda: matrix.cumsum(0).cumsum(1)},
        2 * matrix.nbytes,
    )
    mask = rng.random(x.size) < 0.5
    yield (
        f"2^{power} f32, half of them by a mask",
        lambda: lb.select(x, mask),
        {"NumPy": lambda: x[mask]}
        | ({"PyTorch": lambda t=tensor(x), m=tensor(mask): t[m]} if torch else {}),
        x.nbytes * 3 // 2 + mask.nbytes,
    )
    yield (
        f"2^{power} bool to int64, sums",
        lambda: lb.cumulative_sum(mask),
        {"NumPy": lambda: np.cumsum(mask)}
        | ({"PyTorch": lambda m=tensor(mask): torch.cumsum(m, 0)} if torch else {}),
        9 * mask.nbytes,
    )
    offsets = np.append(np.arange(0, x.size, 50), x.size)
    yield (
        f"2^{power} f32, sums of segments of 50",
        lambda: lb.segment_sum(x, offsets),
        {"NumPy": lambda: np.add.reduceat(x, offsets[:-1]), "Numba": fast and (lambda: fast[2](x, offsets))},
        x.nbytes + offsets.nbytes,
    )
    runs = np.sort(rng.integers(0, x.size // 50, x.size).astype(np.int32))
    yield (
        f"2^{power} i32, runs of 50 and their lengths",
        lambda: lb.run_length_encode(runs),
        {"NumPy": lambda: np.unique(runs, return_counts=True)}
        | (
            {"PyTorch": lambda t=tensor(runs): torch.unique_consecutive(t, return_counts=True)}
            if torch
            else {}
        ),
        runs.nbytes,
    )
    del runs
    factors = rng.uniform(0, 1, x.size // 8).astype(np.float32)
    added = x[: factors.size]
    yield (
        f"2^{power - 3} f32, a linear recurrence",
        lambda: lb.linear_recurrence(factors, added),
        {
            "NumPy, a loop": (lambda: recurrence(factors, added)) if quick else None,
            "Numba": fast and (lambda: fast[1](factors, added)),
        },
        3 * added.nbytes,
    )
    words = rng.integers(0, 1 << 32, 1 << (20 if quick else 24), np.uint32)
    yield (
        f"2^{20 if quick else 24} u32, sorted",
        lambda: lb.sort(words),
        {"NumPy": lambda: np.sort(words)}
        | ({"PyTorch": lambda t=tensor(words.view(np.int32)): torch.sort(t)} if torch else {}),
        0,
    )
    yield (
        f"2^{20 if quick else 24} u32, their order",
        lambda: lb.argsort(words),
        {"NumPy": lambda: np.argsort(words, kind="stable")},
        0,
    )


def seconds(calls):
    """The median time of each call. The calls take turns: for 0.3 s each, at least three times."""
    rounds = {name: [] for name in calls}
    repeats = {}
    for name, call in calls.items():
        call()
        start = time.perf_counter()
        call()
        repeats[name] = max(1, int(0.002 / (time.perf_counter() - start)))
    end = time.perf_counter() + 0.3 * len(calls)
    turns = 0
    while turns < 3 or time.perf_counter() < end:
        turns += 1
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            rounds[name].append((time.perf_counter() - start) / repeats[name])
    return {name: statistics.median(times) for name, times in rounds.items()}


def processor():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def commit():
    command = ["git", "-C", os.path.dirname(os.path.abspath(__file__)), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--note", default="", help="what else is to be said of the results")
    parser.add_argument("--quick", action="store_true", help="smaller arrays")
    parser.add_argument("--out", help="where the results go, as JSON")
    options = parser.parse_args()
    versions = {"NumPy": np.__version__, "Python": platform.python_version()}
    if numba:
        versions["Numba"] = numba.__version__
    if torch:
        versions["PyTorch"] = torch.__version__
    results = []
    for name, ours, peers, moved in cases(options.quick):
        calls = {"lookback": ours} | {peer: call for peer, call in peers.items() if call}
        times = seconds(calls)
        results.append({"case": name, "bytes": moved, "seconds": times})
        told = ", ".join(f"{peer} {took * 1e6:,.2f} us" for peer, took in times.items())
        print(f"{name}: {told}", flush=True)
    if options.out:
        with open(options.out, "w") as file:
            report = {
                "processor": processor(),
                "threads": os.cpu_count(),
                "commit": commit(),
                "date": time.strftime("%Y-%m-%d"),
                "note": options.note,
                "versions": versions,
                "results": results,
            }
            json.dump(report, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
