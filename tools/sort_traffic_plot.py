"""The bytes that the ways to sort n keys of 4 bytes move to and from memory.

    sort_traffic_plot.py OUTPUT...        OUTPUT.svg or OUTPUT.png

They are computed from the kernels that each way starts, with the tiles of
strategies/cuda/sorts.cuh; for networks they are upper bounds. Needs matplotlib (Debian's python3-matplotlib).
"""

from plotting import (BLACK, BLUE, GREEN, GREY, ORANGE, OURS, PURPLE, draw_lines, finish,
                      label_ends, main, plain_numbers, pyplot, size_axis)

LOGS = range(12, 29, 2)
KEY_BYTES = 4
CHUNK = 512 * 9
TILE_LOG = 12
# The library's own sort: the blocks of one cluster sort up to IN_CLUSTER keys in one launch. Up to
# IN_BUCKETS keys are dealt out to 256 buckets, if they are spread evenly (sort_shapes.hpp), and more
# keys, up to 2^30, are moved to up to 65,536 buckets by two digits.
IN_CLUSTER = 1 << 15
IN_BUCKETS = 256 * 1024 * 17


def merge_levels(n):
    return (-(-n // CHUNK) - 1).bit_length()


def bitonic(log):
    """A merge of parts of 2^p keys takes p - 11 steps in global memory and one in tiles."""
    longer = max(0, log - TILE_LOG)
    return 2 * (1 + longer * (longer + 3) // 2)


def odd_even(log):
    return 2 * (1 + sum(part + 1 for part in range(TILE_LOG, log)))


def dealt_tiles(n):
    """The tiles that keys are dealt out from: at least 128, half full up to 256, then full."""
    return max(min(max(-(-n // 4096), 128), 256), -(-n // 8192))


def ours(n):
    """Of random keys: 2n in one launch; 4n and a list of 256 counts for each tile, written and read;
    or n to count, and 2n to parts, to buckets, and within them."""
    if n <= IN_CLUSTER:
        return 2
    if n <= IN_BUCKETS:
        return 4 + 2 * 256 * dealt_tiles(n) / n
    return 1 + 2 * 3


# In arrays of n keys.
LINES = (("odd-even merge sort", lambda n, log: odd_even(log), {"color": ORANGE, "marker": "D"}),
         ("bitonic sort", lambda n, log: bitonic(log), {"color": PURPLE, "marker": "P"}),
         ("splits, 7n a bit", lambda n, log: 7 * 32, {"color": GREY, "marker": "v"}),
         ("splits in chunks, merges by one block each", lambda n, log: 2 * (1 + merge_levels(n)),
          {"color": GREEN, "marker": "^"}),
         ("scans of histograms, 3n for 4 bits", lambda n, log: 3 * 8,
          {"color": BLUE, "marker": "s"}),
         ("one sweep for each digit, 9n", lambda n, log: 9, {"color": BLACK, "marker": "o"}),
         ("buckets, of even keys (this library)", lambda n, log: ours(n), OURS))


def draw():
    figure, axes = pyplot.subplots(figsize=(8.5, 5.4))
    draw_lines(axes, ((label, [(1 << log, KEY_BYTES * moved(1 << log, log)) for log in LOGS], style)
                      for label, moved, style in LINES))
    size_axis(axes, [1 << log for log in LOGS], label="keys")
    axes.set_yscale("log", base=2)
    plain_numbers(axes.yaxis)
    axes.set_ylabel("bytes moved a key")
    label_ends(axes)
    return finish(figure, "What sorting keys of 4 bytes moves, lower is better",
                  "counted, not measured; of networks at most; a copy moves 8 bytes a key", columns=2)


if __name__ == "__main__":
    main(__doc__, None, draw)
