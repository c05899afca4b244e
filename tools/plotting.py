"""What the plots of both benchmarks share: a program that draws a result into files.

Needs matplotlib (Debian's python3-matplotlib).
"""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 (the backend comes first)

SAVED_AS = {".svg": {"metadata": {"Date": None}}, ".png": {"dpi": 110}}


def main(description, load, draw):
    """Saves draw(load(RESULT)) under each name that is given, in the form that its ending says."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("outputs", type=Path, nargs="+", metavar="OUTPUT.svg|OUTPUT.png")
    arguments = parser.parse_args()
    for output in arguments.outputs:
        if output.suffix not in SAVED_AS:
            parser.error(f"'{output}': expected a name that ends in .svg or .png")
    # Neither the date of the drawing nor random names: the same result gives the same file.
    pyplot.rcParams.update({"svg.hashsalt": "lookback", "font.family": "DejaVu Sans"})
    figure = draw(load(arguments.result))
    for output in arguments.outputs:
        output.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(output, **SAVED_AS[output.suffix])
