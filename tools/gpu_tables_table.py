"""Tables of a GPU benchmark's result for summed-area tables and box filters.

    gpu_tables_table.py RESULT.json [--document docs/results.md | docs/strategies.md]

RESULT.json is what lookback_bench_gpu_tables wrote. Without options it prints a report; --document
replaces the text between <!-- NAME:begin --> and <!-- NAME:end --> in that file, for each of its
names in SECTIONS. A result that is not complete and right is refused.
"""

import sys
from pathlib import Path

from bench_table import markdown_table, number
from gpu_result import describe, describe_versions, line, name_of
from gpu_table import main, print_end, print_head

SQUARES = [("summed_area_table", t, f"{side} x {side}")
           for t, sides in (("f32", (1024, 2048, 4096, 8192, 16384, 32768)),
                            ("i32", (1024, 2048, 4096, 8192, 16384, 32768)),
                            ("u8 to u32", (1024, 2048, 4096, 8192, 16384, 32768, 65536)))
           for side in sides]
SHAPES = ("10000 x 64 x 64", "1000 x 256 x 256", "8191 x 8193", "8192 x 8192, pitch + 1",
          "8192 x 8192, 1 item off", "8192 x 8192, exclusive")
OTHERS = [*(("summed_area_table", t, shape) for shape in SHAPES for t in ("f32", "u8 to u32")),
          *(("summed_area_table", t, shape) for shape in ("2160 x 3840", "6000 x 6000")
            for t in ("f32", "u8 to u32", "RGBA8 to 4 u32")),
          *(("summed_area_table", "RGBA8 to 4 u32", f"{side} x {side}")
            for side in (1024, 2048, 4096, 8192)),
          ("summed_area_tables", "u8 to u32, u64", "8192 x 8192")]
FILTERS = [*(("box_filter", "RGBA8", f"8192 x 8192, {radii}")
             for radii in ("radius 12", "smooth radii to 8", "smooth radii to 31",
                           "random radii to 31", "smooth radii to 64", "random radii to 64")),
           ("box_filter", "RGB8", "8192 x 8192, smooth radii to 31"),
           ("box_filter", "u16", "8192 x 8192, smooth radii to 31"),
           ("box_filter", "u8", "8192 x 8192, smooth radii to 63"),
           ("box_filter", "RGBA8", "655360 x 100, smooth radii to 31"),
           ("box_filter", "RGBA8", "100 x 655360, smooth radii to 31"),
           ("box_filter", "RGBA8", "1000 x 256 x 256, smooth radii to 31"),
           ("box_filter", "RGBA8", "100000 x 28 x 28, smooth radii to 8")]
WAYS = [("table_ways", "RGB8 to 4 f32", f"{side} x {side}")
        for side in (512, 1024, 2048, 4096, 8192)]

# GPU Gems 3, table 39-1: milliseconds on a GeForce 8800 GTX.
TEXT = {512: (0.44, 0.23, 0.97, 1.64), 1024: (0.96, 0.84, 1.70, 3.50)}
STAGES = (("(de)interleave", ("stage_deinterleave", "stage_interleave")),
          ("transpose", ("stage_transpose",)),
          ("6 scans", ("stage_scan_rows", "stage_scan_columns")),
          ("all of it", ("six_scans",)),
          ("look-ups", ("stage_look_up",)))
OTHER_WAYS = (("steps of two", "steps_of_two"), ("of four", "steps_of_four"),
              ("of sixteen", "steps_of_sixteen"), ("six scans", "six_scans"),
              ("rows then columns", "rows_then_columns"), ("**one pass**", "ours"),
              ("copy", "copy"))


def cell_of(result, key):
    return line(result, *key)[-1]


def where(result):
    return f"{describe(result)}; {describe_versions(result)}; {result['date']}."


def rate(cell):
    return cell["least_bytes"] / cell["ours_us"] / 1e3


def print_report(result):
    print_head(result)
    print("us of one call; GB/s: ours, of the bytes that have to be moved; x copy: of its rate")
    titles = ("ours", "two scans", "NPP", "copy", "GB/s", "x copy")
    print(f"{'':<64}" + "".join(f"{title:>11}" for title in titles))
    for cell in result["cells"]:
        shown = [number(cell.get(f"{who}_us"), 2)
                 for who in ("ours", "rows_then_columns", "npp", "copy")]
        shown += [number(cell["ours_us"] and rate(cell), 0), number(cell["ratio_to_copy"], 2)]
        print(f"{name_of(cell):<64}" + "".join(f"{text:>11}" for text in shown)
              + ("  " + cell["trouble"] if "trouble" in cell else ""))
    print_end(result)


def row(cell):
    """The type and size of an image, and its figures."""
    return [f"{cell['type']} {cell['data']}",
            *(number(cell.get(f"{who}_us"), 1) for who in ("ours", "rows_then_columns", "copy")),
            number(rate(cell), 0), number(cell["ratio_to_copy"], 2)]


def text_of_npp(result):
    """The cells that NVIDIA's NPP has been compared on, if there are any."""
    cells = [cell for cell in result["cells"] if cell.get("npp_us") is not None]
    if not cells:
        return ["NVIDIA's NPP is not compared, because the toolkit of this build does not have it."]
    rows = ([f"{cell['type']} {cell['data']}", *(number(cell[f"{who}_us"], 1)
                                                 for who in ("ours", "npp", "copy")),
             number(cell["npp_us"] / cell["ours_us"], 2)] for cell in cells)
    return [f"Beside `nppiIntegral_8u32s_C1R` of NPP {result['versions']['npp']}, which makes "
            "exclusive tables of bytes:", "",
            *markdown_table(["", "**ours**, us", "NPP, us", "copy, us", "NPP / ours"], rows)]


def text_of_results(result):
    head = ["", "**ours**, us", "rows then columns, us", "copy, us", "ours, GB/s", "ours / copy"]
    filters = [[f"box filter {cell['type']} {cell['data']}", number(cell["ours_us"], 1),
                number(cell["copy_us"], 1), number(cell["ours_us"] / cell["copy_us"], 2)]
               for cell in (cell_of(result, key) for key in FILTERS)]
    return "\n".join([
        f"Medians of a call. {where(result)}", "",
        *markdown_table(head, (row(cell_of(result, key)) for key in SQUARES)), "",
        "Stacks of images, odd sizes and pitches, exclusive tables, pixels, and tables of sums and "
        "of squares in one call:", "",
        *markdown_table(head, (row(cell_of(result, key)) for key in OTHERS)), "",
        "Box filters, in copies of the image:", "",
        *markdown_table(["", "ours, us", "copy, us", "copies"], filters), "",
        *text_of_npp(result), "",
        "*copy*: a copy of as many bytes as have to be read and written. *rows then columns*: this "
        "library's scans along both axes. Images of up to 2048 x 2048 stay in the L2.",
    ])


def measured_stages(result):
    return [(title, parts) for title, parts in STAGES
            if all(f"{part}_us" in cell_of(result, key) for part in parts for key in WAYS)]


def stages(result):
    """Rows like those of the textbook's table: its own figures, and ours below."""
    shown = measured_stages(result)
    head = ["image", "whose", *(title for title, _ in shown)]
    rows = []
    for key in WAYS:
        side = int(key[2].split()[0])
        cell = cell_of(result, key)
        if side in TEXT:
            rows.append([key[2], "the textbook's, GeForce 8800 GTX",
                         *(f"{ms:.2f} ms" for ms in TEXT[side]),
                         *["-"] * (len(shown) - len(TEXT[side]))])
        if side in TEXT or key == WAYS[-1]:
            times = (sum(cell[f"{part}_us"] for part in parts) for _, parts in shown)
            rows.append([key[2], result["hardware"]["device"].removeprefix("NVIDIA "),
                         *(f"{us:.1f} us" for us in times)])
    return head, rows


def text_of_stages(result):
    return "\n".join([
        *markdown_table(*stages(result)), "",
        f"{where(result)} Each stage was timed alone, in many calls in a row; then all five were "
        "timed one after the other. The times do not add up, because the L2 holds other data in "
        "the two cases." + (" *look-ups*: the sums over windows with a radius of 12, one for each "
                            "pixel, from the transposed table." if measured_stages(result) == [*STAGES]
                            else ""),
    ])


def text_of_ways(result):
    cells = [cell_of(result, key) for key in WAYS]
    head = ["us, RGB8 to four floats", *(cell["data"] for cell in cells)]
    rows = [[title, *(number(cell[f"{who}_us"], 1) for cell in cells)] for title, who in OTHER_WAYS]
    return "\n".join([*markdown_table(head, rows), "", where(result)])


SECTIONS = {
    "results.md": {"bench-gpu-tables": text_of_results},
    "strategies.md": {"step-table-stages": text_of_stages, "step-table-ways": text_of_ways},
}

if __name__ == "__main__":
    document = Path(sys.argv[-1]).name
    main(__doc__, print_report, SECTIONS.get(document, {}), [*SQUARES, *OTHERS, *FILTERS, *WAYS])
