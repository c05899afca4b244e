"""Tables of a GPU benchmark's result: a report for the terminal, and a section of docs/results.md.

    gpu_table.py RESULT.json [--document docs/results.md]

RESULT.json is what lookback_bench_gpu wrote. Without options it prints the report; --document
replaces the text between <!-- bench-gpu:begin --> and <!-- bench-gpu:end --> in that file. A result
that is not complete and right is refused.
"""

import argparse
from pathlib import Path

from bench_table import markdown_table, number, replace_section
from gpu_result import describe, describe_versions, line, load, name_of, refuse, throughput

ALL_LINES = (("sum", "i32"), ("sum", "f32"), ("sum", "i64"), ("sum", "f64"), ("sum", "u8"),
             ("sum", "u16"), ("maximum", "i32"), ("affine", "affine32"))
COLUMNS = (("copy", "copy"), ("**ours**", "ours"), ("CUB", "cub"), ("Thrust", "thrust"))


def print_head(result):
    print(f"{describe(result)}\n{describe_versions(result)}\n{result['date']}\n")


def print_end(result):
    if "summary" in result:
        total = result["summary"]
        print(f"\nOver CUB: geometric mean {total['geometric_mean_over_cub']:.2f}, worst "
              f"{total['worst_over_cub']:.2f} at {total['worst_cell']}")
    print("\nGoals")
    for goal in result["goals"]:
        word = {True: "reached", False: "missed", None: "-"}[goal["reached"]]
        print(f"  {word:<8}{goal['goal']}: {goal['value']}")


def print_report(result):
    print_head(result)
    print("GB/s, bytes read and written")
    titles = ("copy", "ours", "CUB", "Thrust", "x copy", "x CUB", "us", "host us", "empty us")
    print(f"{'':<22}" + "".join(f"{title:>9}" for title in titles))
    for cell in result["cells"]:
        shown = [number(throughput(cell, who)) for _, who in COLUMNS]
        shown += [number(cell.get(key), 2)
                  for key in ("ratio_to_copy", "speedup_over_cub", "ours_us", "ours_host_us",
                              "empty_host_us")]
        print(f"{name_of(cell):<22}" + "".join(f"{text:>9}" for text in shown)
              + ("  " + cell["trouble"] if "trouble" in cell else ""))
    print_end(result)


def markdown(result):
    """The section: the largest size of each line, and all sizes of one line."""
    ratios = ["ours / copy", "ours / CUB"]

    def row(cell, figures):
        return [name_of(cell), *figures, number(cell["ratio_to_copy"], 2),
                number(cell["speedup_over_cub"], 2)]

    largest = [line(result, *one)[-1] for one in ALL_LINES]
    by_size = line(result, "sum", "i32")
    total = result["summary"]
    return "\n".join([
        "![Throughput of an inclusive sum over the size of the array, beside CUB and a copy]"
        "(figures/gpu_scan.svg)", "",
        f"Inclusive scans, GB/s (bytes read + written), medians. {describe(result)}; "
        f"{describe_versions(result)}; {result['date']}.", "",
        *markdown_table(["", *(title for title, _ in COLUMNS), *ratios],
                        (row(c, [number(throughput(c, who), 0) for _, who in COLUMNS])
                         for c in largest)), "",
        "By size, microseconds:", "",
        *markdown_table(["", *(title for title, _ in COLUMNS), *ratios],
                        (row(c, [number(c[f"{who}_us"], 2) for _, who in COLUMNS])
                         for c in by_size)), "",
        f"Over CUB, all {len(result['cells'])} cells: {total['geometric_mean_over_cub']:.2f} in "
        f"the geometric mean, {total['worst_over_cub']:.2f} at worst ({total['worst_cell']}). "
        "Times are device time of one call in a replayed graph of many calls, all on one pair of "
        "arrays, so small arrays stay in the L2. Our kernels and the copy's may start before the "
        "kernel before them has ended; CUB's and Thrust's may not. *copy*: the better of "
        "`cudaMemcpyAsync` and a kernel. *CUB* for narrow integers: the better of sums in `int` "
        "and in their own type.",
    ])


def main(description, report, sections, lines):
    """Prints report(result); or, for each {section: text}, replaces that section of a document by
    text(result). For the latter the result must have all of `lines`."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--document", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    result = load(arguments.result)
    if not arguments.document:
        report(result)
        return
    refuse(arguments.result, result, lines)
    for section, text in sections.items():
        replace_section(arguments.document, text(result), section)


if __name__ == "__main__":
    main(__doc__, print_report, {"bench-gpu": markdown}, ALL_LINES)
