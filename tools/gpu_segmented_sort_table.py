"""Tables of a GPU benchmark's result for sorting segments.

    gpu_segmented_sort_table.py RESULT.json [--document docs/results.md]

RESULT.json is what lookback_bench_gpu_segmented_sort wrote. Without options it prints a report;
--document replaces the text between <!-- bench-gpu-segmented-sort:begin --> and
<!-- bench-gpu-segmented-sort:end --> in that file. A result that is not complete and right is
refused.
"""

from bench_table import markdown_table, number
from gpu_result import billions_a_second, describe, describe_versions, name_of
from gpu_table import main, print_end, print_head

NEEDED = tuple(("segmented_sort_keys", "u32", data)
               for data in ("segments of 1", "segments of 30", "segments of 1000",
                            "segments of 1000000", "mixed segments"))


def print_report(result):
    print_head(result)
    print("us of one call; Gkeys/s: ours; x copy: share of the copy's rate")
    titles = ("ours", "CUB", "copy", "Gkeys/s", "x copy", "x CUB")
    print(f"{'':<72}" + "".join(f"{title:>11}" for title in titles))
    for cell in result["cells"]:
        shown = [number(cell.get(f"{who}_us"), 2) for who in ("ours", "cub", "copy")]
        shown.append(number(billions_a_second(cell, "ours"), 2))
        shown += [number(cell.get(key), 2) for key in ("ratio_to_copy", "speedup_over_cub")]
        print(f"{name_of(cell):<72}" + "".join(f"{text:>11}" for text in shown)
              + ("  " + cell["trouble"] if "trouble" in cell else ""))
    print_end(result)


def row(cell):
    return [name_of(cell), *(number(cell.get(f"{who}_us"), 0) for who in ("ours", "cub", "copy")),
            number(billions_a_second(cell, "ours"), 1), number(cell["ratio_to_copy"], 2),
            number(cell["speedup_over_cub"], 2)]


def markdown(result):
    """The section: every cell."""
    head = ["", "**ours**, us", "CUB, us", "copy, us", "**ours**, Gkeys/s", "ours / copy",
            "ours / CUB"]
    total = result["summary"]
    return "\n".join([
        f"Medians of a call, random keys, offsets of 4 bytes. {describe(result)}; "
        f"{describe_versions(result)}; {result['date']}.",
        "", *markdown_table(head, map(row, result["cells"])), "",
        f"Over CUB, all {len(result['cells'])} cells: {total['geometric_mean_over_cub']:.2f} in the "
        f"geometric mean, {total['worst_over_cub']:.2f} at worst ({total['worst_cell']}). CUB: "
        "`DeviceSegmentedSort` (for pairs the stable one), in plain calls, because it waits for "
        "the device between its kernels. *copy*: a copy of as many bytes, without the offsets. "
        "*mixed*: segments of all magnitudes up to 2^22, with as many items in each magnitude, and "
        "an eighth of the segments empty; *skewed*: segments of up to 10^5 items by Zipf's law.",
    ])


if __name__ == "__main__":
    main(__doc__, print_report, {"bench-gpu-segmented-sort": markdown}, NEEDED)
