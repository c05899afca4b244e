"""All drawings of scan networks on one sheet.

    network_plot.py FOLDER OUTPUT...        OUTPUT.svg or OUTPUT.png

FOLDER has network_NAME.svg, drawn by `lookback network NAME 16 -o FILE`. The sheet is like figures
1 and 2 of Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
Needs matplotlib (Debian's python3-matplotlib).
"""

import re
from pathlib import Path

from plotting import BLUE, finish, main, pyplot

# The tall networks first, the flat ones below.
NETWORKS = {"serial": "serial", "brent-kung": "Brent-Kung",
            "reduce-then-scan": "reduce-then-scan, radix 2", "radix-4-raking": "raking by a warp of 4",
            "kogge-stone": "Kogge-Stone", "sklansky": "Sklansky",
            "radix-4-brent-kung": "warps of 4 under Brent-Kung",
            "radix-4-sklansky": "warps of 4 under Sklansky"}


def load(folder):
    """For each network: its title, the wires as lists of points, the operators as points."""
    return [parse((Path(folder) / f"network_{name}.svg").read_text(encoding="utf-8"), title)
            for name, title in NETWORKS.items()]


def parse(svg, title):
    cost = re.search(r"<title>[^:]*: (.*)</title>", svg)[1]
    wires = [points_of(path) for path in re.findall(r'<path d="(M[\d ]+V[^"h]*)"', svg)]
    operators = [(int(x), int(y)) for x, y in re.findall(r'<circle cx="(\d+)" cy="(\d+)"', svg)]
    return f"{title}\n{cost}", wires, operators


def points_of(path):
    """The points of a path of the commands M x y, V y (a vertical line to y) and L x y."""
    points = []
    for command, numbers in re.findall(r"([MVL])([\d ]+)", path):
        *across, down = map(int, numbers.split())
        points.append((across[0] if across else points[-1][0], down))
    return points


def draw(networks):
    figure, panels = pyplot.subplots(2, 4, figsize=(13, 7), sharey="row",
                                     gridspec_kw={"height_ratios": (17, 7)})
    for axes, (title, wires, operators) in zip(panels.flat, networks):
        for wire in wires:
            axes.plot(*zip(*wire), color="#52606d", linewidth=0.8)
        axes.plot(*zip(*operators), "o", color=BLUE, markersize=4.5)
        axes.set_title(title, fontsize=9.5)
        axes.axis("off")
    for axes in panels[:, 0]:
        axes.invert_yaxis()
    return finish(figure, "Scan networks of 16 items",
                  "items from left to right, time from top to bottom; a dot is one operator, which "
                  "takes what comes straight down and what comes from the left",
                  left=0.01, right=0.99, bottom=0.02, wspace=0.04, hspace=0.14)


if __name__ == "__main__":
    main(__doc__, load, draw)
