"""Tables of the ways to scan, measured on a GPU by lookback_bench_gpu_strategies.

    gpu_strategies_table.py RESULT.json [--document docs/strategies.md]

Without options it prints a report; --document replaces the text between <!-- NAME:begin --> and
<!-- NAME:end --> in that file, for each name in SECTIONS. A result that is not complete and right
is refused.
"""

from statistics import harmonic_mean

from bench_table import markdown_table, number
from gpu_result import (billions_a_second, count_text, describe, describe_versions, line,
                        throughput)
from gpu_strategies_steps import STEPS
from gpu_table import main, print_head

TYPES = ("i32", "f32", "i64")
ALL_LINES = (*(("sum", t) for t in TYPES), ("lengths", "i32"), ("blocks", "i32"),
             ("compaction", "u32", "keep 50 %"))
LIBRARIES = (("copy", "copy"), ("**this library**", "ours"), ("CUB", "cub"), ("Thrust", "thrust"))
VERSIONS = (("version 0: chained", "cuda-chained"),
            ("version 1: a thread looks back", "cuda-look-back-thread"),
            ("version 2: a warp copies", "cuda-look-back-copy"),
            ("version 3: a warp folds", "cuda-look-back-warp"))
WAYS = (*LIBRARIES, ("scan-then-propagate", "cuda-scan-then-propagate"),
        ("three-kernel hierarchical", "cuda-hierarchical"),
        ("reduce-then-scan", "cuda-reduce-then-scan"),
        ("reduce-then-scan, elided", "cuda-reduce-then-scan-elided"), *VERSIONS)
# The comparisons of figures 10 and 11 of Merrill & Garland 2016.
RIVALS = (("CUB", "cub"), ("Thrust", "thrust"), ("chained", "cuda-chained"),
          ("reduce-then-scan", "cuda-reduce-then-scan"),
          ("scan-then-propagate", "cuda-scan-then-propagate"))
# The lengths of Willén & Broløs, tables 1 to 4.
REPORTED = (("reduce-then-scan", "cuda-reduce-then-scan"),
            *((name.split(":")[0], who) for name, who in VERSIONS), ("**this library**", "ours"))
BLOCKS = (("Hillis & Steele, two buffers", "hillis-steele"),
          ("Kogge & Stone, in place", "kogge-stone"), ("Sklansky", "sklansky"),
          ("Brent & Kung", "brent-kung"), ("Blelloch", "blelloch"),
          ("Blelloch, padded", "blelloch-padded"),
          ("Blelloch, padded and unrolled", "blelloch-unrolled"),
          ("eight items a thread, in vectors", "vectors"),
          ("warp-scans under Brent & Kung", "warp-scans-brent-kung"), ("raking", "raking"),
          ("warp-scans under Sklansky", "warp-scans-sklansky"))
SORTS = (("**this library**", "ours"), ("CUB", "cub"), ("splits by one bit", "cuda-sort-split"),
         ("splits in chunks, merges", "cuda-sort-split-merge"), ("bitonic sort", "cuda-sort-bitonic"),
         ("odd-even merge sort", "cuda-sort-odd-even-merge"),
         ("scans of histograms", "cuda-sort-histograms"),
         ("`std::sort`, one thread of the CPU", "sequential_host"))
NOMINAL_GB_S = {"NVIDIA H200": 4800}  # the maker's figure


def rates_by_size(result, item_type):
    """GB/s, with a row for each way and a column for each size."""
    cells = line(result, "sum", item_type)
    head = [f"sum {item_type}", *(count_text(c["n"]) for c in cells)]
    rows = [[title, *(number(throughput(c, who), 0) for c in cells)] for title, who in WAYS]
    rows.append(["sequential, on the CPU",
                 *(number(throughput(c, "sequential_host"), 1) for c in cells)])
    return head, rows


def speedups(result):
    """Our speed over that of the others, for the largest arrays and in the harmonic mean of all
    sizes."""
    def over(cells, who):
        ratios = [c[f"{who}_us"] / c["ours_us"] for c in cells if c.get(f"{who}_us")]
        return number(harmonic_mean(ratios), 2)

    lines = {t: line(result, "sum", t) for t in TYPES if line(result, "sum", t)}
    rows = [[f"{t}, {count_text(cells[-1]['n'])}", *(over(cells[-1:], who) for _, who in RIVALS)]
            for t, cells in lines.items()]
    rows += [[f"{t}, harmonic mean of {len(cells)} sizes", *(over(cells, who) for _, who in RIVALS)]
             for t, cells in lines.items()]
    return ["this library over", *(title for title, _ in RIVALS)], rows


def report_tables(result):
    """(title, head, rows): validity, us, GB/s, and the share of the device's throughput."""
    cells = line(result, "lengths", "i32")
    head = ["items", *(name for name, _ in REPORTED)]
    tables = [("Validity, every item checked",
               lambda c, who: "valid" if c["checked"] else "invalid"),
              ("Microseconds", lambda c, who: number(c[f"{who}_us"])),
              ("GB/s; 5,003,565 items stay in the L2", lambda c, who: number(throughput(c, who), 0))]
    if nominal := NOMINAL_GB_S.get(result["hardware"]["device"]):
        tables.append((f"Share of the memory's nominal {nominal} GB/s",
                       lambda c, who: f"{throughput(c, who) / nominal:.1%}"))
    for title, text in tables:
        yield title, head, [[count_text(c["n"]), *(text(c, who) for _, who in REPORTED)]
                            for c in cells]


def block_rates(result):
    cells = line(result, "blocks", "i32")
    head = ["block scan", *(count_text(c["n"]) for c in cells)]
    named = [*((title, f"cuda-block-{who}") for title, who in BLOCKS), ("**this library**", "ours"),
             ("copy", "copy"), ("sequential, on the CPU", "sequential_host")]
    return head, [[title, *(number(throughput(c, who), 0) for c in cells)] for title, who in named]


def sort_rates(result):
    """Millions of keys a second, or None where sorts were not measured."""
    cells = line(result, "sort", "u32")
    if not cells:
        return None

    def millions(cell, who):
        rate = billions_a_second(cell, who)
        return None if rate is None else 1e3 * rate

    head = ["random u32", *(count_text(c["n"]) for c in cells)]
    return head, [[title, *(number(millions(c, who), 0) for c in cells)] for title, who in SORTS]


def print_report(result):
    print_head(result)
    tables = [(head, rows) for _, head, rows in report_tables(result)]
    sorts = sort_rates(result)
    for head, rows in (*(rates_by_size(result, t) for t in TYPES), speedups(result), *tables,
                       block_rates(result), *([sorts] if sorts else [])):
        for first, *others in [head, *rows]:
            print(f"{first:<34}" + "".join(f"{text:>20}" for text in others))
        print()


def where(result):
    return f"{describe(result)}; {describe_versions(result)}; {result['date']}."


def text_of_reports(result):
    tables = ([f"{title}:", "", *markdown_table(head, rows), ""]
              for title, head, rows in report_tables(result))
    return "\n".join([*(text for table in tables for text in table), where(result)])


def text_of_rates(result):
    tables = ([*markdown_table(*rates_by_size(result, t)), ""] for t in TYPES)
    return "\n".join([
        "Inclusive sums, GB/s (bytes that have to be read and written, two arrays). "
        + where(result), "", *(text for table in tables for text in table),
        "Block scans, as parts of scan-then-propagate, in the same units:", "",
        *markdown_table(*block_rates(result)), "",
        "Times are device time of one call in a replayed graph of many calls, all on one pair of "
        "arrays, so small arrays stay in the L2; medians of 11. *sequential*: the best of five "
        "runs on one thread of the same machine.",
    ])


def text_of_sorts(result):
    """Empty where sorts were not measured: they are a line of their own."""
    sorts = sort_rates(result)
    if sorts is None:
        return ""
    return "\n".join(["**Measured**, millions of keys a second:", "", *markdown_table(*sorts), "",
                      where(result)])


SECTIONS = {
    "gpu-speedups": lambda r: "\n".join([*markdown_table(*speedups(r)), "", where(r)]),
    "gpu-report-tables": text_of_reports,
    "bench-gpu-strategies": text_of_rates,
    "bench-gpu-sorts": text_of_sorts,
    **{f"step-{name}": text for name, text in STEPS.items()},
}

if __name__ == "__main__":
    main(__doc__, print_report, SECTIONS, ALL_LINES)
