"""Scans of a tile by a block: throughput over the number of items, beside one thread of a CPU.

    block_scans_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

As figures 39-7 (against the CPU) and 39-8 (bank conflicts, unrolled loops) of Harris, Sengupta &
Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3. Needs matplotlib (Debian's
python3-matplotlib).
"""

from gpu_result import caption, line, load, throughput
from plotting import (BLUE, COPY, GREEN, GREY, ORANGE, OURS, PURPLE, SKY, draw_lines, finish, main,
                      plain_numbers, pyplot, size_axis)

BEST = ("work-efficient, eight items a thread in vectors", "cuda-block-vectors",
        {"color": BLUE, "marker": "s"})
UNROLLED = ("work-efficient, no conflicts, unrolled", "cuda-block-blelloch-unrolled",
            {"color": GREEN, "marker": "^"})
AGAINST_CPU = (("copy: the ceiling", "copy", COPY), ("this library", "ours", OURS), BEST, UNROLLED,
               ("naive: Hillis & Steele", "cuda-block-hillis-steele",
                {"color": ORANGE, "marker": "D"}),
               ("sequential, one thread of the CPU", "sequential_host",
                {"color": GREY, "marker": "v"}))
STEPS = (BEST, UNROLLED,
         ("work-efficient, no bank conflicts", "cuda-block-blelloch-padded",
          {"color": SKY, "marker": "P"}),
         ("work-efficient: Blelloch", "cuda-block-blelloch", {"color": PURPLE, "marker": "x"}))


def draw_panel(axes, cells, lines, title):
    draw_lines(axes, ((label, [(c["n"], throughput(c, who)) for c in cells], style)
                      for label, who, style in lines))
    axes.set_title(title, fontsize=11)
    size_axis(axes, [c["n"] for c in cells], every=max(1, len(cells) // 4))


def draw(result):
    cells = line(result, "blocks", "i32")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 5.4))
    draw_panel(left, cells, AGAINST_CPU, "against one thread of a CPU (logarithmic)")
    left.set_yscale("log")
    plain_numbers(left.yaxis)
    draw_panel(right, cells, STEPS, "what each improvement brings")
    right.set_ylim(bottom=0)
    left.set_ylabel("GB/s that have to be read and written (2n)")
    return finish(figure, "Block scans, within scan-then-propagate; 32-bit sums, higher is better",
                  caption(result), wspace=0.14)


if __name__ == "__main__":
    main(__doc__, load, draw)
