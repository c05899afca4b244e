"""Tables of a GPU benchmark's result for sorting.

    gpu_sort_table.py RESULT.json [--document docs/results.md]

RESULT.json is what lookback_bench_gpu_sort wrote. Without options it prints a report; --document
replaces the text between <!-- bench-gpu-sort:begin --> and <!-- bench-gpu-sort:end --> in that
file. A result that is not complete and right is refused.
"""

from bench_table import markdown_table, number
from gpu_result import billions_a_second, describe, describe_versions, line, name_of
from gpu_table import main, print_end, print_head

BY_SIZE = (("sort_keys", "u32", "random"), ("sort_pairs", "u32+u32", "random"))
LARGEST = (("sort_keys", "u8", "random"), ("sort_keys", "u16", "random"),
           ("sort_keys", "u64", "random"), ("sort_keys", "f32", "random"),
           ("sort_keys", "f64", "random"), ("sort_pairs", "u64+u32", "random"),
           ("sort_pairs", "u32+16 bytes", "random"),
           ("sort_pairs", "u32+u32", "random, descending"),
           ("sort_pairs", "u32+u32", "random, bits 5 to 21"),
           *(("sort_keys", "u32", data)
             for data in ("all equal", "sorted", "reversed", "skewed", "low entropy")))


def print_report(result):
    print_head(result)
    print("us of one call; Gkeys/s: ours; x copy: share of the copy's rate")
    titles = ("ours", "CUB", "copy", "Gkeys/s", "x copy", "x CUB", "in place", "host us")
    print(f"{'':<52}" + "".join(f"{title:>11}" for title in titles))
    for cell in result["cells"]:
        shown = [number(cell.get(f"{who}_us"), 2) for who in ("ours", "cub", "copy")]
        shown.append(number(billions_a_second(cell, "ours"), 2))
        shown += [number(cell.get(key), 2)
                  for key in ("ratio_to_copy", "speedup_over_cub", "in_place_ratio",
                              "ours_host_us")]
        print(f"{name_of(cell):<52}" + "".join(f"{text:>11}" for text in shown)
              + ("  " + cell["trouble"] if "trouble" in cell else ""))
    print_end(result)


def row(cell):
    return [name_of(cell), *(number(cell.get(f"{who}_us"), 1) for who in ("ours", "cub", "copy")),
            *(number(billions_a_second(cell, who), 1) for who in ("ours", "cub")),
            number(cell["speedup_over_cub"], 2), number(cell.get("in_place_ratio"), 2)]


def markdown(result):
    """The section: all sizes of u32 keys and pairs, the largest size of the others."""
    head = ["", "**ours**, us", "CUB, us", "copy, us", "**ours**, Gkeys/s", "CUB, Gkeys/s",
            "ours / CUB", "in place / beside"]
    cells = [cell for one in BY_SIZE for cell in line(result, *one)]
    cells += [line(result, *one)[-1] for one in LARGEST]
    total = result["summary"]
    return "\n".join([
        f"Medians of a call. {describe(result)}; {describe_versions(result)}; {result['date']}.",
        "", *markdown_table(head, map(row, cells)), "",
        f"Over CUB, all {len(result['cells'])} cells: {total['geometric_mean_over_cub']:.2f} in the "
        f"geometric mean, {total['worst_over_cub']:.2f} at worst ({total['worst_cell']}). CUB: "
        "`DeviceRadixSort`. *copy*: a copy of as many bytes. *skewed*: keys of all magnitudes, "
        "each equally likely; *low entropy*: a bit is set if three random words all have it.",
    ])


if __name__ == "__main__":
    main(__doc__, print_report, {"bench-gpu-sort": markdown}, (*BY_SIZE, *LARGEST))
