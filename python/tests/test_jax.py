"""JAX's compiled programs, and gradients. Skipped if jax is not installed, or was not when the
module was built."""

import numpy as np
import pytest
from conftest import check_examples, numbers

import lookback as lb

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
lj = pytest.importorskip("lookback.jax", exc_type=ImportError)
jnp = jax.numpy
check_grads = pytest.importorskip("jax.test_util").check_grads

TYPES = ["int8", "uint8", "int16", "int32", "int64", "uint64", "float32", "float64", "bool"]


@pytest.fixture(autouse=True)
def cpu():
    with jax.default_device(jax.devices("cpu")[0]):
        yield


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(70, 300), (5, 0), (3, 4, 5), (100_003,)])
def test_bits_are_those_of_numpy_arrays(dtype, shape):
    x = numbers(dtype, shape)
    for axis in range(-1, x.ndim):
        for name in ("cumulative_sum", "cumulative_prod", "cumulative_max", "cumulative_min"):
            call = getattr(lj, name)
            expected = getattr(lb, name)(x, axis=axis)
            for result in (call(x, axis=axis), jax.jit(lambda x: call(x, axis=axis))(x)):
                assert isinstance(result, jax.Array) and result.dtype == expected.dtype
                np.testing.assert_array_equal(result, expected)
        if x.dtype.kind != "b":
            reverse = lj.cumulative_sum(x, axis=axis, reverse=True)
            np.testing.assert_array_equal(reverse, lb.scan(x, axis=axis, reverse=True))


def test_types():
    x = numbers("float32", 1000)
    assert lj.cumulative_sum(x.astype("f2")).dtype == np.float16
    assert lj.cumulative_sum(jnp.asarray(x, jnp.bfloat16)).dtype == jnp.bfloat16
    assert lj.cumulative_sum(x, dtype="f8").dtype == np.float64
    assert lj.cumulative_sum(x, include_initial=True)[0] == 0
    assert lj.cumulative_prod(x, include_initial=True).shape == (1001,)
    assert lj.cumulative_sum(5).tolist() == [5]
    with pytest.raises(ValueError, match="x has 2 dimensions; expected an axis"):
        lj.cumulative_sum(jnp.ones((2, 2)))
    with pytest.raises(IndexError):
        lj.cumulative_sum(x, axis=1)
    with pytest.raises(TypeError, match="x is an array of a compiled JAX program; use lookback.jax"):
        jax.jit(lb.cumulative_sum)(x)
    with pytest.raises(TypeError, match="x is no array that NumPy knows"):
        lb.cumulative_sum(jnp.asarray(x, jnp.bfloat16))
    with pytest.raises(TypeError, match="no order"):
        lj.cumulative_max(1j * x)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_recurrences(dtype):
    rng = np.random.default_rng(0)
    x, a = rng.standard_normal((2, 6, 50, 7))
    if dtype[0] == "c":
        x, a = x + 1j * a, a * 1j
    x, a = x.astype(dtype), (0.3 * a).astype(dtype)
    for axis in (0, 1, -1):
        y = jax.jit(lambda a, x: lj.linear_recurrence(a, x, axis=axis))(a, x)
        expected = lb.linear_recurrence(a, x, axis=axis)
        assert y.dtype == expected.dtype
        np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(lj.linear_recurrence(0.5, x[0]), lb.linear_recurrence(0.5, x[0]))
    turns = np.exp(1j * rng.standard_normal(1000)).astype(dtype) if dtype[0] == "c" else x.ravel()
    for call in ("cumulative_sum", "cumulative_prod"):  # also for subnormal numbers
        np.testing.assert_array_equal(getattr(lj, call)(turns), getattr(lb, call)(turns))


def test_examples_of_the_docstrings():
    for name in lj.__all__:
        check_examples(name, getattr(lj, name))


def test_batches():
    x = numbers("float64", (4, 5, 6))
    batched = jax.vmap(lambda x: lj.cumulative_sum(x, axis=0))(x)
    np.testing.assert_array_equal(batched, lb.cumulative_sum(x, axis=1))
    inner = jax.vmap(lambda x: lj.cumulative_sum(x, axis=0), in_axes=2, out_axes=2)(x)
    np.testing.assert_array_equal(inner, lb.cumulative_sum(x, axis=0))
    y = jax.vmap(lj.linear_recurrence, in_axes=(None, 0))(0.5 * x[0], x)
    for k in range(4):
        np.testing.assert_array_equal(y[k], lb.linear_recurrence(0.5 * x[0], x[k]))


@pytest.mark.parametrize("is_complex", [False, True])
def test_gradients(is_complex):
    rng = np.random.default_rng(0)

    def random(*shape):
        x = rng.standard_normal(shape)
        return x + 1j * rng.standard_normal(shape) if is_complex else x

    def check(call, *arrays, order=2):
        check_grads(call, arrays, order=order, modes=["rev"])

    check(lambda x: lj.cumulative_sum(x, axis=0), random(5, 4), order=1)
    check(lambda x: lj.cumulative_sum(x, axis=1, reverse=True), random(5, 4), order=1)
    check(lambda x: lj.cumulative_prod(x, axis=0, include_initial=True), random(5, 4), order=1)
    check(lj.cumulative_prod, random(6) * np.array([1, 0, 1, 1, 0, 1]))
    check(lj.linear_recurrence, random(3, 7), random(3, 7))
    check(lambda a, x: lj.linear_recurrence(a, x, axis=0), random(1, 3), random(7, 3), order=1)
    check(jax.jit(jax.vmap(lj.linear_recurrence)), random(3, 4), random(3, 4), order=1)
