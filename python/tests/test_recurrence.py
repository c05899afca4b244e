"""Linear recurrences, compared with a loop."""

import numpy as np
import pytest

import lookback as lb


def loop(a, x, init=None):
    wide = "c16" if np.iscomplexobj(x) or np.iscomplexobj(a) else "f8"
    a, x = np.broadcast_to(a, x.shape).astype(wide), x.astype(wide)
    y = np.empty_like(x)
    last = np.zeros(x.shape[1:]) if init is None else np.broadcast_to(init, x.shape[1:])
    for i in range(len(x)):
        y[i] = last = a[i] * last + x[i]
    return y


@pytest.mark.parametrize("n", [0, 1, 2, 100, 5000, 300_000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lines(dtype, n):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n).astype(dtype)
    near = {"rtol": 2e-4, "atol": 2e-4} if dtype == "float32" else {"rtol": 1e-11, "atol": 1e-11}
    for a in (rng.uniform(-1, 1, n).astype(dtype), np.array([0.97], dtype), 0.5, 0.0):
        for init in (None, 2.5):
            y = lb.linear_recurrence(a, x, init=init)
            assert y.dtype == x.dtype
            np.testing.assert_allclose(y, loop(a, x, init), **near)
    lb.set_num_threads(1)
    one = lb.linear_recurrence(0.97, x)
    lb.set_num_threads(0)
    assert one.tobytes() == lb.linear_recurrence(0.97, x).tobytes()


@pytest.mark.parametrize("n", [0, 1, 2, 100, 70_000])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_lines(dtype, n):
    rng = np.random.default_rng(n)
    near = {"rtol": 2e-3, "atol": 2e-3} if dtype == "complex64" else {"rtol": 1e-10, "atol": 1e-10}
    x = (rng.standard_normal(n) + 1j * rng.standard_normal(n)).astype(dtype)
    turns = rng.uniform(0.5, 1, n) * np.exp(1j * rng.standard_normal(n))
    for a in (turns.astype(dtype), 0.9j, 0.5, np.array([0.6 + 0.6j], dtype)):
        for init in (None, 2.5 - 1j):
            y = lb.linear_recurrence(a, x, init=init)
            assert y.dtype == x.dtype
            np.testing.assert_allclose(y, loop(a, x, init), **near)
    y = lb.linear_recurrence(0.9j, x.real)  # a complex factor and real items
    assert y.dtype == x.dtype
    np.testing.assert_allclose(y, loop(0.9j, x.real), **near)
    lb.set_num_threads(1)
    one = lb.linear_recurrence(turns, x)
    lb.set_num_threads(0)
    assert one.tobytes() == lb.linear_recurrence(turns, x).tobytes()


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_complex_axes(layout, axis):
    """A bank of resonators, as in a state-space model: a factor for each row."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((4, 30, 6)) + 1j * rng.standard_normal((4, 30, 6))
    a = 0.8 * np.exp(1j * rng.standard_normal((4, 30, 6)))
    init = rng.standard_normal(np.moveaxis(x, axis, 0).shape[1:]) * 1j
    expected = np.moveaxis(loop(np.moveaxis(a, axis, 0), np.moveaxis(x, axis, 0), init), 0, axis)
    y = lb.linear_recurrence(layout(a), layout(x), init=init, axis=axis)
    np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-10)
    room = x.copy()
    lb.linear_recurrence(a, room, init=init, axis=axis, out=room)
    np.testing.assert_array_equal(room, y)


@pytest.mark.parametrize("shape", [(40, 3, 5), (1, 2, 2), (0, 2, 3), (5, 0, 2), (300, 2, 400)])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_axes(layout, shape, axis):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape)
    a = rng.uniform(-1, 1, shape)
    moved = np.moveaxis(x, axis, 0)
    init = rng.standard_normal(moved.shape[1:])
    expected = np.moveaxis(loop(np.moveaxis(a, axis, 0), moved, init), 0, axis)
    y = lb.linear_recurrence(layout(a), layout(x), init=init, axis=axis)
    np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-10)
    line = rng.uniform(-1, 1, [n if k == axis % 3 else 1 for k, n in enumerate(shape)])
    wide = np.broadcast_to(line, shape)
    expected = np.moveaxis(loop(np.moveaxis(wide, axis, 0), moved), 0, axis)
    y = lb.linear_recurrence(line, x, axis=axis)
    np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-10)


def test_types_and_out():
    x = np.arange(5)
    assert lb.linear_recurrence(1, x).tolist() == [0, 1, 3, 6, 10]
    assert lb.linear_recurrence(1, x).dtype == np.float64
    assert lb.linear_recurrence(np.float64(1), x.astype("f4")).dtype == np.float64
    assert lb.linear_recurrence(1.0, x.astype("f4")).dtype == np.float32
    assert lb.linear_recurrence(1j, x.astype("f4")).dtype == np.complex64
    assert lb.linear_recurrence(1.0, x.astype("f4"), init=1j)[0] == 1j
    room = x.astype("f8")
    assert lb.linear_recurrence(2, room, out=room) is room
    assert room.tolist() == [0, 1, 4, 11, 26]
    factors = np.full(5, 2.0)
    lb.linear_recurrence(factors, x, out=factors)
    assert factors.tolist() == [0, 1, 4, 11, 26]
    narrow = np.zeros(5, "f4")
    lb.linear_recurrence(2, x, out=narrow)
    assert narrow.tolist() == [0, 1, 4, 11, 26]


def test_wrong_arguments():
    with pytest.raises(ValueError, match=r"a has shape \(2,\); expected one that broadcasts to \(3,\)"):
        lb.linear_recurrence([1, 2], [1, 2, 3])
    with pytest.raises(TypeError, match="longdouble|float128"):
        lb.linear_recurrence(1.0, np.ones(3, np.longdouble))
    with pytest.raises(ValueError, match=r"init has shape \(2,\); expected one that broadcasts to \(\)"):
        lb.linear_recurrence(1.0, [1, 2, 3], init=[1, 2])
    with pytest.raises(TypeError, match="init has dtype <U1"):
        lb.linear_recurrence(1.0, [1, 2, 3], init="a")
    with pytest.raises(ValueError, match="0 dimensions"):
        lb.linear_recurrence(1, 1)


def test_starts_within_the_output():
    x = np.random.default_rng(1).random((6, 6))
    expected = lb.linear_recurrence(0.5, x, init=x[0].copy())
    out = x.copy()
    lb.linear_recurrence(0.5, out, init=out[0], out=out)
    np.testing.assert_array_equal(out, expected)
