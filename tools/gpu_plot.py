"""The plot of a GPU benchmark's result: throughput over size.

    gpu_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

Needs matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import describe, line, load, throughput
from plotting import main, pyplot

TYPES = (("i32", "32-bit integers"), ("f64", "64-bit floats"), ("u8", "bytes"))
# As in the CPU's plot. Colours: Okabe & Ito's, which differ for every eye.
LINES = (
    ("copy: the ceiling", "copy", {"color": "black", "linestyle": "--", "linewidth": 1.5}),
    ("lookback", "ours", {"color": "#d55e00", "linewidth": 3, "marker": "o", "zorder": 5}),
    ("cub::DeviceScan", "cub", {"color": "#0072b2", "marker": "s"}),
)


def draw_panel(axes, result, item_type, title):
    cells = line(result, "sum", item_type)
    for label, who, style in LINES:
        points = [(c["n"], throughput(c, who)) for c in cells if throughput(c, who) is not None]
        axes.plot(*zip(*points), label=label, **{"markersize": 5, "linewidth": 1.5, **style})
    axes.set_title(title, fontsize=11)
    axes.set_xscale("log", base=2)
    axes.set_xticks([c["n"] for c in cells][::2])
    axes.set_xlabel("items")
    axes.grid(alpha=0.3)


def draw(result):
    figure, panels = pyplot.subplots(1, len(TYPES), figsize=(12, 4.6), sharey=True)
    for axes, (item_type, title) in zip(panels, TYPES):
        draw_panel(axes, result, item_type, title)
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("GB/s, bytes read + written")
    figure.suptitle("Inclusive sum on the GPU, higher is better", fontsize=13, fontweight="bold")
    figure.text(0.5, 0.895, f"{describe(result)}; arrays that fit in the L2 stay there; "
                f"{result['date']}", ha="center", fontsize=9)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, frameon=False)
    figure.subplots_adjust(left=0.065, right=0.985, top=0.81, bottom=0.2, wspace=0.08)
    return figure


if __name__ == "__main__":
    main(__doc__, load, draw)
