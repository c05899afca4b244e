"""The results of GPU benchmarks, as lookback_bench_gpu and lookback_bench_gpu_compaction write them.

A result is a dictionary with "hardware", "versions", "date", "method", "summary", "goals" and
"cells". A cell is {"op", "type", "n", "item_bytes", "ours_us", "cub_us", ...}, with "data" and
"least_bytes" for compactions and runs. A number that was not measured is None or
missing.
"""

import json
from pathlib import Path


def load(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def wrong_cells(result):
    """The cells whose results were wrong or not checked, or that have no time of ours."""
    return [c for c in result["cells"] if not c["checked"] or c["ours_us"] is None]


def refuse(path, result, lines):
    """Ends the program if the result is not right, or does not have all of `lines`."""
    if wrong := wrong_cells(result):
        raise SystemExit(f"{path}: not right or not timed: " + ", ".join(map(name_of, wrong)))
    if missing := [" ".join(one) for one in lines if not line(result, *one)]:
        raise SystemExit(f"{path}: not measured: {', '.join(missing)}")


def name_of(cell):
    words = (cell["op"], cell["type"], cell.get("data"), count_text(cell["n"]))
    return " ".join(word for word in words if word)


def count_text(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def throughput(cell, who):
    """GB/s, counting the bytes that have to be read and written, or None."""
    us = cell.get(f"{who}_us")
    copied = 2 * cell["n"] * cell["item_bytes"]
    moved = copied if who == "copy" else cell.get("least_bytes", copied)
    return None if us is None else moved / us / 1e3


def billions_a_second(cell, who):
    us = cell.get(f"{who}_us")
    return None if us is None else cell["n"] / us / 1e3


def line(result, op, item_type, data=None):
    """The cells of an operation, a type and a kind of data, by size."""
    return sorted((c for c in result["cells"]
                   if (c["op"], c["type"], c.get("data")) == (op, item_type, data)),
                  key=lambda c: c["n"])


def describe(result):
    """The device, in one line."""
    hardware = result["hardware"]
    return (f"{hardware['device']}, {hardware['multiprocessors']} multiprocessors, "
            f"{hardware['l2_bytes'] / 2**20:.0f} MiB of L2")


def describe_versions(result):
    versions, hardware = result["versions"], result["hardware"]
    return (f"lookback {versions['lookback']} ({versions['commit']}), CUB {versions['cub']}, "
            f"nvcc {versions['nvcc']}, driver for CUDA {hardware['driver_cuda']}")


def caption(result, also="arrays that fit in the L2 stay there"):
    """The text below a figure's title: the device, the date and the versions."""
    return f"{describe(result)}; {result['date']}; {also}\n{describe_versions(result)}"


def traffic_of(cell):
    """The bytes read and the bytes written that measure-traffic counted, in arrays of n items."""
    array = cell["n"] * cell["item_bytes"]
    return cell["read_bytes"] / array, cell["written_bytes"] / array
