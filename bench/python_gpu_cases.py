"""What bench/python_gpu.py measures: calls of the Python package, and the peers' calls that do the
same on the same memory.

`cupy` and `jax` are None where these packages are not installed.
"""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import torch  # noqa: E402

import lookback as lb  # noqa: E402

try:
    import cupy
except ImportError:
    cupy = None
try:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
except ImportError:
    jax = None

GPU = torch.device("cuda")


def peers(*arrays, **calls):
    """The calls of the peers that are installed, on the memory of `arrays`: {name: call}."""
    kinds = {"PyTorch": lambda x: x}
    if cupy is not None:
        kinds["CuPy"] = cupy.asarray
    if jax is not None:
        kinds["JAX"] = lambda x: jax.dlpack.from_dlpack(x.contiguous())
    found = {}
    for name, call in calls.items():
        if name not in kinds or call is None:
            continue
        try:
            theirs = [kinds[name](x) for x in arrays]
        except Exception as error:  # a type that the peer does not have
            print(f"  {name}: {error}", flush=True)
            continue
        if name == "JAX":
            call = jax.jit(call)
        found[name] = lambda call=call, theirs=theirs: call(*theirs)
    return found


def numbers(dtype, items):
    if dtype == torch.bool:
        return torch.rand(items, device=GPU) < 0.5
    if dtype.is_floating_point:
        return torch.rand(items, device=GPU, dtype=torch.float32).to(dtype)
    return torch.randint(0, 100, (items,), device=GPU, dtype=dtype)


def affine(first, second):
    return first[0] * second[0], first[1] * second[0] + second[1]


def cases(quick):
    """Yields for each case: its name, our call, the peers' calls, and the bytes to be moved."""
    few = numbers(torch.float32, 10)
    yield (
        "10 f32, sums",
        lambda: lb.cumulative_sum(few),
        peers(
            few,
            PyTorch=lambda x: torch.cumsum(x, 0),
            CuPy=lambda x: cupy.cumsum(x),
            JAX=lambda x: jnp.cumsum(x),
        ),
        0,
    )
    room = torch.empty_like(few)
    yield (
        "10 f32, sums into an array that is there",
        lambda: lb.cumulative_sum(few, out=room),
        peers(few, room, PyTorch=lambda x, y: torch.cumsum(x, 0, out=y)),
        0,
    )
    types = {
        "i32 to i64": (torch.int32, 12),
        "i64": (torch.int64, 16),
        "f16": (torch.float16, 4),
        "f32": (torch.float32, 8),
        "f64": (torch.float64, 16),
        "bool to i64": (torch.bool, 9),
    }
    large = 22 if quick else 28
    half = 22 if quick else 26
    for name, (dtype, moved) in types.items():
        x = numbers(dtype, 1 << large)
        wide = "int64" if "to i64" in name else None
        yield (
            f"2^{large} {name}, sums",
            lambda x=x: lb.cumulative_sum(x),
            peers(
                x,
                PyTorch=lambda x: torch.cumsum(x, 0),
                CuPy=lambda x, wide=wide: cupy.cumsum(x, dtype=wide),
                JAX=lambda x, wide=wide: jnp.cumsum(x, dtype=wide),
            ),
            moved << large,
        )
    x = numbers(torch.float32, (1 << large) + 1)[1:]
    yield (
        f"2^{large} f32 of x[1:], sums",
        lambda: lb.cumulative_sum(x),
        peers(x, PyTorch=lambda x: torch.cumsum(x, 0), CuPy=lambda x: cupy.cumsum(x)),
        8 << large,
    )
    del x
    x = numbers(torch.float32, 1 << large)
    mask = numbers(torch.bool, 1 << large)
    kept = int(mask.sum())
    moved = (5 << large) + 4 * kept
    theirs = peers(x, mask, PyTorch=lambda x, m: x[m], CuPy=lambda x, m: x[m])
    yield f"2^{large} f32, half of them by a mask", lambda: lb.select(x, mask), theirs, moved
    yield (
        f"2^{large} f32, half of them by a mask, not waiting for how many",
        lambda: lb.select(x, mask, size=x.numel()),
        theirs,
        moved,
    )
    x, mask = x[1:], mask[1:]
    theirs = peers(x, mask, PyTorch=lambda x, m: x[m], CuPy=lambda x, m: x[m])
    yield (
        f"2^{large} f32 of x[1:], half of them by a mask, not waiting",
        lambda x=x, mask=mask: lb.select(x, mask, size=x.numel()),
        theirs,
        moved,
    )
    del x, mask, theirs
    for power in (8, 14, 20):
        x, mask = numbers(torch.float32, 1 << power), numbers(torch.bool, 1 << power)
        theirs = peers(x, mask, PyTorch=lambda x, m: x[m], CuPy=lambda x, m: x[m])
        ours = lambda x=x, mask=mask: lb.select(x, mask)  # noqa: E731
        yield f"2^{power} f32, half of them by a mask", ours, theirs, 0
        theirs = peers(
            x,
            PyTorch=lambda x: torch.sort(x),
            CuPy=lambda x: cupy.sort(x),
            JAX=lambda x: jnp.sort(x),
        )
        yield f"2^{power} f32, sorted", lambda x=x: lb.sort(x), theirs, 0
    side = 1 << (11 if quick else 14)
    shapes = (
        ((1 << 20, 2), (0,)),
        ((2, 1 << 20), (1,)),
        ((1024, 1024), (0,)),
        ((1000, 1000, 20 if quick else 200), (1,)),
        ((side, side), (0, 1)),
    )
    for shape, axes in shapes:
        y = numbers(torch.float32, torch.Size(shape).numel()).reshape(shape)
        for axis in axes:
            yield (
                f"{' x '.join(map(str, shape))} f32, sums along axis {axis}",
                lambda y=y, axis=axis: lb.cumulative_sum(y, axis=axis),
                peers(
                    y,
                    PyTorch=lambda x, axis=axis: torch.cumsum(x, axis),
                    CuPy=lambda x, axis=axis: cupy.cumsum(x, axis=axis),
                    JAX=lambda x, axis=axis: jnp.cumsum(x, axis=axis),
                ),
                8 * y.numel(),
            )
    yield (
        f"{side} x {side} f32, summed-area table",
        lambda: lb.summed_area_table(y),
        peers(y, PyTorch=lambda x: x.cumsum(0).cumsum(1), JAX=lambda x: x.cumsum(0).cumsum(1)),
        8 * y.numel(),
    )
    del y
    x = numbers(torch.float32, 1 << half)
    a = numbers(torch.float32, 1 << half)
    yield (
        f"2^{half} f32, a linear recurrence",
        lambda: lb.linear_recurrence(a, x),
        peers(a, x, JAX=lambda a, x: jax.lax.associative_scan(affine, (a, x))[1]),
        12 << half,
    )
    offsets = torch.arange(0, (1 << half) + 1, 64, device=GPU)
    folds = ((lb.segment_sum, "sums", "sum"), (lb.segment_max, "maxima", "max"))
    for of_segments, name, op in folds:
        yield (
            f"2^{half} f32, {name} of segments of 64",
            lambda of_segments=of_segments: of_segments(x, offsets),
            peers(
                x,
                offsets,
                PyTorch=lambda x, o, op=op: torch.segment_reduce(x, op, offsets=o, axis=0),
            ),
            (4 << half) + 12 * offsets.numel(),
        )
    for op in ("sum", "max"):
        yield (
            f"2^{half} f32, scan ({op}) of segments of 64",
            lambda op=op: lb.scan(x, op, segments=offsets),
            {},
            8 << half,
        )
    mask = numbers(torch.bool, 1 << half)
    yield (
        f"2^{half} f32, parted by a mask",
        lambda: lb.partition(x, mask),
        peers(x, mask, PyTorch=lambda x, m: (x[m], x[~m])),
        9 << half,
    )
    del mask
    runs = (torch.cumsum(numbers(torch.float32, 1 << half) < 0.02, 0)).to(torch.int32)
    found = int(runs[-1]) + 1
    yield (
        f"2^{half} i32, runs of 50 and their lengths",
        lambda: lb.unique_consecutive(runs, return_counts=True),
        peers(runs, PyTorch=lambda x: torch.unique_consecutive(x, return_counts=True)),
        (4 << half) + 12 * found,
    )
    yield (
        f"2^{half} f32 by i32 keys, scan of runs of 50",
        lambda: lb.scan(x, by_key=runs),
        {},
        12 << half,
    )
    yield (
        f"2^{half} f32 by i32 keys, sums of runs of 50",
        lambda: lb.reduce_by_key(runs, x),
        {},
        (8 << half) + 8 * found,
    )
    del runs
    theirs = peers(
        x,
        PyTorch=lambda x: torch.sort(x),
        CuPy=lambda x: cupy.sort(x),
        JAX=lambda x: jnp.sort(x),
    )
    yield f"2^{half} f32, sorted", lambda: lb.sort(x), theirs, 0
    theirs = peers(x, PyTorch=lambda x: torch.argsort(x), CuPy=lambda x: cupy.argsort(x))
    yield f"2^{half} f32, their order", lambda: lb.argsort(x), theirs, 0
    theirs = peers(x, a, PyTorch=lambda x, a: (lambda s: (s[0], a[s[1]]))(torch.sort(x)))
    yield f"2^{half} f32, sorted with others", lambda: lb.sort_pairs(x, a), theirs, 0
    theirs = peers(
        y := numbers(torch.float32, 1 << half).reshape(-1, 1024),
        PyTorch=lambda y: torch.sort(y, 1),
        CuPy=lambda y: cupy.sort(y, 1),
    )
    yield f"2^{half} f32, rows of 1024 sorted", lambda: lb.sort(y), theirs, 0
    image = numbers(torch.float32, side * side).mul_(255).to(torch.uint8).reshape(side, side)
    means = torch.nn.AvgPool2d(17, 1, 8, count_include_pad=True)
    theirs = peers(image, PyTorch=lambda x: means(x[None].half())[0].to(torch.uint8))
    yield (
        f"{side} x {side} u8, means of 17 x 17",
        lambda: lb.box_filter(image, 8, border="zero"),
        theirs,
        2 * image.numel(),
    )
