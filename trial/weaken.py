#!/usr/bin/env python3
"""The trial of the trial: does the simulation notice when a synchronising operation is weaker?

    trial/weaken.py BUILD [--only TEXT] [--out docs/trial_of_trial.md]

BUILD is a build folder with the trial's programs (BUILD/trial/trial_*). Each program runs once to
list the operations that its kernels execute, with their places in the source. Then it runs once for
each operation, place and way to weaken the operation, until the simulation finds something or its
schedules end. A table says what was found, by which program, after how many schedules. Each
operation for which nothing is found needs a reason in trial/not_found.txt.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# How an operation may be weakened (simulator/weakening.hpp).
WEAKENINGS = {
    "sync_warp": ["left_out"],
    "sync_block": ["left_out"],
    "sync_threads": ["left_out"],
    "fence": ["left_out"],
    "store_release": ["unordered"],
    "load_acquire": ["unordered"],
    "store_relaxed": ["left_out", "torn", "plain"],
    "load_relaxed": ["plain"],
    "fetch_add": ["by_block", "plain"],
    "set_to_lowest": ["plain"],
    "arrive_in_cluster": ["unordered"],
    "wait_for_cluster": ["unordered"],
    "phase_barrier::init": ["one_less"],
    "phase_barrier::arrive": ["left_out", "unordered"],
    "phase_barrier::wait": ["left_out", "unordered"],
    "phase_barrier::has_passed": ["left_out", "unordered"],
    "phase_barrier::expect": ["left_out"],
    "phase_barrier::arrive_after_copies": ["left_out"],
    "publish_barriers": ["left_out"],
    "show_to_bulk_copies": ["left_out"],
    "wait_copies": ["left_out"],
    "wait_bulk_stores": ["left_out"],
    "wait_bulk_stores_read": ["left_out"],
    "wait_for_previous_kernel": ["left_out", "early"],
}
WORDS = {
    "left_out": "left out",
    "unordered": "orders nothing",
    "plain": "not atomic",
    "torn": "in two halves",
    "one_less": "one arrival less",
    "by_block": "tickets by number of block",
    "early": "next launch let start before",
}
# The headers in which the simulator replaces the library's.
MACHINE = ("machine.hpp", "machine_memory.hpp", "machine_copies.hpp")
# The checks of debug builds.
SKIPPED_FUNCTIONS = ("workspace_view<>::enter", "workspace_view<>::leave")


def frames_of(program, places):
    """For each place, its frames in the source, innermost first: (file:line, function)."""
    asked = "\n".join("0x%x" % (int(p, 16) - 1) for p in places)
    out = subprocess.run(
        ["addr2line", "-e", program, "-a", "-i", "-f", "-C", "-s"],
        input=asked, capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    found, i = [], 0
    while i < len(out):
        i += 1  # the address
        frames = []
        while i < len(out) and not out[i].startswith("0x"):
            line = out[i + 1].split()[0]
            if not line.startswith(MACHINE):
                frames.append((line, re.sub(r"<.*>", "<>", out[i].split("(")[0])))
            i += 2
        found.append(frames)
    return dict(zip(places, found))


def run(program, environment, timeout):
    try:
        return subprocess.run(
            [program, "--gtest_fail_fast"], env={**os.environ, **environment},
            capture_output=True, text=True, timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return None


def what_was_found(result):
    """What was found, in a word or two, and after how many schedules."""
    if result is None:
        return "does not end", "-"
    text = result.stdout + result.stderr
    schedule = re.search(r"found by schedule (\d+)", text)
    for pattern, name in [
        (r"^a race at", "race"), (r"^a deadlock", "deadlock"), (r"^a livelock", "livelock"),
        (r"outside every array", "access outside arrays"), (r"is wrong$", "wrong result"),
        (r"one phase from the next", "phase mistaken"),
        (r"more threads arrive", "too many arrivals"),
        (r"a lane ends while|threads end while", "threads that do not meet"),
        (r"a block ends while|a thread ends while", "copy outlives its block"),
        (r"initialis", "barrier not initialised"), (r"has changed", "wrong result"),
        (r"too many steps", "does not end"),
    ]:
        if re.search(pattern, text, re.M):
            return name, schedule.group(1) if schedule else "-"
    if result.returncode < 0:
        return "crash", "-"
    return "wrong result", schedule.group(1) if schedule else "-"


def source_line(place):
    name, line = place.split(":")
    for folder in ("include/lookback/detail/device", "include/lookback/kernel", "strategies",
                   "trial/tests"):
        for path in (ROOT / folder).rglob(name):
            lines = path.read_text().splitlines()
            number = int(line) if line.isdigit() else 0
            if 0 < number <= len(lines) and "trial/include" not in str(path):
                return path, lines[number - 1].strip()
    return None, ""


def reasons():
    """Rows (operation, way, text, why): why a weakened operation need not be found.

    `text` is a part of its place, its driver or its source line.
    """
    found = []
    for block in (ROOT / "trial/not_found.txt").read_text().split("\n\n"):
        lines = [l for l in block.splitlines() if not l.startswith("#")]
        if lines:
            operation, way, text = (x.strip() for x in lines[0].split("|"))
            found.append((operation, way, text, " ".join(l.strip() for l in lines[1:])))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="operations or places with this text")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=600, help="try no more after so many")
    options = parser.parse_args()

    programs = sorted(
        str(p) for p in (options.build / "trial").glob("trial_*")
        if p.is_file() and os.access(p, os.X_OK) and not p.name.startswith("trial_simulator")
    )
    cells = collections.defaultdict(dict)  # (operation, place, driver) -> program -> places
    for program in programs:
        with tempfile.NamedTemporaryFile() as file:
            result = run(program, {"LOOKBACK_TRIAL_SITES": file.name}, 900)
            if result is None or result.returncode != 0:
                sys.exit(f"weaken.py: {program} fails with nothing weakened")
            sites = [line.split() for line in open(file.name)]
        frames = frames_of(program, sorted({p for _, p in sites}))
        for operation, p in sites:
            mine = [f for f in frames[p] if not f[0].startswith("hardware.hpp")]
            if not mine or operation not in WEAKENINGS:
                continue
            if any(f[1].endswith(SKIPPED_FUNCTIONS) for f in mine):
                continue
            driver = mine[-1][0].split(":")[0]
            cells[operation, mine[0][0], driver].setdefault(program, []).append(p)

    end = time.monotonic() + 60 * options.minutes

    def trial(cell, way):
        if time.monotonic() > end:
            return "NOT TRIED", "-", ""
        for program, places in cells[cell].items():
            result = run(program, {"LOOKBACK_TRIAL_WEAKEN": way + ":" + ",".join(places)}, 300)
            if result is None or result.returncode != 0:
                return (*what_was_found(result), pathlib.Path(program).name)
        return "NOT FOUND", "-", ""

    jobs = []
    for cell in sorted(cells, key=lambda c: (c[1].split(":")[0], c[1], c[2], c[0])):
        for way in WEAKENINGS[cell[0]]:
            if way == "by_block" and "claim_next" not in source_line(cell[1])[1]:
                if "fetch_add(&counter->word" not in source_line(cell[1])[1]:
                    continue
            if options.only in " ".join(cell):
                jobs.append((cell, way))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda j: trial(*j), jobs))

    known, unexplained, rows = reasons(), 0, []
    for (cell, way), (found, after, program) in zip(jobs, results):
        operation, place, driver = cell
        text = source_line(place)[1]
        note = ""
        if found == "NOT FOUND":
            why = [r[3] for r in known if r[0] == operation and r[1] == way
                   and r[2] in f"{place} in {driver} {text}"]
            note = why[0] if why else "no reason known yet"
            unexplained += not why
        code = text.replace("|", "\\|")[:70]
        rows.append(
            f"| `{place}` in `{driver}` | `{code}` | {operation} {WORDS[way]} | "
            f"{found.lower() if found.startswith('NOT') else found} | {after} | "
            f"{note or program.removeprefix('trial_')} |"
        )
    table = "\n".join(
        ["| place, in the code of | line | weakened | found | after schedules | by, or why not |",
         "| --- | --- | --- | --- | ---: | --- |", *rows]
    )
    untried = sum("| not tried |" in r for r in rows)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True).stdout.strip() or "unknown"
    summary = (f"Of commit {commit}: {len(rows) - untried} weakened operations; "
               f"{sum('| not found |' in r for r in rows)} not found, {unexplained} of those "
               f"without a reason." + (f" {untried} more were not tried." if untried else ""))
    if options.out:
        text = options.out.read_text()
        begin, end = "<!-- weakened:begin -->", "<!-- weakened:end -->"
        head, tail = text.split(begin)[0], text.split(end)[1]
        options.out.write_text(f"{head}{begin}\n{summary}\n\n{table}\n{end}{tail}")
    else:
        print(table)
    print(summary, file=sys.stderr)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
