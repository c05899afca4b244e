"""Bytes that the ways to scan move to and from a GPU's memory, as counted, beside the theory.

    traffic_plot.py RESULT.json OUTPUT...        OUTPUT.svg or OUTPUT.png

RESULT.json is what bench/gpu/measure-traffic wrote. Needs matplotlib (Debian's python3-matplotlib).
"""

from gpu_result import caption, count_text, load, traffic_of
from plotting import BLACK, BLUE, ORANGE, finish, main, pyplot

# How many arrays each way moves in theory, and its name.
WAYS = {"copy_kernel": (2, "copy"), "ours": (2, "this library"), "cub": (2, "CUB"),
        "cuda-look-back-warp": (2, "look-back, version 3"),
        "cuda-look-back-copy": (2, "look-back, version 2"),
        "cuda-look-back-thread": (2, "look-back, version 1"),
        "cuda-chained": (2, "chained, version 0"),
        "cuda-reduce-then-scan-elided": (3, "reduce-then-scan, elided"),
        "cuda-reduce-then-scan": (3, "reduce-then-scan"),
        "cuda-scan-then-propagate": (4, "scan-then-propagate"),
        "cuda-hierarchical": (4, "three-kernel hierarchical")}


def draw(result):
    cells = [cell for who in WAYS for cell in result["cells"] if cell["way"] == who][::-1]
    figure, axes = pyplot.subplots(figsize=(9, 5.6))
    rows = range(len(cells))
    reads, writes = zip(*map(traffic_of, cells))
    axes.barh(rows, reads, 0.7, label="read", color=BLUE)
    axes.barh(rows, writes, 0.7, left=reads, label="written", color=ORANGE, hatch="//",
              edgecolor="white", linewidth=0.5)
    axes.vlines([WAYS[c["way"]][0] for c in cells], [row - 0.45 for row in rows],
                [row + 0.45 for row in rows], color=BLACK, linewidth=2.5, label="theory")
    for row, total in zip(rows, map(sum, zip(reads, writes))):
        axes.text(total + 0.08, row, f"{total:.2f}", va="center", fontsize=9)
    axes.set_yticks(rows, [WAYS[c["way"]][1] for c in cells])
    axes.set_xlim(0, 4.6)
    axes.set_xlabel("items moved, in n")
    axes.grid(alpha=0.3, axis="x")
    axes.set_axisbelow(True)
    return finish(figure, "What travels to and from the GPU's memory, lower is better",
                  caption(result, also=f"sum of {count_text(cells[0]['n'])} 32-bit integers, counted "
                          f"by Nsight Compute {result['versions']['ncu']}"),
                  left=0.24)


if __name__ == "__main__":
    main(__doc__, load, draw)
