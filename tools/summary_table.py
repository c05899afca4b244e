"""The README's table: a few lines of the results in bench/results, each beside a copy and the best
of the others.

    summary_table.py [--document README.md]

Without options it prints the table; --document replaces the text between <!-- summary:begin --> and
<!-- summary:end --> in that file.
"""

import argparse
from pathlib import Path

import bench_result
import compaction_table
import gpu_result
from bench_table import markdown_table, number, replace_section

RESULTS = Path(__file__).parent.parent / "bench" / "results"
# The names of the peers, as readers know them.
GPU_PEERS = {"cub": "CUB", "thrust": "Thrust"}
CPU_PEERS = {"sequential": "sequential", "par_unseq": "`par_unseq`", "tbb": "oneTBB",
             "tbb_simd": "oneTBB", "openmp": "OpenMP", "openmp_simd": "OpenMP",
             "stable_partition": "sequential"}


def row(on, title, ours, copy, peers):
    """A row of the table. All speeds are in GB/s; `peers` maps names to speeds, or to None."""
    best = max((name for name in peers if peers[name] is not None), key=peers.get)
    digits = 0 if ours >= 100 else 1
    return [on, title, f"**{number(ours, digits)}**", number(copy, digits),
            f"{number(peers[best], digits)}, {best}", number(ours / peers[best], 2)]


def gpu_row(name, op, item_type, data, n, title):
    result = gpu_result.load(RESULTS / f"{name}.json")
    cell = next(c for c in gpu_result.line(result, op, item_type, data) if c["n"] == n)
    peers = {title: gpu_result.throughput(cell, who) for who, title in GPU_PEERS.items()}
    return row("H200", title, gpu_result.throughput(cell, "ours"),
               gpu_result.throughput(cell, "copy"), peers)


def cpu_row(cell, throughput, copies, title):
    peers = {}
    for who, name in CPU_PEERS.items():
        if (rate := throughput(cell, who)) is not None:
            peers[name] = max(rate, peers.get(name, rate))
    return row("EPYC", title, throughput(cell, "ours"), throughput(cell, *copies), peers)


def cpu_scan_row(operator, item_type, items, title):
    result = bench_result.load(RESULTS / "cpu.json")
    cell = bench_result.find_cell(result, operator, item_type, items)
    return cpu_row(cell, bench_result.throughput, bench_result.COPIES, title)


def cpu_compaction_row(operation, case, items, title):
    result = compaction_table.load(RESULTS / "cpu_compaction.json")
    cell = next(c for c in result["cells"]
                if (c["operation"], c["case"], c["items"]) == (operation, case, items))
    return cpu_row(cell, lambda c, *names: compaction_table.throughput(c, names),
                   compaction_table.COPIES, title)


def markdown():
    head = ["machine", "case, GB/s", "lookback", "copy", "best of the others", "lookback / best"]
    rows = [
        gpu_row("gpu", "sum", "i32", None, 1 << 30, "sums of 2^30 i32"),
        gpu_row("gpu", "sum", "i32", None, 1 << 16, "sums of 2^16 i32"),
        gpu_row("gpu", "sum", "u8", None, 1 << 32, "sums of 2^32 u8"),
        gpu_row("gpu_compaction", "select_if", "u32", "keep 50 %", 1 << 30,
                "`select_if`, half of 2^30 u32"),
        gpu_row("gpu_compaction", "partition_if", "u32", "keep 50 %", 1 << 30,
                "`partition_if` of 2^30 u32 into one output"),
        cpu_scan_row("sum", "i32", 1 << 28, "sums of 2^28 i32"),
        cpu_compaction_row("select_if", "keep 50 %", 1 << 28, "`select_if`, half of 2^28 u32"),
        cpu_compaction_row("run_length_encode", "mean run 500", 1 << 28,
                           "`run_length_encode` of 2^28 u32, runs of 500"),
    ]
    lines = markdown_table(head, rows)
    lines[1] = "| --- | --- |" + " ---: |" * (len(head) - 2)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--document", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.document:
        replace_section(arguments.document, markdown(), "summary")
    else:
        print(markdown())


if __name__ == "__main__":
    main()
