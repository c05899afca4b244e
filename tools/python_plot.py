"""The plot of the Python package's calls beside those of other packages.

    python_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

RESULT.json is what bench/python.py wrote. Needs matplotlib (Debian's python3-matplotlib).
"""

import json

from plotting import (BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, finish, main, plain_numbers,
                      pyplot)

PEERS = {
    "NumPy": (BLUE, "s"),
    "Numba": (GREEN, "^"),
    "pandas": (SKY, "D"),
    "polars": (PURPLE, "v"),
    "PyTorch": (ORANGE, "o"),
    "JAX": (GREY, "P"),
}


def load(path):
    with open(path) as file:
        return json.load(file)


def draw(measured):
    results = measured["results"][::-1]  # the first one on top
    figure, axes = pyplot.subplots(figsize=(10, 2 + 0.3 * len(results)))
    for peer, (color, marker) in PEERS.items():
        points = [(r["seconds"][peer] / r["seconds"]["lookback"], place)
                  for place, r in enumerate(results) if peer in r["seconds"]]
        if points:
            axes.plot(*zip(*points), color=color, marker=marker, linestyle="", label=peer)
    axes.axvline(1, color=RED, linewidth=3, label="lookback", zorder=0)
    axes.set_yticks(range(len(results)), [r["case"] for r in results])
    axes.set_xscale("log")
    axes.set_xlabel("time, as a multiple of lookback's: to the right of the line lookback is faster")
    plain_numbers(axes.xaxis)
    axes.grid(alpha=0.3)
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    caption = (f"{measured['processor']}, {measured['threads']} threads; {versions}; lookback "
               f"{measured['commit']}, {measured['date']}")
    return finish(figure, "Calls of the Python package beside other packages'", caption,
                  columns=7, left=0.34)


if __name__ == "__main__":
    main(__doc__, load, draw)
