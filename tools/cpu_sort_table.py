"""The table of sorting on the CPU, from the result of a benchmark.

    cpu_sort_table.py RESULT.json [--save FILE] [--document docs/results.md]

RESULT.json is what the benchmark wrote, or what an earlier --save did. Without options it prints the
report; --save also writes the condensed result; --document instead replaces the text between
<!-- bench-sort:begin --> and <!-- bench-sort:end --> in that file.

The form is that of bench_result.py, except for the cells: {"operation", "data", "items", "times"}.
"""

import bench_result
from bench_result import describe, describe_versions, speedup, time_of
from bench_table import main, markdown_table, number, print_rows

STABLE_PEERS = ("std_stable_sort", "par_unseq_stable", "parlay_integer_sort")
COLUMNS = (("ours", "ours"), ("one thread", "ours_1_thread"), ("in place", "ours_in_place"),
           ("`std::sort`", "std_sort"), ("`std::stable_sort`", "std_stable_sort"),
           ("`stable_sort(par_unseq)`", "par_unseq_stable"), ("`tbb::parallel_sort`", "tbb_sort"),
           ("vqsort, one thread", "vqsort"), ("x86-simd-sort", "x86_simd_sort"),
           ("parlay integer_sort", "parlay_integer_sort"), ("copy", "memcpy_all"))
PEERS = ("std_sort", "std_stable_sort", "par_unseq_stable", "tbb_sort", "vqsort", "x86_simd_sort",
         "parlay_integer_sort")
ONE_THREAD = ("std_sort", "std_stable_sort", "vqsort")
RATIOS = (("ours / best stable peer", "ours", STABLE_PEERS), ("ours / best peer", "ours", PEERS),
          ("one thread / best on one", "ours_1_thread", ONE_THREAD))


def sort_cell(operation, data, items, _):
    return {"operation": operation, "data": data, "items": int(items)}


def load(path):
    return bench_result.load(path, sort_cell)


def name_of(cell):
    return f"{cell['operation']}, {cell['data']}, 2^{cell['items'].bit_length() - 1}"


def rate(cell, who):
    """Millions of keys a second."""
    time = time_of(cell, [who])
    return None if time is None else 1e3 * cell["items"] / time


def row(cell):
    return [name_of(cell), *(number(rate(cell, who), 0) for _, who in COLUMNS),
            *(number(speedup(cell, who, *peers), 2) for _, who, peers in RATIOS)]


def goals(result):
    """Triples (goal, the number or None, the least that it should be), at 2^26."""
    for operation, text, least, figure in (
            ("sort_keys u32", "Mkeys/s", 300, lambda cell: rate(cell, "ours")),
            ("sort_keys u64", "Mkeys/s", 160, lambda cell: rate(cell, "ours")),
            ("sort_pairs u32+u32", "times the best stable peer", 1.5,
             lambda cell: speedup(cell, "ours", *STABLE_PEERS))):
        for cell in result["cells"]:
            if (cell["operation"], cell["data"], cell["items"]) == (operation, "random", 1 << 26):
                yield f"{name_of(cell)}: {least} {text}", figure(cell), least


def print_report(result):
    titles = [title for title, *_ in (*COLUMNS, *RATIOS)]
    print_rows(result, "Millions of keys a second", titles, row, goals)


def markdown(result):
    """The section: an implementation has a column if a cell has its time."""
    shown = [(title, who) for title, who in COLUMNS
             if any(who in cell["times"] for cell in result["cells"])]
    head = ["", *(title for title, _ in shown), *(title for title, *_ in RATIOS[:2])]
    rows = ([name_of(cell), *(number(rate(cell, who), 0) for _, who in shown),
             *(number(speedup(cell, who, *peers), 2) for _, who, peers in RATIOS[:2])]
            for cell in result["cells"])
    return "\n".join([
        f"Millions of keys a second, medians of {result['rounds']} interleaved rounds. "
        f"{describe(result)}; {describe_versions(result)}; {result['date']}.", "",
        *markdown_table(head, rows), "",
        "All results were checked. Each call of up to 2^17 keys sorts other keys than the call "
        "before. Peers sort in place, and pairs as structures (except x86-simd-sort). The time to "
        "restore their input is included only up to 2^14 keys. *skewed*: keys of all magnitudes, "
        "each equally likely; *low entropy*: a bit is set if three random words all have it. "
        "*copy*: `memcpy` of as many bytes, on all threads.",
    ])


if __name__ == "__main__":
    main(__doc__, load, print_report, "bench-sort", markdown)
