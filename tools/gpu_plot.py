"""The plot of a GPU benchmark's result: throughput over size.

    gpu_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

Needs matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import caption, line, load, throughput
from plotting import (COPY, CUB, OURS, draw_lines, finish, main, plain_numbers, pyplot, size_axis)

TYPES = (("i32", "32-bit integers"), ("f64", "64-bit floats"), ("u8", "bytes"))
LINES = (("copy: the ceiling", "copy", COPY), ("lookback", "ours", OURS),
         ("cub::DeviceScan", "cub", CUB))


def draw_panel(axes, result, item_type, title):
    cells = line(result, "sum", item_type)
    draw_lines(axes, ((label, [(c["n"], throughput(c, who)) for c in cells], style)
                      for label, who, style in LINES))
    axes.set_title(title, fontsize=11)
    size_axis(axes, [c["n"] for c in cells], every=2)
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)


def draw(result):
    figure, panels = pyplot.subplots(1, len(TYPES), figsize=(12, 4.6), sharey=True)
    for axes, (item_type, title) in zip(panels, TYPES):
        draw_panel(axes, result, item_type, title)
    panels[0].set_ylabel("GB/s, bytes read + written")
    return finish(figure, "Inclusive sum on the GPU, higher is better", caption(result))


if __name__ == "__main__":
    main(__doc__, load, draw)
