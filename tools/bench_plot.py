"""The plot of a CPU benchmark's result: throughput over size.

    bench_plot.py RESULT.json OUTPUT...      OUTPUT.svg or OUTPUT.png

Needs matplotlib (Debian's python3-matplotlib).
"""

from bench_result import COPIES, describe, load, throughput
from plotting import main, pyplot

TYPES = (("i32", "32-bit integers"), ("f32", "32-bit floats"), ("u8", "bytes"))
# The line, whose better form it shows, and how it looks. Colours: Okabe & Ito's, which differ for
# every eye.
LINES = (
    ("copy: the ceiling", COPIES, {"color": "black", "linestyle": "--", "linewidth": 1.5}),
    ("lookback", ("ours",), {"color": "#d55e00", "linewidth": 3, "marker": "o", "zorder": 5}),
    ("std::inclusive_scan(par_unseq)", ("par_unseq",), {"color": "#0072b2", "marker": "s"}),
    ("tbb::parallel_scan", ("tbb", "tbb_simd"), {"color": "#009e73", "marker": "^"}),
    ("OpenMP scan, threads or SIMD", ("openmp", "openmp_simd"), {"color": "#cc79a7", "marker": "D"}),
    ("std::inclusive_scan, sequential", ("sequential",), {"color": "#7f7f7f", "marker": "v"}),
)


def draw_panel(axes, result, item_type, title):
    cells = sorted((c for c in result["cells"] if c["operator"] == "sum" and c["type"] == item_type
                    and "par_unseq" in c["times"]), key=lambda c: c["items"])
    for label, names, style in LINES:
        points = [(c["items"], throughput(c, *names)) for c in cells]
        axes.plot(*zip(*points), label=label, **{"markersize": 5, "linewidth": 1.5, **style})
    axes.set_title(title, fontsize=11)
    axes.set_xscale("log", base=2)
    axes.set_xticks([c["items"] for c in cells])
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("items")
    axes.grid(alpha=0.3)


def draw(result):
    figure, panels = pyplot.subplots(1, len(TYPES), figsize=(12, 5), sharey=True)
    for axes, (item_type, title) in zip(panels, TYPES):
        draw_panel(axes, result, item_type, title)
    panels[0].set_ylabel("GB/s, bytes read + written")
    figure.suptitle("Inclusive sum on the CPU, higher is better", fontsize=13, fontweight="bold")
    figure.text(0.5, 0.905, f"{describe(result)}, {result['date']}", ha="center", fontsize=9)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, frameon=False)
    figure.subplots_adjust(left=0.065, right=0.985, top=0.83, bottom=0.25, wspace=0.08)
    return figure


if __name__ == "__main__":
    main(__doc__, load, draw)
