"""Sums of flags against sums of 32-bit numbers, within a block and a warp.

    flags_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

As figures 3.1 (count) and 3.2 (scan) of Harris & Garland, "Optimizing Parallel Prefix Operations for
the Fermi Architecture", GPU Computing Gems Jade Edition, over the number of blocks of 512 threads;
and of narrow numbers, with a ballot for each bit, as in section 3.2.2. Needs matplotlib (Debian's
python3-matplotlib).
"""

from gpu_result import billions_a_second, caption, load
from plotting import BLUE, GREEN, GREY, ORANGE, RED, finish, main, pyplot

BARS = (("flags: ballots and counts of bits", "ours", RED, ""),
        ("32-bit numbers, by warp scans", "words", GREY, ""),
        ("32-bit numbers, by raking", "words_raking", ORANGE, "//"),
        ("32-bit numbers, by Sklansky", "words_sklansky", GREEN, "\\\\"),
        ("32-bit numbers, CUB", "cub", BLUE, ".."))
PANELS = (("block_count", "count in a block (fig. 3.1)", "blocks"),
          ("block_scan", "scan in a block (fig. 3.2)", "blocks"),
          ("warp_scan", "scan in a warp", "bits of a number"))


def draw_panel(axes, cells, title, label):
    shown = [bar for bar in BARS if any(c.get(f"{bar[1]}_us") for c in cells)]
    width = 0.84 / len(shown)
    for b, (name, who, colour, hatch) in enumerate(shown):
        rates = [billions_a_second(c, who) or 0 for c in cells]
        axes.bar([i + (b - (len(shown) - 1) / 2) * width for i in range(len(cells))], rates, width,
                 label=name, color=colour, hatch=hatch, edgecolor="white", linewidth=0.5)
    names = [(c["data"] if label == "blocks" else c["type"]).split()[0] for c in cells]
    axes.set_xticks(range(len(cells)), names)
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=11)
    axes.grid(alpha=0.3, axis="y")
    axes.set_axisbelow(True)


def draw(result):
    figure, panels = pyplot.subplots(1, 3, figsize=(12, 4.8), sharey=True)
    for axes, (op, title, label) in zip(panels, PANELS):
        draw_panel(axes, [c for c in result["cells"] if c["op"] == op], title, label)
    panels[0].set_ylabel("billions of numbers a second")
    return finish(figure, "Sums of flags and of 32-bit numbers, higher is better",
                  caption(result, also="in registers and shared memory, blocks of 512 threads"))


if __name__ == "__main__":
    main(__doc__, load, draw)
