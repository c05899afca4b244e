"""Stream compaction: in one pass, or by a scan and a scatter.

    compaction_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

As figure 39-11 of Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3.
Needs matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import billions_a_second, caption, line, load
from plotting import (CUB, OURS, PURPLE, SEQUENTIAL, SKY, draw_lines, finish, label_ends, main,
                      plain_numbers, pyplot, size_axis)

LINES = (("this library: select_if, one pass", "ours", OURS),
         ("CUB: DeviceSelect::If, one pass", "cub", CUB),
         ("mark, this library's scan, scatter", "our_scan_and_scatter",
          {"color": SKY, "marker": "D"}),
         ("mark, scan-then-propagate, scatter", "scan_and_scatter",
          {"color": PURPLE, "marker": "P"}),
         ("std::copy_if, one thread of the CPU", "sequential_host", SEQUENTIAL))


def draw(result):
    cells = line(result, "compaction", "u32", "keep 50 %")
    figure, axes = pyplot.subplots(figsize=(9, 5.6))
    draw_lines(axes, ((label, [(c["n"], billions_a_second(c, who)) for c in cells], style)
                      for label, who, style in LINES))
    size_axis(axes, [c["n"] for c in cells])
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    axes.set_ylabel("billions of items a second")
    label_ends(axes, digits=1)
    return finish(figure, "Stream compaction, half of the u32 items kept, higher is better",
                  caption(result), columns=2)


if __name__ == "__main__":
    main(__doc__, load, draw)
