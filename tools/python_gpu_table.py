#!/usr/bin/env python3
"""The table of the Python package's calls on a GPU beside those of other packages.

    python_gpu_table.py RESULT.json [--document docs/results.md]

RESULT.json is what bench/python_gpu.py wrote. Prints the table; --document instead replaces the
text between <!-- bench-python-gpu:begin --> and <!-- bench-python-gpu:end --> in that file. The
cells of the grid are two more tables, of few items and of many.
"""

import argparse
import json
from pathlib import Path

from bench_table import markdown_table, replace_section

PEERS = ("PyTorch", "CuPy", "JAX")


def row(result):
    times = result["seconds"]
    ours = times["lookback"]

    def microseconds(who):
        return f"{times[who] * 1e6:,.1f}" if who in times else "-"

    found = [times[peer] for peer in PEERS if peer in times]
    best = f"{min(found) / ours:.1f}" if found else "-"
    share = f"{times['copy'] / ours:.2f}" if "copy" in times else "-"
    peers = [microseconds(peer) for peer in PEERS]
    return [result["case"], microseconds("copy"), microseconds("lookback"), *peers, best, share]


def few(times):
    found = [times[peer] for peer in PEERS if peer in times]
    return f"{min(found) / times['lookback']:.1f}" if found else "-"


def many(times):
    return f"{times['copy'] / times['lookback']:.2f}, {few(times)}"


MANY = 1 << 20  # bytes to be moved, in every scan of the column


def grid(cells):
    """Two tables of the grid's cells: a row for each scan, a column for each place."""
    rows = list(dict.fromkeys(cell["scan"] for cell in cells))
    columns = list(dict.fromkeys(cell["place"] for cell in cells))
    moved = {place: min(c["bytes"] for c in cells if c["place"] == place) for place in columns}
    parts = []
    for is_many, say, title in (
        (False, few, "Cumulative scans of few items: the time of the fastest of the others / ours."),
        (True, many, "The same of many items: the time of a copy / ours, and that of the fastest / ours."),
    ):
        found = {(c["scan"], c["place"]): say(c["seconds"]) for c in cells}
        chosen = [place for place in columns if (moved[place] >= MANY) == is_many]
        if chosen:
            lines = [[scan, *(found.get((scan, place), "-") for place in chosen)] for scan in rows]
            parts.append(f"{title}\n\n" + "\n".join(markdown_table(["", *chosen], lines)))
    return parts


def report(path):
    with open(path) as file:
        measured = json.load(file)
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    where = f"{measured['gpu']}; {versions}; lookback {measured['commit']}, {measured['date']}."
    note = f" {measured['note']}" if measured.get("note") else ""
    head = ["µs", "copy", "**ours**", *PEERS, "best of them / ours", "copy / ours"]
    rows = [row(r) for r in measured["results"]]
    tables = "\n".join(markdown_table(head, rows))
    return "\n\n".join([f"{where}{note}", tables, *grid(measured.get("grid", []))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    text = report(options.result)
    if options.document:
        replace_section(options.document, text, "bench-python-gpu")
    else:
        print(text)


if __name__ == "__main__":
    main()
