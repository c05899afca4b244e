"""The results of the CPU benchmark, in one form for the tables and the plot.

A result is a dictionary with "machine" (names and values), "date", "commit", "rounds", "quick" and
"cells". A cell is {"operator", "type", "items", "item_bytes", "times"}; its times map the name of an
implementation to {"median", "min", "max"} in nanoseconds, with "extra_bytes" and "worst_error" where
they are not 0. The benchmark itself writes another form, that of Google Benchmark, with an entry
for each repetition; `condense` makes the first form of it, and takes the medians.
"""

import json
import statistics
import subprocess
from pathlib import Path

ITEM_BYTES = {"u8": 1, "u16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "matrix": 16,
              "affine": 8}
COPIES = ("nontemporal_copy", "memcpy_all", "memcpy_one")
PLAIN_PARALLEL_PEERS = ("par_unseq", "tbb", "openmp")
PARALLEL_PEERS = (*PLAIN_PARALLEL_PEERS, "tbb_simd")
PEERS = ("sequential", "openmp_simd", *PARALLEL_PEERS)


def scan_cell(operator, item_type, items, _):
    """A cell without its times."""
    return {"operator": operator, "type": item_type, "items": int(items),
            "item_bytes": ITEM_BYTES[item_type]}


def load(path, cell_of=scan_cell):
    """A result, from its own form or from Google Benchmark's. For the latter cell_of(*parts, run)
    makes a cell of the three parts of an entry's name and of one of its runs."""
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    return data if "cells" in data else condense(data, cell_of)


def condense(raw, cell_of):
    repetitions = {}
    for run in raw["benchmarks"]:
        *cell, implementation = run["name"].split("/")[:4]
        repetitions.setdefault(tuple(cell), {}).setdefault(implementation, []).append(run)
    cells = []
    for cell, implementations in repetitions.items():
        times = {name: condense_times(runs) for name, runs in sorted(implementations.items())}
        one_run = next(iter(implementations.values()))[0]
        cells.append({**cell_of(*cell, one_run), "times": times})
    return {**describe_run(raw["context"]), "cells": cells}


def describe_run(context):
    """A result without its cells."""
    machine_keys = ("cpu", "cpu_family_model", "threads", "memory_gib", "simd", "compiler",
                    "onetbb", "highway", "lookback")
    machine = {key: context[key] for key in machine_keys}
    machine["caches"] = [f"L{c['level']} {c['type'].lower()} {c['size'] >> 10} KiB"
                         + (f", shared by {c['num_sharing']}" if c["num_sharing"] > 1 else "")
                         for c in context["caches"]]
    return {"machine": machine, "date": context["date"][:10], "commit": commit(),
            "rounds": int(context["rounds"]), "quick": context["quick"] == "yes"}


def condense_times(runs):
    times = [run["real_time"] for run in runs]
    result = {"median": round(statistics.median(times), 2), "min": round(min(times), 2),
              "max": round(max(times), 2)}
    for key in ("extra_bytes", "worst_error"):
        if runs[0].get(key, 0) > 0:
            result[key] = runs[0][key]
    return result


def commit():
    """The commit that was measured; "-dirty" if files other than results and pages differ from it."""
    def git(*command):
        return subprocess.run(["git", *command], cwd=Path(__file__).parent, check=True,
                              capture_output=True, text=True).stdout.strip()

    try:
        name = git("describe", "--always", "--abbrev=12")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/",
                      ":(exclude,top)bench/results", ":(exclude,top)docs", ":(exclude,top)README.md")
        return name + "-dirty" if changed else name
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def save(result, path):
    """Writes one line for each cell, so that a change is readable."""
    cells = ",\n  ".join(json.dumps(cell) for cell in result["cells"])
    rest = {key: value for key, value in result.items() if key != "cells"}
    text = json.dumps(rest, indent=1)[:-2] + ',\n "cells": [\n  ' + cells + "\n ]\n}\n"
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def find_cell(result, operator, item_type, items):
    for cell in result["cells"]:
        if (cell["operator"], cell["type"], cell["items"]) == (operator, item_type, items):
            return cell
    return None


def time_of(cell, names):
    """The best median of the named implementations, in ns; None if the cell has none of them."""
    times = [cell["times"][name]["median"] for name in names if name in cell["times"]]
    return min(times, default=None)


def throughput(cell, *names):
    """GB/s, bytes read and written, of the best named implementation, or None."""
    best = time_of(cell, names)
    return None if best is None else 2 * cell["items"] * cell["item_bytes"] / best


def speedup(cell, who, *over):
    """How many times as fast as the best of the others `who` is, or None."""
    mine, other = time_of(cell, [who]), time_of(cell, over)
    return None if mine is None or other is None else other / mine


def describe(result):
    """The machine, in one line."""
    machine = result["machine"]
    family, model = machine["cpu_family_model"].split("/")
    return (f"{machine['cpu'].replace('(R)', '')} (family {family}, model {model}), "
            f"{machine['threads']} threads, {float(machine['memory_gib']):.0f} GiB")


def describe_versions(result):
    machine = result["machine"]
    return (f"lookback {machine['lookback']} ({result['commit']}), {machine['compiler']}, "
            f"oneTBB {machine['onetbb']}, Highway {machine['highway']} on {machine['simd']}")
