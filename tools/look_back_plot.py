"""The single-pass versions, from the chained scan to look-back: how many times as long as a copy
each takes.

    look_back_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

The versions are those of Willén & Broløs, "Single Pass Scan" (PMPH project report), tables 2 and 3.
Needs matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import caption, line, load
from plotting import (BLUE, COPY, GREEN, GREY, OURS, PURPLE, draw_lines, finish, label_ends,
                      main, plain_numbers, pyplot, size_axis)

LINES = (("version 0: chained", "cuda-chained", {"color": GREY, "marker": "x"}),
         ("version 1: a thread looks back", "cuda-look-back-thread",
          {"color": PURPLE, "marker": "v"}),
         ("version 2: a warp copies, a thread folds", "cuda-look-back-copy",
          {"color": GREEN, "marker": "^"}),
         ("version 3: a warp folds", "cuda-look-back-warp", {"color": BLUE, "marker": "s"}),
         ("this library", "ours", OURS))


def draw(result):
    cells = line(result, "sum", "i32")
    figure, axes = pyplot.subplots(figsize=(9, 5.6))
    draw_lines(axes, ((label, [(c["n"], c[f"{who}_us"] / c["copy_us"]) for c in cells], style)
                      for label, who, style in LINES))
    size_axis(axes, [c["n"] for c in cells])
    axes.set_yscale("log")
    axes.set_yticks([1, 2, 5, 10, 20, 50])
    axes.minorticks_off()
    plain_numbers(axes.yaxis)
    axes.set_ylabel("time, in copies of the same array")
    axes.set_ylim(bottom=0.8)
    label_ends(axes, digits=2)
    draw_lines(axes, [("a copy", [(c["n"], 1) for c in cells], COPY)])
    return finish(figure, "Scans in one pass, lower is better", caption(result), columns=2)


if __name__ == "__main__":
    main(__doc__, load, draw)
