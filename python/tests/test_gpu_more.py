"""Everything but plain scans of arrays on GPUs; streams, gradients, JAX, bits."""

import os
import subprocess

import numpy as np
import pytest
from gpu_arrays import TYPES, ByJAX, is_real, needs_gpu, numbers, on, same  # noqa: F401

import lookback as lb

pytestmark = needs_gpu


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [0, 1, 1000, 300_001])
def test_what_is_kept(on, dtype, size):
    a = numbers(dtype, size)
    mask = np.random.default_rng(1).random(size) < 0.3
    x, flags = on.there(a), on.there(mask)
    same(on.here(lb.select(x, flags)), a[mask])
    room, count = lb.select(x, flags, size=size)
    assert int(count) == mask.sum()
    same(on.here(room)[: int(count)], a[mask])
    if dtype != "bool":
        same(on.here(lb.select(x, where=(0, 3))), a[(a >= 0) & (a < 3)])
    got = lb.unique_consecutive(x, return_inverse=True, return_counts=True)
    if dtype != "float16":
        on_cpu = lb.unique_consecutive(a, return_inverse=True, return_counts=True)
        for ours, expected in zip(got, on_cpu):
            same(on.here(ours), expected)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "float32", "float64"])
def test_segments(on, dtype):
    rng = np.random.default_rng(2)
    for size, number in ((0, 3), (1, 1), (1000, 30), (300_001, 9000), (300_001, 2), (50, 1000)):
        a = numbers(dtype, size)
        offsets = np.sort(rng.integers(0, size + 1, number + 1))
        offsets[0], offsets[-1] = 0, size
        result = on.here(lb.segment_sum(on.there(a), on.there(offsets)))
        same(result, lb.segment_sum(a, offsets))
        same(on.here(lb.segment_sum(on.there(a), offsets.astype(np.int32))), result)
    with pytest.raises(ValueError, match="expected 0 to the number of items"):
        lb.segment_sum(on.there(a), [0, a.size + 1])
    keys = np.sort(rng.integers(0, 100, 50_000)).astype(np.int32)
    values = numbers(dtype, keys.size)
    if dtype != "float16":
        got = lb.reduce_by_key(on.there(keys), on.there(values))
        for ours, expected in zip(got, lb.reduce_by_key(keys, values)):
            same(on.here(ours), expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [0, 1, 1000, 300_001])
def test_sorts(on, dtype, size):
    a = numbers(dtype, size, 100)
    x = on.there(a)
    expected = np.sort(a.astype(np.float64)).astype(dtype)
    same(on.here(lb.sort(x)), expected)
    same(on.here(lb.sort(x, descending=True)), expected[::-1])
    same(on.here(lb.argsort(x)), np.argsort(a, kind="stable"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1,), (100_003,), (5, 3000), (2000, 3)])
def test_recurrences(on, dtype, shape):
    rng = np.random.default_rng(3)
    a, x = rng.uniform(0, 1, shape).astype(dtype), rng.uniform(0, 1, shape).astype(dtype)
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    for axis in range(len(shape)):
        for init in (None, 2.0):
            expected = lb.linear_recurrence(a, x, axis=axis, init=init)
            got = on.here(lb.linear_recurrence(on.there(a), on.there(x), axis=axis, init=init))
            np.testing.assert_allclose(got, expected, rtol=tolerance)
    if len(shape) == 2:  # infinity and NaN do not reach other rows
        x[0, -1] = np.inf
        got = on.here(lb.linear_recurrence(on.there(a), on.there(x)))
        assert np.isinf(got[0, -1]) and np.isfinite(got[1:]).all()
        x[0, -1], x[1, 0] = 0, np.nan  # but stay in their own, although factors decay
        got = on.here(lb.linear_recurrence(on.there(-a), on.there(x)))
        assert np.isnan(got[1]).all() and np.isfinite(got[0]).all() and np.isfinite(got[2:]).all()
        x[1, 0] = 0
    half = lb.linear_recurrence(0.5, on.there(x))
    np.testing.assert_allclose(on.here(half), lb.linear_recurrence(0.5, x), rtol=tolerance)


@pytest.mark.parametrize("number", [0.1, 0.1j])
def test_numbers_in_recurrences_keep_their_digits(on, number):
    x = np.arange(1.0, 50) + 0 * number
    for a, init in ((number, None), (x / 50, number), (number, number)):
        there = on.there(a) if isinstance(a, np.ndarray) else a
        got = on.here(lb.linear_recurrence(there, on.there(x), init=init))
        expected = lb.linear_recurrence(a, x, init=init)
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_tables(on, dtype):
    a = numbers(dtype, (3, 130, 257))
    same(on.here(lb.summed_area_table(on.there(a))), lb.summed_area_table(a))


@is_real
def test_streams_and_threads(on):
    if not hasattr(on, "torch"):
        pytest.skip("PyTorch's streams")
    torch = on.torch
    x = torch.ones(1 << 20, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(20):
            y = lb.cumulative_sum(x)
    stream.synchronize()
    assert int(y[-1]) == 1 << 20
    with pytest.raises(RuntimeError, match="requires a gradient"):
        lb.cumulative_sum(x.requires_grad_())


@is_real
def test_operators_with_gradients(on):
    if not hasattr(on, "torch"):
        pytest.skip("PyTorch's operators")
    torch = on.torch
    import lookback.torch as lt

    def random(*shape):
        return torch.randn(*shape, dtype=torch.float64, device="cuda", requires_grad=True)

    check = torch.autograd.gradcheck
    assert check(lambda x: lt.cumulative_sum(x, 0), (random(5, 4),))
    assert check(lambda x: lt.cumulative_sum(x, 1, True), (random(5, 4),))
    segments = torch.tensor([0, 3, 3, 8], device="cuda")
    assert check(lambda x: lt.segment_sum(x, segments), (random(8),))
    assert check(lambda x: lt.cumulative_prod(x, 0), (random(5, 4),))
    mask = torch.tensor([True, False, True, True], device="cuda")
    assert check(lambda x: lt.select(x, mask), (random(4),))
    assert check(lt.linear_recurrence, (random(3, 7), random(3, 7)))
    assert torch.autograd.gradgradcheck(lt.linear_recurrence, (random(6), random(6)))
    for call, arguments in (
        (lt.cumulative_sum, (random(5, 6), 0)),
        (lt.segment_sum, (random(8), segments)),
        (lt.linear_recurrence, (random(9), random(9))),
        (lt.select, (random(4), mask)),
    ):
        torch.library.opcheck(call, arguments)

    def filtered(a, x):
        return lt.linear_recurrence(a, lt.cumulative_sum(x, -1)).sin()

    a, x = torch.rand(50, device="cuda"), torch.rand(50, device="cuda")
    whole = torch.compile(filtered, fullgraph=True, backend="aot_eager")
    assert torch.equal(whole(a, x), filtered(a, x))


@is_real
def test_jax():
    on = ByJAX()
    a = numbers("float32", (100, 70))
    x = on.there(a)
    same(on.here(lb.cumulative_sum(x, axis=0)), np.cumsum(a, 0))
    same(on.here(lb.cumulative_sum(x > 0, axis=1)), np.cumsum(a > 0, 1))
    line = on.there(a.reshape(-1))
    same(on.here(lb.select(line, line > 0)), a[a > 0])
    same(on.here(lb.sort(line)), np.sort(a.reshape(-1)))
    for ours, expected in zip(
        lb.unique_consecutive(line, return_counts=True),
        lb.unique_consecutive(a.reshape(-1), return_counts=True),
    ):
        same(on.here(ours), expected)
    with pytest.raises(TypeError, match="cannot be written to"):
        lb.cumulative_sum(x, axis=0, out=x)
    half = on.here(lb.linear_recurrence(0.5, line))
    np.testing.assert_allclose(half, lb.linear_recurrence(0.5, a.reshape(-1)), rtol=1e-4)


@is_real
def test_bits_are_the_same_each_time(on):
    a = np.random.default_rng(4).standard_normal(3_000_001).astype(np.float32)
    x = on.there(a)
    for ours in (
        lambda: lb.cumulative_sum(x),
        lambda: lb.cumulative_sum(x[1:]),
        lambda: lb.cumulative_sum(x[:3_000_000].reshape(1000, -1), axis=0),
        lambda: lb.linear_recurrence(0.9, x),
    ):
        first = on.here(ours()).tobytes()
        assert all(on.here(ours()).tobytes() == first for _ in range(20))
    np.testing.assert_allclose(on.here(lb.cumulative_sum(x)), np.cumsum(a, dtype=float), atol=0.05)


@pytest.mark.skipif("LOOKBACK_BITS" not in os.environ, reason="LOOKBACK_BITS names bits.cu, compiled")
def test_bits_are_those_of_the_library(on, tmp_path):
    rows, columns = 1500, 1003
    a = np.random.default_rng(5).standard_normal((rows, columns)).astype(np.float32)
    a.tofile(tmp_path / "in")
    program = [os.environ["LOOKBACK_BITS"], tmp_path / "in", tmp_path / "out"]
    subprocess.run([*program, str(rows), str(columns)], check=True)
    expected = np.fromfile(tmp_path / "out", np.uint32).reshape(3, -1)
    x = on.there(a)
    for ours, bits in zip((lb.cumulative_sum(x.reshape(-1)), lb.cumulative_sum(x, axis=1),
                           lb.cumulative_sum(x, axis=0)), expected):
        np.testing.assert_array_equal(on.here(ours).reshape(-1).view(np.uint32), bits)
