"""Tables of a GPU benchmark's result for compactions, runs and columns.

    gpu_compaction_table.py RESULT.json [--document docs/results.md]

RESULT.json is what lookback_bench_gpu_compaction wrote. Without options it prints a report;
--document replaces the text between <!-- bench-gpu-compaction:begin --> and
<!-- bench-gpu-compaction:end --> in that file. A result that is not complete and right is refused.
"""

from bench_table import markdown_table, number
from gpu_result import count_text, describe, describe_versions, line, name_of, throughput
from gpu_table import main, print_end, print_head

SHOWN_LINES = (("select_if", "u32", "keep 50 %"), ("select_flagged", "u32", "keep 50 %"),
               ("partition_if", "u32", "keep 50 %"), ("partition_if to two", "u32", "keep 50 %"),
               ("partition_if to three", "u32", "keep 50 %"), ("unique", "u32", "runs of 500"),
               ("run_length_encode", "u32", "runs of 500"),
               ("reduce_by_key", "u32", "runs of 500"),
               ("inclusive_scan_by_key", "u32", "runs of 500"))
BY_SIZE = SHOWN_LINES[:2] + (
    ("partition_if", "u32", "keep 10 %"), ("partition_if", "u32", "keep 50 %"),
    ("partition_if", "u32", "keep 90 %"), ("partition_if, rest reversed", "u32", "keep 50 %"),
    ("partition_flagged", "u32", "keep 50 %"),
    ("partition_flagged, rest reversed", "u32", "keep 50 %"), ("unique", "u32", "runs of 500"),
    ("run_length_encode", "u32", "runs of 500"), ("reduce_by_key", "u32", "runs of 1"),
    ("reduce_by_key", "u32", "runs of 10"), ("reduce_by_key", "u32", "runs of 500"),
    ("inclusive_scan_by_key", "u32", "runs of 500"))
ITEMS, KEYS = ("u8", "u16", "u64", "2xu64"), ("u8", "u16", "u64")
PAIRS = ("u8_f32", "u64_f64", "u32_u8")
BY_TYPE = (*((op, item, "keep 50 %") for op in ("select_if", "select_flagged") for item in ITEMS),
           *((op, key, "runs of 10") for op in ("unique", "run_length_encode") for key in KEYS),
           *((op, pair, "runs of 10") for op in ("reduce_by_key", "inclusive_scan_by_key")
             for pair in PAIRS))
TYPED_SIZES = ("2^16", "2^20", "2^24", "2^28")
COLUMNS = (("**ours**", "ours"), ("CUB", "cub"), ("Thrust", "thrust"))


def print_report(result):
    print_head(result)
    print("us of one call; GB/s: ours, bytes that have to be read and written; x copy: share of the "
          "copy's rate")
    titles = ("ours", "CUB", "Thrust", "copy", "GB/s", "x copy", "x CUB", "in place")
    print(f"{'':<40}" + "".join(f"{title:>10}" for title in titles))
    for cell in result["cells"]:
        shown = [number(cell.get(f"{who}_us"), 2) for who in ("ours", "cub", "thrust", "copy")]
        shown.append(number(throughput(cell, "ours"), 0))
        shown += [number(cell.get(key), 2)
                  for key in ("ratio_to_copy", "speedup_over_cub", "in_place_ratio")]
        print(f"{name_of(cell):<40}" + "".join(f"{text:>10}" for text in shown)
              + ("  " + cell["trouble"] if "trouble" in cell else ""))
    print_end(result)


def markdown(result):
    """The section: the largest size of the shown lines, in ms, and some lines at all sizes."""
    def ms(cell, who):
        us = cell.get(f"{who}_us")
        return number(None if us is None else us / 1e3, 2)

    def row(cell):
        return [name_of(cell), *(ms(cell, who) for _, who in COLUMNS),
                number(throughput(cell, "ours"), 0), number(cell["ratio_to_copy"], 2),
                number(cell["speedup_over_cub"], 2), number(cell.get("in_place_ratio"), 2)]

    def by_type(op, item_type, data):
        cells = line(result, op, item_type, data)
        return [f"{op}, {item_type.replace('_', ' with ')}",
                *(number(cell["speedup_over_cub"], 2) for cell in cells[:len(TYPED_SIZES)]),
                number(cells[-1]["ratio_to_copy"], 2)]

    by_size = [line(result, *one) for one in BY_SIZE]
    sizes = [cell["n"] for cell in by_size[0]]
    if any([cell["n"] for cell in cells] != sizes for cells in by_size):
        raise SystemExit("the lines of the table by size are of different sizes")
    total = result["summary"]
    return "\n".join([
        "![Throughput of select_if, reduce_by_key, partition_if and run_length_encode over the size "
        "of the array, beside CUB and Thrust](figures/gpu_compaction.svg)", "",
        f"Milliseconds of a call, medians. {describe(result)}; {describe_versions(result)}; "
        f"{result['date']}.", "",
        *markdown_table(["", *(title for title, _ in COLUMNS), "GB/s", "of the copy's rate",
                         "ours / CUB", "in place / beside"],
                        (row(line(result, *one)[-1]) for one in SHOWN_LINES)), "",
        "By size, times CUB's speed:", "",
        *markdown_table(["", *(count_text(n) for n in sizes)],
                        ([f"{one[0]}, {one[2]}",
                          *(number(cell["speedup_over_cub"], 2) for cell in cells)]
                         for one, cells in zip(BY_SIZE, by_size))), "",
        "Other types, times CUB's speed, and the share of the copy's rate at 2^28:", "",
        *markdown_table(["", *TYPED_SIZES, "of the copy's rate"],
                        (by_type(*one) for one in BY_TYPE)), "",
        f"Over CUB, all cells: {total['geometric_mean_over_cub']:.2f} in the geometric mean, "
        f"{total['worst_over_cub']:.2f} at worst ({total['worst_cell']}). *GB/s*: the bytes that "
        "have to be read and written (the input, the kept items, the counts), divided by our time. "
        "Counts stay in device memory; Thrust's calls wait for theirs. CUB partitions into one "
        "output with the rest in reverse order. Our calls keep the order of the rest, and so write "
        "it twice; with `rest_reversed` they reverse it too.",
    ])


if __name__ == "__main__":
    main(__doc__, print_report, {"bench-gpu-compaction": markdown}, SHOWN_LINES)
