#!/usr/bin/env python3
"""Measures calls of the Python package beside NumPy, and those of Numba, pandas, polars, PyTorch and
JAX that are installed. The cases are in python_cases.py.

    bench/python.py [--quick] [--threads N] [--out FILE.json] [--note TEXT]

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
    parser.add_argument("--threads", type=int, help="run on the first N processors only")
    parser.add_argument("--out", help="where the results go, as JSON")
    options = parser.parse_args()
    if options.threads:
        processors = sorted(os.sched_getaffinity(0))
        if not 0 < options.threads <= len(processors):
            parser.error(f"--threads {options.threads}: expected 1 to {len(processors)}")
        os.sched_setaffinity(0, processors[: options.threads])
    # Each package asks how many processors it may use, some of them when they are imported.
    from python_cases import PEERS, cases

    versions = {name: module.__version__ for name, module in PEERS.items()}
    versions["Python"] = platform.python_version()
    results = []
    for name, ours, peers, moved in cases(options.quick):
        calls = {"lookback": ours} | {peer: make() for peer, make in peers.items() if peer in PEERS}
        times = seconds(calls)
        results.append({"case": name, "bytes": moved, "seconds": times})
        told = ", ".join(f"{peer} {took * 1e6:,.2f} us" for peer, took in times.items())
        print(f"{name}: {told}", flush=True)
    if options.out:
        with open(options.out, "w") as file:
            report = {
                "processor": processor(),
                "threads": len(os.sched_getaffinity(0)),
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
