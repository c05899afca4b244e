"""The plot of a GPU benchmark's result for the primitives that keep or drop items.

    gpu_kept_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

The four panels are those of figure 12 of Merrill & Garland, "Single-pass Parallel Prefix Scan with
Decoupled Look-back", 2016: billions of items a second, here over the number of items. Needs
matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import describe, items_per_second, line, load
from plotting import main, pyplot

PANELS = (("select_if", "keep 50 %", "(a) select_if: u32, half of the items kept"),
          ("reduce_by_key", "runs of 500", "(b) reduce_by_key: u32 and f32, mean run 500"),
          ("partition_if", "keep 50 %", "(c) partition_if: u32, half of the items kept"),
          ("run_length_encode", "runs of 500", "(d) run_length_encode: u32, mean run 500"))
# As in the other plots. Colours: Okabe & Ito's, which differ for every eye.
LINES = (("lookback", "ours", {"color": "#d55e00", "linewidth": 3, "marker": "o", "zorder": 5}),
         ("CUB", "cub", {"color": "#0072b2", "marker": "s"}),
         ("Thrust, waiting for the count", "thrust", {"color": "#009e73", "marker": "^"}))


def draw_panel(axes, cells, title):
    for label, who, style in LINES:
        points = [(c["n"], items_per_second(c, who) / 1e9) for c in cells if c.get(f"{who}_us")]
        if not points:
            continue
        axes.plot(*zip(*points), label=label, **{"markersize": 5, "linewidth": 1.5, **style})
        axes.annotate(f"{points[-1][1]:.0f}", points[-1], xytext=(7, 0), va="center",
                      textcoords="offset points", color=style["color"], fontsize=9)
    axes.set_title(title, fontsize=11)
    axes.set_xscale("log", base=2)
    axes.set_xticks([c["n"] for c in cells])
    axes.margins(x=0.09)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def draw(result):
    figure, panels = pyplot.subplots(2, 2, figsize=(11, 8), sharex=True)
    for axes, (op, data, title) in zip(panels.flat, PANELS):
        draw_panel(axes, line(result, op, "u32", data), title)
    for axes in panels[:, 0]:
        axes.set_ylabel("billions of items a second")
    for axes in panels[1]:
        axes.set_xlabel("items")
    figure.suptitle("Kept items and runs on the GPU, higher is better", fontsize=13,
                    fontweight="bold")
    figure.text(0.5, 0.94, f"{describe(result)}; arrays that fit in the L2 stay there; "
                f"{result['date']}", ha="center", va="top", fontsize=9)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, frameon=False)
    figure.subplots_adjust(left=0.07, right=0.985, top=0.88, bottom=0.115, wspace=0.12,
                           hspace=0.14)
    return figure


if __name__ == "__main__":
    main(__doc__, load, draw)
