"""The table of summed-area tables and box filters on the CPU, from the result of a benchmark.

    cpu_summed_area_table.py RESULT.json [--save FILE] [--document docs/results.md]

RESULT.json is what the benchmark wrote, or what an earlier --save did. Without options it prints the
report; --save also writes the condensed result; --document instead replaces the text between
<!-- bench-summed-area:begin --> and <!-- bench-summed-area:end --> in that file, heading included.

The form is that of bench_result.py, except for the cells: {"operation", "types", "side", "items",
"moved_bytes", "times"}. The bytes are those of the items and of the results.
"""

import bench_result
from bench_result import describe, describe_versions, speedup, time_of
from bench_table import main, markdown_table, number, print_rows

COLUMNS = (("copy", "nontemporal_copy"), ("conversion", "nontemporal_convert"), ("ours", "ours"),
           ("exclusive", "ours_exclusive"), ("OpenCV", "opencv"), ("sequential", "sequential"))
RATIOS = (("ours / OpenCV", "opencv"), ("ours / copy", "nontemporal_copy"),
          ("ours / conversion", "nontemporal_convert"))


def area_cell(operation, types, side, run):
    return {"operation": operation, "types": types, "side": int(side), "items": int(side) ** 2,
            "moved_bytes": int(run["moved_bytes"])}


def load(path):
    return bench_result.load(path, area_cell)


def name_of(cell):
    what = {"summed_area": "table", "box_filter": "box filter, radius 12"}[cell["operation"]]
    types = cell["types"].replace("_", " to ")
    return f"{what}, {types}, {cell['side']} x {cell['side']}"


def throughput(cell, who):
    time = time_of(cell, [who])
    return None if time is None else cell["moved_bytes"] / time


def row(cell):
    return [name_of(cell), *(number(throughput(cell, who)) for _, who in COLUMNS),
            *(number(speedup(cell, "ours", who), 2) for _, who in RATIOS)]


def goals(result):
    """Triples (goal, the number or None, the least that it should be)."""
    for cell in result["cells"]:
        if (cell["operation"], cell["types"], cell["side"]) == ("summed_area", "u8_i32", 8192):
            for text, who, least in (("times OpenCV", "opencv", 1.5),
                                     ("of the copy", "nontemporal_copy", 0.7),
                                     ("of the conversion", "nontemporal_convert", 0.9)):
                yield f"{name_of(cell)}: {least} {text}", speedup(cell, "ours", who), least


def print_report(result):
    titles = [title for title, *_ in (*COLUMNS, *RATIOS)]
    print_rows(result, "GB/s of the items and the results", titles, row, goals)


def markdown(result):
    head = ["", *(title for title, _ in (*COLUMNS, *RATIOS))]
    return "\n".join([
        "## Summed-area tables and box filters on a CPU", "",
        "GB/s of the items and the results (each item read once, each result written once), medians "
        f"of {result['rounds']} interleaved rounds. {describe(result)}; {describe_versions(result)}; "
        f"{result['date']}.", "",
        *markdown_table(head, map(row, result["cells"])), "",
        "*copy*: a non-temporal copy of as many bytes, half of them read, half written, on all "
        "threads. *conversion*: items are read, and written in the type of the results, by the same "
        "stores: the ceiling of tables that do not stay in the caches. *exclusive*: with a row and "
        "a column of zeros, as OpenCV's `integral` has them, too.",
    ])


if __name__ == "__main__":
    main(__doc__, load, print_report, "bench-summed-area", markdown)
