#!/usr/bin/env python3
"""The table of the Python package's calls beside those of other packages.

    python_table.py RESULT.json [--document docs/results.md]

RESULT.json is what bench/python.py wrote. Prints the table; --document instead replaces the text
between <!-- bench-python:begin --> and <!-- bench-python:end --> in that file.
"""

import argparse
import json

from bench_table import markdown_table

PEERS = ("NumPy", "Numba", "pandas", "polars", "PyTorch", "JAX")


def milliseconds(seconds):
    return f"{seconds * 1e3:,.2f}" if seconds >= 1e-4 else f"{seconds * 1e3:.5f}"


def row(result, measured):
    times = result["seconds"]
    ours = times["lookback"]
    best = min(times[peer] for peer in times if peer != "lookback")
    rate = f"{result['bytes'] / ours / 1e9:.1f}" if result["bytes"] else "-"
    peers = [milliseconds(times[peer]) if peer in times else "-" for peer in measured]
    numpy = f"{times['NumPy'] / ours:.1f}" if "NumPy" in times else "-"
    return [result["case"], milliseconds(ours), *peers, numpy, f"{best / ours:.1f}", rate]


def report(path):
    with open(path) as file:
        measured = json.load(file)
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    where = f"{measured['processor']}, {measured['threads']} threads; {versions}; lookback " \
            f"{measured['commit']}, {measured['date']}."
    note = f" {measured['note']}" if measured.get("note") else ""
    peers = [peer for peer in PEERS if any(peer in r["seconds"] for r in measured["results"])]
    head = ["ms", "**ours**", *peers, "NumPy / ours", "best of them / ours", "ours, GB/s"]
    rows = [row(r, peers) for r in measured["results"]]
    return f"{where}{note}\n\n" + "\n".join(markdown_table(head, rows))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--document")
    options = parser.parse_args()
    text = report(options.result)
    if options.document is None:
        print(text)
        return
    begin, end = "<!-- bench-python:begin -->", "<!-- bench-python:end -->"
    with open(options.document) as file:
        document = file.read()
    before, rest = document.split(begin)
    _, after = rest.split(end)
    with open(options.document, "w") as file:
        file.write(f"{before}{begin}\n{text.rstrip()}\n{end}{after}")


if __name__ == "__main__":
    main()
