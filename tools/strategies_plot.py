"""The ways to scan on a GPU: throughput over the number of items.

    strategies_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

As figures 7 to 9 of Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
2016, but with a panel for each type instead of one for each GPU. Needs matplotlib (Debian's
python3-matplotlib).
"""

from gpu_result import caption, line, load, throughput
from plotting import (COPY, CUB, GREY, OURS, PURPLE, SKY, THRUST, draw_lines, finish, main, pyplot,
                      size_axis)

TYPES = (("i32", "32-bit integers"), ("f32", "32-bit floats"), ("i64", "64-bit integers"))
LINES = (("copy: the ceiling", "copy", COPY),
         ("this library", "ours", OURS),
         ("CUB: look-back, 2n", "cub", CUB),
         ("Thrust: the same", "thrust", {**THRUST, "markersize": 7, "markerfacecolor": "none"}),
         ("reduce-then-scan, 3n", "cuda-reduce-then-scan", {"color": SKY, "marker": "D"}),
         ("scan-then-propagate, 4n", "cuda-scan-then-propagate", {"color": PURPLE, "marker": "P"}),
         ("chained, 2n", "cuda-chained", {"color": GREY, "marker": "x"}))


def draw_panel(axes, cells, title):
    draw_lines(axes, ((label, [(c["n"], throughput(c, who)) for c in cells], style)
                      for label, who, style in LINES))
    axes.set_title(title, fontsize=11)
    size_axis(axes, [2**e for e in range(10, 31, 4)])


def draw(result):
    shown = [(line(result, "sum", t), title) for t, title in TYPES if line(result, "sum", t)]
    figure, panels = pyplot.subplots(1, len(shown), figsize=(12, 5), sharey=True)
    for axes, (cells, title) in zip(panels, shown):
        draw_panel(axes, cells, title)
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("GB/s that have to be read and written (2n)")
    return finish(figure, "The ways to scan on a GPU, higher is better", caption(result), columns=4)


if __name__ == "__main__":
    main(__doc__, load, draw)
