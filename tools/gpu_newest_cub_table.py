"""Tables of scans beside the newest versions of CUB: a report for the terminal, and a section of
docs/results.md.

    gpu_newest_cub_table.py NEWEST.json [RELEASED.json] [--document docs/results.md]

Both are what lookback_bench_gpu wrote: NEWEST.json with the newest CUB there is, RELEASED.json with
the newest release, and is left out if it does not exist. Without options it prints the report;
--document replaces the text between <!-- bench-gpu-newest-cub:begin --> and
<!-- bench-gpu-newest-cub:end --> in that file. A result that is not complete and right is refused.
"""

import argparse
from pathlib import Path

from bench_table import markdown_table, number, replace_section
from gpu_result import describe, describe_versions, line, load, name_of, refuse, throughput
from gpu_table import ALL_LINES, print_head

WAYS = (("", "cub"), (", look-ahead", "cub_lookahead"), (", deterministic", "cub_deterministic"))


def version(result):
    return result["versions"]["cub"]


def ratio(cell):
    """Our speed over that of the best of CUB's ways in the same run."""
    times = [cell.get(f"{who}_us") for _, who in WAYS]
    return min(us for us in times if us is not None) / cell["ours_us"]


def tables(results):
    """The newest result comes last. Returns head, rows in GB/s, rows in microseconds."""
    columns = [(title, place, who) for place, result in enumerate(results)
               for title, who in ((f"CUB {version(result)}{way}", who) for way, who in WAYS)
               if any(cell.get(f"{who}_us") is not None for cell in result["cells"])]
    columns.insert(0, ("**ours**", len(results) - 1, "ours"))

    def row(cells, figure, digits):
        return [name_of(cells[0]),
                *(number(figure(cells[place], who), digits) for _, place, who in columns),
                number(min(map(ratio, cells)), 2)]

    largest = ([line(result, *one)[-1] for result in results] for one in ALL_LINES)
    by_size = zip(*(line(result, "sum", "i32") for result in results), strict=True)
    return (["", *(title for title, _, _ in columns), "ours / best CUB"],
            [row(cells, throughput, 0) for cells in largest],
            [row(cells, lambda cell, who: cell.get(f"{who}_us"), 2) for cells in by_size])


def print_report(results):
    head, large, by_size = tables(results)
    for result in results:
        print_head(result)
        for cell in result["cells"]:
            if "trouble" in cell:
                print(f"{name_of(cell)}: {cell['trouble']}")
    print("GB/s, bytes read and written; then microseconds")
    for row in (head, *large, *by_size):
        print(f"{row[0]:<22}" + "".join(f"{text:>26}" for text in row[1:]))


def markdown(results):
    head, large, by_size = tables(results)
    released, newest = results[:-1], results[-1]
    known = "".join(f"CUB {version(result)}, the newest release, and " for result in released)
    return "\n".join([
        f"Beside {known}CUB {version(newest)}{', in development' if released else ''}: "
        f"GB/s (bytes read + written), medians. {describe(newest)}; {describe_versions(newest)}; "
        f"{newest['date']}.", "",
        *markdown_table(head, large), "",
        "By size, microseconds:", "",
        *markdown_table(head, by_size), "",
        "*look-ahead*: the scan that CUB chooses by itself from compute capability 10.0 on, with "
        "its numbers for 10.0. On this GPU a caller has to ask for it, and needs CUB 3.5: in 3.4.2 "
        "the kernel has code for 10.0 and later only (`NV_PROVIDES_SM_100` in `kernel_scan.cuh`, "
        "line 204). *deterministic*: sums of floats with the same bits in each run "
        "(`determinism::run_to_run`), since 3.5; every scan of ours has them. CUB gets the same "
        "memory at each call. Its kernels, from 3.5 on, may start before the kernel before them "
        "has ended, as ours may. *ours / best CUB*: over the best of CUB's ways in the same run; "
        "of several runs, the least.",
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("newest", type=Path)
    parser.add_argument("released", type=Path, nargs="?")
    parser.add_argument("--document", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    paths = [arguments.newest]
    if arguments.released and arguments.released.exists():
        paths.insert(0, arguments.released)
    results = [load(path) for path in paths]
    for path, result in zip(paths, results):
        refuse(path, result, ALL_LINES)
    if arguments.document:
        replace_section(arguments.document, markdown(results), "bench-gpu-newest-cub")
    else:
        print_report(results)


if __name__ == "__main__":
    main()
