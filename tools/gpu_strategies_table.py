"""Tables of the ways to scan, as lookback_bench_gpu_strategies has measured them on a GPU.

    gpu_strategies_table.py RESULT.json [--readme docs/strategies.md]

Without options, a report for the terminal. With --readme, what is between
<!-- bench-gpu-strategies:begin --> and <!-- bench-gpu-strategies:end --> in that file is replaced; a
result that is not complete and right is refused.
"""

from bench_table import markdown_table, number
from gpu_result import describe, describe_versions, line, throughput
from gpu_table import main, print_head

ALL_LINES = (("sum", "i32"), ("sum", "f32"), ("blocks", "i32"))
WAYS = (("copy", "copy"), ("**this library**", "ours"), ("CUB", "cub"), ("Thrust", "thrust"),
        ("scan-then-propagate", "cuda-scan-then-propagate"),
        ("three-kernel hierarchical", "cuda-hierarchical"),
        ("reduce-then-scan", "cuda-reduce-then-scan"),
        ("reduce-then-scan, elided", "cuda-reduce-then-scan-elided"),
        ("version 0: chained", "cuda-chained"),
        ("version 1: a thread looks back", "cuda-look-back-thread"),
        ("version 2: a warp copies", "cuda-look-back-copy"),
        ("version 3: a warp scans", "cuda-look-back-warp"))
BLOCKS = (("Hillis & Steele, two buffers", "hillis-steele"), ("Kogge & Stone, in place", "kogge-stone"),
          ("Sklansky", "sklansky"), ("Brent & Kung", "brent-kung"), ("Blelloch", "blelloch"),
          ("Blelloch, padded", "blelloch-padded"),
          ("Blelloch, padded and unrolled", "blelloch-unrolled"),
          ("eight items a thread, in vectors", "vectors"),
          ("warp-scans under Brent & Kung", "warp-scans-brent-kung"), ("raking", "raking"),
          ("warp-scans under Sklansky", "warp-scans-sklansky"))


def rates_by_size(result, item_type):
    """GB/s, a row for each way, a column for each size."""
    cells = line(result, "sum", item_type)
    head = [f"sum {item_type}", *(f"2^{c['n'].bit_length() - 1}" for c in cells)]
    rows = [[title, *(number(throughput(c, who), 0) for c in cells)] for title, who in WAYS]
    sequential = [c.get("sequential_host_us") for c in cells]
    rows.append(["sequential, on the CPU",
                 *(number(us and 2 * c["n"] * c["item_bytes"] / us / 1e3, 1)
                   for c, us in zip(cells, sequential))])
    return head, rows


def block_rates(result):
    cell = line(result, "blocks", "i32")[-1]
    head = ["block scan", f"us of 2^{cell['n'].bit_length() - 1}", "GB/s"]
    named = [*((title, f"cuda-block-{who}") for title, who in BLOCKS), ("**this library**", "ours"),
             ("copy", "copy")]
    return head, [[title, number(cell.get(f"{who}_us")), number(throughput(cell, who), 0)]
                  for title, who in named]


def print_report(result):
    print_head(result)
    for head, rows in (*(rates_by_size(result, t) for t in ("i32", "f32")), block_rates(result)):
        for first, *others in [head, *rows]:
            print(f"{first:<34}" + "".join(f"{text:>10}" for text in others))
        print()


def markdown(result):
    return "\n".join([
        f"Inclusive sums, GB/s (bytes that have to be read and written, 8 an item). "
        f"{describe(result)}; {describe_versions(result)}; {result['date']}.", "",
        *markdown_table(*rates_by_size(result, "i32")), "",
        *markdown_table(*rates_by_size(result, "f32")), "",
        "Block scans, within scan-then-propagate:", "",
        *markdown_table(*block_rates(result)), "",
        "Device time of one call in a replayed graph of many, all on one pair of arrays, so that "
        "small arrays stay in the L2; median of 11. *sequential*: the best of five runs on one "
        "thread of that machine.",
    ])


if __name__ == "__main__":
    main(__doc__, print_report, "bench-gpu-strategies", markdown, ALL_LINES)
