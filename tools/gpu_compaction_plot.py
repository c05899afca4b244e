"""The plot of a GPU benchmark's result for compactions, runs and columns.

    gpu_compaction_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

The four panels are those of figure 12 of Merrill & Garland, "Single-pass Parallel Prefix Scan with
Decoupled Look-back", 2016: billions of items a second, here over the number of items. Needs
matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import billions_a_second, caption, line, load
from plotting import (CUB, OURS, THRUST, draw_lines, finish, label_ends, main, pyplot, size_axis)

PANELS = (("select_if", "keep 50 %", "(a) select_if: u32, half of the items kept"),
          ("reduce_by_key", "runs of 500", "(b) reduce_by_key: u32 and f32, mean run 500"),
          ("partition_if", "keep 50 %", "(c) partition_if: u32, half of the items kept"),
          ("run_length_encode", "runs of 500", "(d) run_length_encode: u32, mean run 500"))
LINES = (("lookback", "ours", OURS), ("CUB", "cub", CUB),
         ("Thrust, waiting for the count", "thrust", THRUST))


def draw_panel(axes, cells, title):
    draw_lines(axes, ((label, [(c["n"], billions_a_second(c, who)) for c in cells], style)
                      for label, who, style in LINES))
    axes.set_title(title, fontsize=11)
    size_axis(axes, [c["n"] for c in cells])
    axes.set_ylim(bottom=0)
    label_ends(axes)


def draw(result):
    figure, panels = pyplot.subplots(2, 2, figsize=(11, 8), sharex=True)
    for axes, (op, data, title) in zip(panels.flat, PANELS):
        draw_panel(axes, line(result, op, "u32", data), title)
    for axes in panels[:, 0]:
        axes.set_ylabel("billions of items a second")
    for axes in panels[0]:
        axes.set_xlabel("")
    return finish(figure, "Compactions and runs on the GPU, higher is better", caption(result),
                  wspace=0.12, hspace=0.14)


if __name__ == "__main__":
    main(__doc__, load, draw)
