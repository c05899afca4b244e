"""The sentence of docs/strategies.md that says what was measured, for each step. So no number in
the text is older than its figure."""

from gpu_result import count_text, line, throughput


TILE = 5888  # 32-bit items: 256 threads, 23 items each (strategies/cuda/block/thread_tile.cuh)


def largest(result):
    return line(result, "sum", "i32")[-1]


def step(who, title):
    """Time, rate and part of the copy's speed, for the largest number of items."""
    def text(result):
        cell = largest(result)
        return (f"**Measured**, {count_text(cell['n'])} 32-bit integers: {title} takes "
                f"{cell[f'{who}_us'] / 1e3:.2f} ms, {throughput(cell, who):,.0f} GB/s, "
                f"{cell['copy_us'] / cell[f'{who}_us']:.0%} of a copy's speed.")
    return text


def serial(result):
    cell = max((c for c in line(result, "sum", "i32") if c.get("sequential_host_us")),
               key=lambda c: c["n"])
    return (f"**Measured**, {count_text(cell['n'])} 32-bit integers: one thread of the machine's "
            f"CPU takes {cell['sequential_host_us'] / 1e3:.1f} ms, "
            f"{throughput(cell, 'sequential_host'):.1f} GB/s. A copy on the GPU takes "
            f"{cell['copy_us'] / 1e3:.2f} ms.")


def blocks(*named):
    """Rates of block scans, for the largest number of items."""
    def text(result):
        cell = line(result, "blocks", "i32")[-1]
        rates = [f"{title} {throughput(cell, f'cuda-block-{who}'):,.0f} GB/s"
                 for who, title in named]
        return (f"**Measured**, {count_text(cell['n'])} 32-bit integers, each tile of the array "
                f"scanned in this way: {', '.join(rates)}.")
    return text


def chained(result):
    cell = largest(result)
    tiles = -(-cell["n"] // TILE)
    return (step("cuda-chained", "the chained scan")(result)[:-1]
            + f"; {cell['cuda-chained_us'] / tiles:.2f} us for each of {tiles:,} tiles.")


def versions(result):
    cell = largest(result)
    rates = [f"version {v} {throughput(cell, f'cuda-look-back-{who}'):,.0f} GB/s"
             for v, who in ((1, "thread"), (2, "copy"), (3, "warp"))]
    faster = cell["cuda-chained_us"] / cell["cuda-look-back-warp_us"]
    return (f"**Measured**, {count_text(cell['n'])} 32-bit integers: {', '.join(rates)}; the last is "
            f"{faster:.0f} times as fast as the chained scan.")


def compaction(result):
    cell = line(result, "compaction", "u32", "keep 50 %")[-1]
    return (f"**Measured**, {count_text(cell['n'])} 32-bit integers, half of them kept: one pass "
            f"takes {cell['ours_us']:.0f} us, three kernels {cell['scan_and_scatter_us']:.0f} us, "
            f"three kernels with this library's scan {cell['our_scan_and_scatter_us']:.0f} us, one "
            f"thread of the CPU {cell['sequential_host_us'] / 1e3:.0f} ms.")


STEPS = {
    "serial": serial,
    "hillis-steele": blocks(("hillis-steele", "Hillis & Steele's"), ("sklansky", "Sklansky's")),
    "blelloch": blocks(("blelloch", "Blelloch's"), ("blelloch-padded", "padded"),
                       ("blelloch-unrolled", "padded and unrolled"),
                       ("vectors", "with eight items a thread")),
    "warps": blocks(("warp-scans-brent-kung", "warp scans under Brent & Kung"),
                    ("raking", "raking"), ("warp-scans-sklansky", "warp scans under Sklansky")),
    "scan-then-propagate": step("cuda-scan-then-propagate", "scan-then-propagate"),
    "reduce-then-scan": step("cuda-reduce-then-scan", "reduce-then-scan"),
    "chained": chained,
    "look-back": versions,
    "library": step("ours", "this library's scan"),
    "compaction": compaction,
}
