"""What the plots share: styles of lines, axes over sizes, captions, and a program that draws a
result into files.

Needs matplotlib (Debian's python3-matplotlib).
"""

import argparse
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 (the backend comes first)

SAVED_AS = {".svg": {"metadata": {"Date": None}}, ".png": {"dpi": 110}}

# Okabe & Ito's colours, which colour-blind readers can tell apart; markers work without colour.
BLACK, GREY, ORANGE, SKY, GREEN, BLUE, RED, PURPLE = (
    "#000000", "#7f7f7f", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7")
COPY = {"color": BLACK, "linestyle": "--", "linewidth": 1.5}
OURS = {"color": RED, "linewidth": 3, "marker": "o", "zorder": 5}
CUB = {"color": BLUE, "marker": "s"}
THRUST = {"color": GREEN, "marker": "^"}
SEQUENTIAL = {"color": GREY, "marker": "v"}


def draw_lines(axes, lines):
    """Draws each (label, points, style), without the points that were not measured (None)."""
    for label, points, style in lines:
        points = [(x, y) for x, y in points if y is not None]
        if points:
            axes.plot(*zip(*points), label=label, **{"markersize": 5, "linewidth": 1.5, **style})
    axes.grid(alpha=0.3)


def label_ends(axes, digits=0):
    """Writes the last value of each line beside its end, at least a line of text apart. The scales
    must be set before."""
    axes.margins(x=0.1)
    ends = [(line.get_xdata()[-1], line.get_ydata()[-1], line.get_color())
            for line in axes.get_lines()]
    lowest = -1e9
    for x, y, colour in sorted(ends, key=lambda end: end[1]):
        at = axes.transData.transform((x, y))[1] * 72 / axes.figure.dpi
        lowest = max(at, lowest + 10)
        axes.annotate(f"{y:,.{digits}f}", (x, y), xytext=(7, lowest - at), va="center",
                      textcoords="offset points", color=colour, fontsize=9)


def size_axis(axes, sizes, every=1, label="items"):
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes[::every])
    axes.set_xlabel(label)


def plain_numbers(axis):
    """Labels an axis with 1000, not 10^3."""
    axis.set_major_formatter(lambda value, _: f"{value:g}")


def finish(figure, title, caption, columns=3, **spaces):
    """Puts title and caption above the panels, and the legend of all lines below. The distances are
    in inches, so that they fit every figure."""
    width, height = figure.get_size_inches()
    caption = "\n".join(textwrap.fill(line, int(width * 14)) for line in caption.splitlines())
    top = 0.5 + 0.16 * (caption.count("\n") + 1)
    figure.suptitle(title, fontsize=13, fontweight="bold", y=1 - 0.1 / height, va="top")
    figure.text(0.5, 1 - 0.4 / height, caption, ha="center", va="top", fontsize=8.5,
                linespacing=1.25)
    known = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            known.setdefault(label, handle)
    rows = -(-len(known) // columns)
    if known:
        figure.legend(known.values(), known.keys(), loc="lower center", ncol=columns,
                      frameon=False)
    has_titles = any(axes.get_title() for axes in figure.axes)
    figure.subplots_adjust(**{"left": 0.75 / width, "right": 1 - 0.2 / width,
                              "top": 1 - (top + 0.3 * has_titles) / height,
                              "bottom": (0.6 + 0.22 * rows) / height, "wspace": 0.1, **spaces})
    return figure


def main(description, load, draw):
    """Saves draw(load(RESULT)), or draw() if there is nothing to load, under each given name, in
    the format of its extension."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    if load:
        parser.add_argument("result", type=Path)
    parser.add_argument("outputs", type=Path, nargs="+", metavar="OUTPUT.svg|OUTPUT.png")
    arguments = parser.parse_args()
    for output in arguments.outputs:
        if output.suffix not in SAVED_AS:
            parser.error(f"'{output}': expected a name that ends in .svg or .png")
    # No date of the drawing and no random names: the same result gives the same file.
    pyplot.rcParams.update({"svg.hashsalt": "lookback", "font.family": "DejaVu Sans"})
    figure = draw(load(arguments.result)) if load else draw()
    for output in arguments.outputs:
        output.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(output, **SAVED_AS[output.suffix])
