"""Tables of a CPU benchmark's result: a report for the terminal, and a section of docs/results.md.

    bench_table.py RESULT.json [--save FILE] [--document docs/results.md]

RESULT.json is what the benchmark wrote, or what an earlier --save did. Without options it prints the
report; --save also writes the condensed result; --document instead replaces the text between
<!-- bench:begin --> and <!-- bench:end --> in that file.
"""

import argparse
import re
from pathlib import Path

from bench_goals import LARGE, goals, name_of
from bench_result import (COPIES, PEERS, describe, describe_versions, find_cell, load, save,
                          speedup, throughput)

COLUMNS = (("copy", COPIES), ("nt copy", COPIES[:1]), ("seq", ("sequential",)),
           ("omp simd", ("openmp_simd",)), ("par_unseq", ("par_unseq",)), ("tbb", ("tbb",)),
           ("tbb simd", ("tbb_simd",)), ("openmp", ("openmp",)), ("ours", ("ours",)))
FORMS = (("exclusive", "ours_exclusive"), ("in place", "ours_in_place"),
         ("backward", "ours_backward"), ("1 thread", "ours_1_thread"),
         ("16 threads", "ours_16_threads"))


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def print_table(result):
    print("GB/s, bytes read and written; medians of", result["rounds"], "rounds")
    print("x peer: ours over the best peer; x copy: ours over the best copy of the same row;")
    print("x nt: ours over the non-temporal copy of the same type at 2^28\n")
    print(f"{'':<21}" + "".join(f"{title:>10}" for title, _ in COLUMNS)
          + f"{'x peer':>9}{'x copy':>8}{'x nt':>7}")
    for cell in result["cells"]:
        large = find_cell(result, cell["operator"], cell["type"], LARGE)
        promise = large and throughput(large, "nontemporal_copy")
        ours = throughput(cell, "ours")
        print(f"{name_of(cell):<21}"
              + "".join(f"{number(throughput(cell, *names)):>10}" for _, names in COLUMNS)
              + f"{number(speedup(cell, 'ours', *PEERS), 2):>9}"
              + f"{number(speedup(cell, 'ours', *COPIES), 2):>8}"
              + f"{number(ours / promise if promise else None, 2):>7}")


def print_forms(result):
    print("\nOther forms of our call at 2^28, GB/s and share of the non-temporal copy")
    for cell in result["cells"]:
        if "ours_exclusive" not in cell["times"]:
            continue
        shown = [f"{title} {throughput(cell, name):.1f} "
                 f"({speedup(cell, name, 'nontemporal_copy'):.2f})" for title, name in FORMS]
        print(f"  {cell['type']}: " + ", ".join(shown))


def print_memory_and_errors(result):
    print("\nMemory allocated by one of our calls, % of the input")
    for cell in result["cells"]:
        if cell["items"] >= 1 << 26:
            share = 100 * cell["times"].get("ours", {}).get("extra_bytes", 0)
            print(f"  {name_of(cell)}: {share / (cell['items'] * cell['item_bytes']):.4f}")
    print("\nLargest error of sums of floats, relative to the exact sum (random data in [0, 1))")
    for cell in result["cells"]:
        if cell["type"] == "f32" and cell["operator"] == "sum" and cell["items"] >= 1 << 22:
            errors = {name: times.get("worst_error", 0) for name, times in cell["times"].items()}
            shown = [f"{name} {errors[name]:.1e}" for name in ("ours", *PEERS) if name in errors]
            print(f"  {name_of(cell)}: " + ", ".join(shown))


def print_goals(result):
    print("\nGoals")
    for text, shown, reached in goals(result):
        word = {True: "reached", False: "missed", None: "-"}[reached]
        print(f"  {word:<8}{text}: {shown}")


def print_report(result):
    print(describe(result))
    print("; ".join(result["machine"]["caches"]))
    print(describe_versions(result))
    print(result["date"], "\n" if not result["quick"] else "(quick: a look, not a result)\n")
    print_table(result)
    print_forms(result)
    print_memory_and_errors(result)
    print_goals(result)


def print_rows(result, unit, titles, row, goals):
    """Prints a result: row(cell) under `titles` for each cell, and goals, which are triples (goal,
    the number or None, the least that it should be)."""
    print(describe(result))
    print(describe_versions(result))
    print(result["date"], "\n" if not result["quick"] else "(quick: a look, not a result)\n")
    print(f"{unit}; medians of", result["rounds"], "rounds")
    width = max(map(len, titles)) + 2
    print(f"{'':<38}" + "".join(f"{title:>{width}}" for title in titles))
    for cell in result["cells"]:
        name, *numbers = row(cell)
        print(f"{name:<38}" + "".join(f"{text:>{width}}" for text in numbers))
    print("\nGoals")
    for text, reached, least in goals(result):
        word = "-" if reached is None else "reached" if reached >= least else "missed"
        print(f"  {word:<8}{text}: {number(reached, 2)}")


def markdown_table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def markdown(result):
    """The section: the largest size of each type, and all sizes of two types."""
    columns = (("copy", COPIES), ("**ours**", ("ours",)), ("`par_unseq`", ("par_unseq",)),
               ("`tbb::parallel_scan`", ("tbb", "tbb_simd")),
               ("OpenMP", ("openmp", "openmp_simd")), ("sequential", ("sequential",)))
    head = ["", *(title for title, _ in columns), "ours / best peer", "ours / copy"]

    def row(cell):
        return [name_of(cell), *(number(throughput(cell, *names)) for _, names in columns),
                number(speedup(cell, "ours", *PEERS), 2), number(speedup(cell, "ours", *COPIES), 2)]

    largest = {}
    for cell in result["cells"]:
        key = cell["operator"], cell["type"]
        largest[key] = max(largest.get(key, cell), cell, key=lambda c: c["items"])
    by_size = [cell for cell in result["cells"] if cell["operator"] == "sum"
               and cell["type"] in ("i32", "f32") and "tbb" in cell["times"]]
    return "\n".join([
        f"Inclusive scans, GB/s (bytes read + written), medians of {result['rounds']} interleaved "
        f"rounds. {describe(result)}; {describe_versions(result)}; {result['date']}.", "",
        *markdown_table(head, map(row, largest.values())), "",
        "By size:", "", *markdown_table(head, map(row, by_size)), "",
        "*copy*: the better of `memcpy` and a non-temporal copy, on all threads or on one. "
        "`tbb::parallel_scan` and OpenMP: the better of a plain loop and a loop with `omp simd`; "
        "OpenMP runs on one thread if that is faster.",
    ])


def replace_section(path, text, name):
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    old = path.read_text(encoding="utf-8")
    new, count = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", old, count=1,
                         flags=re.DOTALL)
    if count == 0:
        raise SystemExit(f"{path}: no lines {begin} and {end}")
    path.write_text(new, encoding="utf-8")


def main(description, read, report, section, text):
    """Prints report(result) of the result that read(path) returns, and saves the result if --save
    is given; or replaces a section of a document by text(result)."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--document", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    result = read(arguments.result)
    if arguments.document:
        replace_section(arguments.document, text(result), section)
        return
    if arguments.save:
        save(result, arguments.save)
    report(result)


if __name__ == "__main__":
    main(__doc__, load, print_report, "bench", markdown)
