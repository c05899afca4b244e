"""The table of selections, runs and segments on the CPU, from the result of a benchmark.

    compaction_table.py RESULT.json [--save FILE] [--document docs/results.md]

RESULT.json is what the benchmark wrote, or what an earlier --save did. Without options it prints the
report; --save also writes the condensed result; --document instead replaces the text between
<!-- bench-compaction:begin --> and <!-- bench-compaction:end --> in that file.

The form is that of bench_result.py, except for the cells: {"operation", "case", "items",
"moved_bytes", "times"}. The bytes are the fewest that the operation has to move.
"""

import bench_result
from bench_result import describe, describe_versions, speedup, time_of
from bench_table import main, markdown_table, number, print_rows

COPIES = ("nontemporal_copy", "memcpy_all")
PARALLEL_PEERS = ("par_unseq", "tbb")
PEERS = ("sequential", "stable_partition", *PARALLEL_PEERS)
COLUMNS = (("copy", COPIES), ("ours", ("ours",)), ("in place", ("ours_in_place",)),
           ("`par_unseq`", ("par_unseq",)), ("oneTBB, two passes", ("tbb",)),
           ("sequential", ("sequential", "stable_partition")), ("plain scan", ("plain_scan",)))
RATIOS = (("ours / best peer", PEERS), ("ours / copy", COPIES))


def compaction_cell(operation, case, items, run):
    return {"operation": operation, "case": case, "items": int(items),
            "moved_bytes": int(run["moved_bytes"])}


def load(path):
    return bench_result.load(path, compaction_cell)


def name_of(cell):
    return f"{cell['operation']}, {cell['case']}, 2^{cell['items'].bit_length() - 1}"


def throughput(cell, names):
    best = time_of(cell, names)
    return None if best is None else cell["moved_bytes"] / best


def row(cell):
    return [name_of(cell), *(number(throughput(cell, names)) for _, names in COLUMNS),
            *(number(speedup(cell, "ours", *names), 2) for _, names in RATIOS)]


def goals(result):
    """Triples (goal, the number or None, the least that it should be), at the largest size
    measured."""
    def beside_plain_scan(cell):
        faster = speedup(cell, "ours", "plain_scan")
        plain_bytes = 2 * 4 * cell["items"]
        return None if faster is None else faster * cell["moved_bytes"] / plain_bytes

    for operation, case, text, least, ratio in (
            ("select_if", "keep 50 %", "times the best parallel peer", 3,
             lambda cell: speedup(cell, "ours", *PARALLEL_PEERS)),
            ("select_if", "keep 50 %", "of the copy", 0.6,
             lambda cell: speedup(cell, "ours", *COPIES)),
            ("select_if", "keep 50 %", "of its speed, in place", 1 / 1.05,
             lambda cell: speedup(cell, "ours_in_place", "ours")),
            ("run_length_encode", "mean run 500", "times sequential code", 3,
             lambda cell: speedup(cell, "ours", "sequential")),
            ("reduce_by_key", "mean run 500", "times sequential code", 3,
             lambda cell: speedup(cell, "ours", "sequential")),
            ("scan_by_key", "mean run 500", "of the plain scan's bytes a second", 0.7,
             beside_plain_scan),
            ("segmented_scan", "mean run 500", "of the plain scan's bytes a second", 0.7,
             beside_plain_scan)):
        found = [cell for cell in result["cells"]
                 if (cell["operation"], cell["case"]) == (operation, case)]
        if found:
            cell = max(found, key=lambda c: c["items"])
            yield f"{name_of(cell)}: {least:.2f} {text}", ratio(cell), least


def print_report(result):
    titles = [title for title, *_ in (*COLUMNS, *RATIOS)]
    print_rows(result, "GB/s of the bytes that have to move", titles, row, goals)


def markdown(result):
    """The section: the sizes that fit no cache."""
    head = ["", *(title for title, _ in (*COLUMNS, *RATIOS))]
    large = [row(cell) for cell in result["cells"] if cell["items"] >= 1 << 26]
    return "\n".join([
        "Selections, runs and segments of u32 items, f32 values: GB/s of the bytes that have to "
        "move (each item read once, each result written once), medians of "
        f"{result['rounds']} interleaved rounds. {describe(result)}; {describe_versions(result)}; "
        f"{result['date']}.", "",
        *markdown_table(head, large), "",
        "*copy*: the better of `memcpy` and a non-temporal copy of as many bytes, on all threads. "
        "*sequential*: the standard library's algorithm if it has one, else a loop. *plain scan*: "
        "the bytes of the row, divided by the time of a scan of the values as one segment.",
    ])


if __name__ == "__main__":
    main(__doc__, load, print_report, "bench-compaction", markdown)
