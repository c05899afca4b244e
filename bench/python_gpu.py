#!/usr/bin/env python3
"""Measures the Python package on a GPU beside PyTorch, CuPy and JAX, for
bench/results/python_gpu.json.

A time is that of one of many calls in a row; waiting for the last call is included. `copy` is the
time of a copy that moves as many bytes as the call has to move. The cases are in
python_gpu_cases.py; those of cumulative sums, products and maxima are a grid, python_gpu_grid.py.
"""

import argparse
import json
import platform
import statistics
import time

import numpy as np
import torch

from python_gpu_cases import GPU, cases, cupy, jax
from python_gpu_grid import grid


def settle(result):
    """Waits until the GPU has done all its work."""
    if jax is not None and isinstance(result, jax.Array):
        result.block_until_ready()
    torch.cuda.synchronize()


def seconds(call):
    """The time of one of many calls in a row: the median of five rounds, or of two long ones."""
    settle(call())
    start = time.perf_counter()
    settle(call())
    once = time.perf_counter() - start
    repeats = max(1, min(2000, int(0.004 / once)))
    times = []
    for _ in range(2 if once > 0.05 else 5):
        start = time.perf_counter()
        for _ in range(repeats):
            result = call()
        settle(result)
        times.append((time.perf_counter() - start) / repeats)
    return statistics.median(times)


def copy_of(moved):
    x = torch.empty(max(moved // 2, 1), dtype=torch.uint8, device=GPU)
    y = torch.empty_like(x)
    return seconds(lambda: y.copy_(x))


def measured(name, ours, others, moved):
    """The seconds of the copy, of our call and of the peers' calls; prints them."""
    times = {"copy": copy_of(moved)} if moved else {}
    for who, call in {"lookback": ours, **others}.items():
        try:
            times[who] = seconds(call)
        except Exception as error:  # printed, and left out of the results
            print(f"  {who}: {type(error).__name__}: {str(error)[:200]}", flush=True)
        torch.cuda.empty_cache()
        if cupy is not None:
            cupy.get_default_memory_pool().free_all_blocks()
    told = ", ".join(f"{who} {took * 1e6:,.1f}" for who, took in times.items())
    print(f"{name}: {told} us", flush=True)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--note", default="", help="what else is to be said of the results")
    parser.add_argument("--commit", default="", help="what was measured")
    parser.add_argument("--quick", action="store_true", help="smaller arrays")
    parser.add_argument("--only", default="", help="cases with this in their names")
    parser.add_argument("--out", help="where the results go, as JSON")
    options = parser.parse_args()
    versions = {"Python": platform.python_version(), "PyTorch": torch.__version__}
    versions["NumPy"] = np.__version__
    if cupy is not None:
        versions["CuPy"] = cupy.__version__
    if jax is not None:
        versions["JAX"] = jax.__version__
    results, cells = [], []

    def keep():
        if options.out:
            report = {
                "gpu": torch.cuda.get_device_name(),
                "commit": options.commit,
                "date": time.strftime("%Y-%m-%d"),
                "note": options.note,
                "versions": versions,
                "results": results,
                "grid": cells,
            }
            with open(options.out, "w") as file:
                json.dump(report, file, indent=1)
                file.write("\n")

    for name, *calls, moved in cases(options.quick):
        if options.only in name:
            times = measured(name, *calls, moved)
            results.append({"case": name, "bytes": moved, "seconds": times})
            keep()
    for scan, place, *calls, moved in grid(options.quick):
        if options.only in f"{scan}, {place}":
            times = measured(f"{scan}, {place}", *calls, moved)
            cells.append({"scan": scan, "place": place, "bytes": moved, "seconds": times})
            keep()


if __name__ == "__main__":
    main()
