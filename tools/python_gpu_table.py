#!/usr/bin/env python3
"""The table of the Python package's calls on a GPU beside those of other packages.

    python_gpu_table.py RESULT.json [--document docs/results.md]

RESULT.json is what bench/python_gpu.py wrote. Prints the table; --document instead replaces the
text between <!-- bench-python-gpu:begin --> and <!-- bench-python-gpu:end --> in that file.
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


def report(path):
    with open(path) as file:
        measured = json.load(file)
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    where = f"{measured['gpu']}; {versions}; lookback {measured['commit']}, {measured['date']}."
    note = f" {measured['note']}" if measured.get("note") else ""
    head = ["µs", "copy", "**ours**", *PEERS, "best of them / ours", "copy / ours"]
    rows = [row(r) for r in measured["results"]]
    return f"{where}{note}\n\n" + "\n".join(markdown_table(head, rows))


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
