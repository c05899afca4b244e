"""The results of the GPU benchmark, as lookback_bench_gpu writes them.

A result is a dictionary with "hardware", "versions", "date", "method", "summary", "goals" and
"cells". A cell is {"op", "type", "n", "item_bytes", "ours_us", "cub_us", ...}; what was not
measured is None or missing.
"""

import json
from pathlib import Path


def load(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def wrong_cells(result):
    """The cells whose results were not found right, or that have no time of ours."""
    return [c for c in result["cells"] if not c["checked"] or c["ours_us"] is None]


def name_of(cell):
    return f"{cell['op']} {cell['type']} 2^{cell['n'].bit_length() - 1}"


def throughput(cell, who):
    """GB/s, bytes read and written, or None."""
    us = cell.get(f"{who}_us")
    return None if us is None else 2 * cell["n"] * cell["item_bytes"] / us / 1e3


def line(result, op, item_type):
    """The cells of an operator and a type, by size."""
    return sorted((c for c in result["cells"] if (c["op"], c["type"]) == (op, item_type)),
                  key=lambda c: c["n"])


def describe(result):
    """The device, in a line."""
    hardware = result["hardware"]
    return (f"{hardware['device']}, {hardware['multiprocessors']} multiprocessors, "
            f"{hardware['l2_bytes'] / 2**20:.0f} MiB of L2")


def describe_versions(result):
    versions, hardware = result["versions"], result["hardware"]
    return (f"lookback {versions['lookback']} ({versions['commit']}), CUB {versions['cub']}, "
            f"nvcc {versions['nvcc']}, driver for CUDA {hardware['driver_cuda']}")
