"""The project's goals for its speed on the CPU, and whether a result reaches them."""

from bench_result import (PARALLEL_PEERS, PEERS, PLAIN_PARALLEL_PEERS, find_cell, speedup)

LARGE = 1 << 28
NOISE = 0.03  # medians differ by this much from run to run


def goals(result):
    """Triples (goal, number as text, whether it is reached; None if it was not measured)."""
    return [*against_copy(result), *against_peers(result), *small(result), *anywhere(result),
            *threads(result), *floats(result), *memory(result)]


def judged(text, number, least):
    if number is None:
        return text, "not measured", None
    return text, f"{number:.2f}", number >= least


def large_sum(result, item_type, who, *over):
    cell = find_cell(result, "sum", item_type, LARGE)
    return None if cell is None else speedup(cell, who, *over)


def against_copy(result):
    for item_type in ("i32", "f32", "i64", "f64", "u8", "u16"):
        least = 0.75 if item_type in ("u8", "u16") else 0.88
        number = large_sum(result, item_type, "ours", "nontemporal_copy")
        yield judged(f"2^28 {item_type}: at least {least} of the non-temporal copy", number, least)


def against_peers(result):
    for item_type, least in (("i32", 1.9), ("f32", 2.5), ("i64", 1.9), ("f64", 1.9), ("u8", 4),
                             ("u16", 4)):
        number = large_sum(result, item_type, "ours", *PARALLEL_PEERS)
        text, shown, reached = judged(
            f"2^28 {item_type}: at least {least} times the best parallel peer", number, least)
        plain = large_sum(result, item_type, "ours", *PLAIN_PARALLEL_PEERS)
        if plain is not None and plain > number:
            shown += f" ({plain:.2f} without the peers' SIMD forms)"
        yield text, shown, reached


def name_of(cell):
    exponent = cell["items"].bit_length() - 1
    return f"{cell['operator']} {cell['type']} 2^{exponent}"


def worst(text, cells, *over):
    """The goal that ours is nowhere slower than `over`, except for noise."""
    ratios = [(speedup(cell, "ours", *over), name_of(cell)) for cell in cells]
    ratios = sorted(r for r in ratios if r[0] is not None)
    if not ratios:
        return text, "not measured", None
    slower = [f"{ratio:.2f} at {name}" for ratio, name in ratios if ratio < 1 - NOISE]
    if not slower:
        return text, f"{ratios[0][0]:.2f} at {ratios[0][1]}", True
    more = f" and {len(slower) - 12} more cells" if len(slower) > 12 else ""
    return text, "; ".join(slower[:12]) + more, False


def small(result):
    cells = [c for c in result["cells"] if c["operator"] == "sum" and c["items"] <= 1 << 14]
    yield worst("n <= 2^14: no sum slower than the sequential std::inclusive_scan, "
                f"up to {NOISE:.0%}", cells,
                "sequential")
    cell = find_cell(result, "sum", "i32", 1 << 14)
    number = None if cell is None else speedup(cell, "ours", "sequential")
    yield judged("2^14 i32: at least 2 times the sequential std::inclusive_scan", number, 2)


def anywhere(result):
    yield worst("any n, any type: never slower than the best peer, "
                f"up to {NOISE:.0%}", result["cells"], *PEERS)


def threads(result):
    for item_type in ("i32", "f32"):
        number = large_sum(result, item_type, "ours_16_threads", "ours")
        yield judged(f"2^28 {item_type}: 16 threads at least 0.8 of one thread a core", number, 0.8)


def floats(result):
    for float_type, integer_type in (("f32", "i32"), ("f64", "i64")):
        a = find_cell(result, "sum", float_type, LARGE)
        b = find_cell(result, "sum", integer_type, LARGE)
        number = None
        if a is not None and b is not None:  # of the copy in the same cell: the machine drifts
            number = (speedup(a, "ours", "nontemporal_copy")
                      / speedup(b, "ours", "nontemporal_copy"))
        yield judged(f"2^28 {float_type}: no slower than {integer_type}, up to {NOISE:.0%}", number,
                     1 - NOISE)


def memory(result):
    shares = [100 * cell["times"].get("ours", {}).get("extra_bytes", 0)
              / (cell["items"] * cell["item_bytes"])
              for cell in result["cells"] if cell["items"] >= 1 << 22]
    if shares:
        yield ("n >= 2^22: extra memory at most 0.1 % of the input", f"{max(shares):.3f} %",
               max(shares) <= 0.1)
