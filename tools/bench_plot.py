"""The plot of a CPU benchmark's result: throughput over size.

    bench_plot.py RESULT.json OUTPUT...      OUTPUT.svg or OUTPUT.png

Needs matplotlib (Debian's python3-matplotlib).
"""

from bench_result import COPIES, describe, describe_versions, load, throughput
from plotting import (BLUE, COPY, GREEN, OURS, PURPLE, SEQUENTIAL, draw_lines, finish, main,
                      plain_numbers, pyplot, size_axis)

TYPES = (("i32", "32-bit integers"), ("f32", "32-bit floats"), ("u8", "bytes"))
# For each line: its name, the forms of which it shows the best, and its style.
LINES = (
    ("copy: the ceiling", COPIES, COPY),
    ("lookback", ("ours",), OURS),
    ("std::inclusive_scan(par_unseq)", ("par_unseq",), {"color": BLUE, "marker": "s"}),
    ("tbb::parallel_scan", ("tbb", "tbb_simd"), {"color": GREEN, "marker": "^"}),
    ("OpenMP scan, threads or SIMD", ("openmp", "openmp_simd"), {"color": PURPLE, "marker": "D"}),
    ("std::inclusive_scan, sequential", ("sequential",), SEQUENTIAL),
)


def draw_panel(axes, result, item_type, title):
    cells = sorted((c for c in result["cells"] if c["operator"] == "sum" and c["type"] == item_type
                    and "par_unseq" in c["times"]), key=lambda c: c["items"])
    draw_lines(axes, ((label, [(c["items"], throughput(c, *names)) for c in cells], style)
                      for label, names, style in LINES))
    axes.set_title(title, fontsize=11)
    size_axis(axes, [c["items"] for c in cells])
    axes.set_yscale("log", base=2)
    plain_numbers(axes.yaxis)


def draw(result):
    figure, panels = pyplot.subplots(1, len(TYPES), figsize=(12, 5), sharey=True)
    for axes, (item_type, title) in zip(panels, TYPES):
        draw_panel(axes, result, item_type, title)
    panels[0].set_ylabel("GB/s, bytes read + written")
    return finish(figure, "Inclusive sum on the CPU, higher is better",
                  f"{describe(result)}; {describe_versions(result)}; {result['date']}")


if __name__ == "__main__":
    main(__doc__, load, draw)
