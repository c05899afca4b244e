"""PyTorch's tensors, and operators with gradients. Skipped if PyTorch is not installed."""

import numpy as np
import pytest

import lookback as lb

torch = pytest.importorskip("torch")
lt = pytest.importorskip("lookback.torch")

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
TYPES += ["float32", "float64", "bool"]


def tensor(dtype, *shape):
    x = torch.randint(0, 10, shape, generator=torch.Generator().manual_seed(0))
    return x.to(getattr(torch, dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_bits_are_those_of_numpy_arrays(dtype):
    x = tensor(dtype, 70, 300)
    views = [x, x.T, x[::2], x[:, 3:40], x.flip(0), x[:, 5], x.expand(2, 70, 300)]
    for view in views:
        for dim in range(view.ndim):
            for ours in (lb.cumulative_sum, lb.cumulative_max, lb.cumulative_min):
                result = ours(view, axis=dim)
                assert isinstance(result, torch.Tensor)
                expected = ours(view.numpy(), axis=dim)
                assert result.numpy().tobytes() == expected.tobytes()
            np.testing.assert_array_equal(
                lb.cumulative_sum(view, axis=dim), np.cumsum(view.numpy(), axis=dim)
            )
    line = x.reshape(-1)
    mask = torch.from_numpy(line.numpy() > 3 if dtype != "bool" else line.numpy())
    assert torch.equal(lb.select(line, mask), line[mask])
    # By NumPy, as PyTorch does not compare all unsigned integers.
    assert torch.equal(lb.sort(line), torch.from_numpy(np.sort(line.numpy())))
    assert torch.equal(lb.argsort(line), torch.from_numpy(np.argsort(line.numpy(), kind="stable")))
    results = lb.unique_consecutive(line, return_inverse=True, return_counts=True)
    of_numpy = lb.unique_consecutive(line.numpy(), return_inverse=True, return_counts=True)
    for ours, theirs in zip(results, of_numpy):
        assert isinstance(ours, torch.Tensor)
        np.testing.assert_array_equal(ours.numpy(), theirs)


def test_memory_is_shared():
    x = torch.arange(1000, dtype=torch.float32)
    room = torch.empty(1000)
    assert lb.cumulative_sum(x, out=room) is room
    assert torch.equal(room, torch.cumsum(x, 0))
    address = x.data_ptr()
    lb.cumulative_sum(x, out=x)
    assert x.data_ptr() == address and torch.equal(x, room)


def test_gradients():
    def random(*shape):
        return torch.randn(*shape, dtype=torch.float64, requires_grad=True)

    check = torch.autograd.gradcheck
    assert check(lambda x: lt.cumulative_sum(x, 0), (random(5, 4),))
    assert check(lambda x: lt.cumulative_sum(x, 1, True), (random(5, 4),))
    segments = torch.tensor([0, 3, 3, 8])
    assert check(lambda x: lt.segment_sum(x, segments), (random(8),))
    mask = torch.tensor([True, False, True, True])
    assert check(lambda x: lt.select(x, mask), (random(4),))
    assert check(lt.linear_recurrence, (random(3, 7), random(3, 7)))
    assert torch.autograd.gradgradcheck(lt.linear_recurrence, (random(6), random(6)))
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="x requires a gradient, which would be lost"):
        lb.cumulative_sum(x)
    with torch.no_grad():
        assert lb.cumulative_sum(x).tolist() == [1, 2, 3]


def test_what_numpy_does_not_know():
    for x in (
        torch.ones(3, dtype=torch.bfloat16),
        torch.ones(3, dtype=torch.complex64).conj(),
        torch.ones(3, dtype=torch.complex64).conj().imag,
        torch.eye(3).to_sparse(),
    ):
        with pytest.raises(TypeError, match="lookback: x is no array that NumPy knows"):
            lb.cumulative_sum(x)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int32", "uint16", "bool", "complex64"])
def test_types(dtype):
    x = tensor(dtype, 30)
    calls = [(lt.cumulative_sum, (x, 0)), (lt.cumulative_prod, (x, 0)), (lt.linear_recurrence, (x, x))]
    calls += [(lt.select, (x, torch.arange(30) % 2 == 0)), (lt.cumulative_sum, (x[0], 0))]
    if dtype != "complex64":
        calls += [(lt.segment_sum, (x, torch.tensor([0, 7, 7, 30])))]
    for call, arguments in calls:
        torch.library.opcheck(call, arguments, test_utils=("test_schema", "test_faketensor"))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_floats_of_16_bits(dtype):
    def both(*shape):
        x = torch.rand(*shape, generator=torch.Generator().manual_seed(1)).to(getattr(torch, dtype))
        return x.requires_grad_(), x.detach().float().requires_grad_()

    near = {"rtol": 0.02, "atol": 0.02}
    a, a32 = both(3, 7)
    for call in (lambda x: lt.linear_recurrence(x, x), lambda x: lt.cumulative_sum(x, 0),
                 lambda x: lt.cumulative_prod(x, 1)):
        y, y32 = call(a), call(a32)
        assert torch.equal(y, y32.to(y.dtype))  # rounded once
        (of_a,), (of_a32,) = torch.autograd.grad(y.sum(), a), torch.autograd.grad(y32.sum(), a32)
        torch.testing.assert_close(of_a.float(), of_a32, **near)


def test_no_dimensions():
    x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    for call in (lt.cumulative_sum, lt.cumulative_prod):
        assert call(x, 0).shape == ()
        assert torch.autograd.gradcheck(lambda x: call(x, 0), (x,))


def test_gradients_of_complex_numbers():
    def random(*shape):
        return torch.randn(*shape, dtype=torch.complex128, requires_grad=True)

    check = torch.autograd.gradcheck
    assert check(lambda x: lt.cumulative_sum(x, 0), (random(5, 4),))
    assert check(lambda x: lt.cumulative_sum(x, 1, True), (random(5, 4),))
    assert check(lambda x: lt.cumulative_prod(x, 0), (random(5, 4),))
    assert check(lt.linear_recurrence, (random(3, 7), random(3, 7)))
    assert torch.autograd.gradgradcheck(lt.linear_recurrence, (random(6), random(6)))
    z = random(7, 5).detach()
    assert torch.equal(lt.cumulative_sum(z.conj(), 0), lt.cumulative_sum(z, 0).conj())
    for single in (torch.complex64, torch.complex128):
        a, x = 0.5 * z.to(single), z.to(single)
        y = lt.linear_recurrence(a, x)
        assert y.dtype == single
        assert y.numpy().tobytes() == lb.linear_recurrence(a.numpy(), x.numpy()).tobytes()


def test_gradients_of_products():
    x = torch.randn(6, 3, dtype=torch.float64)
    x[2, 0] = x[4, 0] = x[1, 1] = 0
    x.requires_grad = True
    for dim in (0, 1, -1):
        assert torch.autograd.gradcheck(lambda x: lt.cumulative_prod(x, dim), (x,))
        ours = torch.autograd.grad(lt.cumulative_prod(x, dim).sin().sum(), x)[0]
        theirs = torch.autograd.grad(torch.cumprod(x, dim).sin().sum(), x)[0]
        torch.testing.assert_close(ours, theirs)
    assert torch.autograd.gradgradcheck(lt.cumulative_prod, (x,))


def test_operators():
    for call, arguments in (
        (lt.cumulative_sum, (torch.randn(5, 6, requires_grad=True), 0)),
        (lt.cumulative_prod, (torch.randn(5, 6, requires_grad=True), 0)),
        (lt.segment_sum, (torch.randn(8, requires_grad=True), torch.tensor([0, 3, 8]))),
        (lt.linear_recurrence, (torch.rand(9, requires_grad=True), torch.rand(9))),
        (lt.select, (torch.randn(8, requires_grad=True), torch.arange(8) % 2 == 0)),
    ):
        torch.library.opcheck(call, arguments)


def test_compiled_whole():
    def filtered(a, x):
        return lt.linear_recurrence(a, lt.cumulative_sum(x, -1)).sin()

    a, x = torch.rand(50), torch.rand(50)
    whole = torch.compile(filtered, fullgraph=True, backend="aot_eager")
    assert torch.equal(whole(a, x), filtered(a, x))
