"""Sorts of rows and pairs, complex sums, images, and Numba's arrays, on GPUs, compared with NumPy
and the CPU."""

import numpy as np
import pytest
from gpu_arrays import is_real, needs_gpu, numbers, on, same  # noqa: F401

import lookback as lb
from lookback._frames import Resident
from lookback._gpu_types import WITH_COMPLEX, known

pytestmark = needs_gpu


SORTED = ["bool", "uint8", "int32", "uint32", "uint64", "float16", "float64"]


@pytest.mark.parametrize("dtype", SORTED)
def test_sorts_of_rows_and_pairs(on, dtype):
    high = {"uint8": 2**7, "uint32": 2**31, "uint64": 2**63}.get(dtype, 100)
    rng = np.random.default_rng(6)
    for shape in ((0,), (1,), (3, 0), (1, 70), (70, 1), (40, 300), (3, 50, 7)):
        a = rng.integers(0, high, shape).astype(dtype)
        if dtype[0] == "u":
            a = a * np.array(2, a.dtype) + np.array(1, a.dtype)  # uses the highest bit, too
        x = on.there(a)
        for axis in range(len(shape)):
            expected = np.sort(a.astype(np.float64) if dtype == "float16" else a, axis=axis)
            same(on.here(lb.sort(x, axis=axis)), expected.astype(dtype))
            same(on.here(lb.argsort(x, axis=axis)), np.argsort(a, axis=axis, kind="stable"))
        order = lb.argsort(a, axis=-1, descending=True)
        same(on.here(lb.argsort(x, descending=True)), order)
        same(on.here(lb.sort(x, descending=True)), np.take_along_axis(a, order, -1))
    for size in (0, 1, 1000, 100_003):
        keys = rng.integers(0, high, size).astype(dtype)
        for kind in ("uint8", "float16", "int32", "uint32", "float64"):
            values = np.arange(size).astype(kind)
            for descending in (False, True):
                order = lb.argsort(keys, descending=descending)
                got = lb.sort_pairs(on.there(keys), on.there(values), descending=descending)
                same(on.here(got[0]), keys[order])
                same(on.here(got[1]), values[order])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_sums(on, dtype):
    for shape in ((0,), (1,), (100_003,), (70, 300), (3, 50, 7)):
        a = (numbers("float64", shape) + 1j * numbers("float64", shape)[::-1]).astype(dtype)
        x = on.there(a)
        for axis in range(len(shape)):
            same(on.here(lb.cumulative_sum(x, axis=axis)), np.cumsum(a, axis=axis))
            expected = lb.cumulative_sum(a, axis=axis, include_initial=True)
            same(on.here(lb.cumulative_sum(x, axis=axis, include_initial=True)), expected)
            same(on.here(lb.exclusive_scan(x, axis=axis)), lb.exclusive_scan(a, axis=axis))
            expected = lb.scan(a, axis=axis, reverse=True)
            same(on.here(lb.scan(x, axis=axis, reverse=True)), expected)
    same(on.here(lb.cumulative_sum(x[0].T, axis=1)), np.cumsum(a[0].T, axis=1))
    room = on.there(np.zeros_like(a))
    assert lb.cumulative_sum(x, axis=0, out=room) is room
    same(on.here(room), np.cumsum(a, axis=0))
    with pytest.raises(TypeError, match="complex"):
        lb.cumulative_max(x, axis=0)
    with pytest.raises(TypeError, match=f"no such scan of {dtype} in float64"):
        lb.cumulative_sum(x, axis=0, dtype=np.float64)
    same(on.here(lb.cumulative_sum(on.there(numbers("float32", 9)), dtype=dtype)),
         np.cumsum(numbers("float32", 9), dtype=dtype))


def test_messages_name_complex_types_where_they_are_taken():
    unknown = Resident(0, "complex32", (3,), True, 0)
    with pytest.raises(TypeError, match="x has dtype complex32; expected .* or complex128$"):
        known(unknown, types=WITH_COMPLEX)
    with pytest.raises(TypeError, match="x has dtype complex32; expected .* or float64$"):
        known(unknown)


TURNS = np.array([1, 1j, -1, -1j])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_products(on, dtype):
    for shape in ((0,), (1,), (100_003,), (70, 300), (3, 50, 7)):
        a = np.random.default_rng(8).choice(TURNS, shape).astype(dtype)
        x = on.there(a)
        for axis in range(len(shape)):
            same(on.here(lb.cumulative_prod(x, axis=axis)), np.cumprod(a, axis=axis))
            for how in ({"init": 2j}, {"exclusive": True}, {"reverse": True}):
                expected = lb.scan(a, "product", axis=axis, **how)
                same(on.here(lb.scan(x, "product", axis=axis, **how)), expected)
        expected = lb.cumulative_prod(a, axis=0, include_initial=True)
        same(on.here(lb.cumulative_prod(x, axis=0, include_initial=True)), expected)
    room = on.there(np.zeros_like(a))
    assert lb.cumulative_prod(x, axis=1, out=room) is room
    same(on.here(room), np.cumprod(a, axis=1))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shape", [(1,), (100_003,), (5, 3000), (2000, 3), (0, 3), (3, 0)])
def test_complex_recurrences(on, dtype, shape):
    rng = np.random.default_rng(9)
    a, x = rng.uniform(0, 0.7, (2, *shape))
    a, x = (a + 0.7j * x).astype(dtype), (x - 1j * a).astype(dtype)
    there = on.there(a), on.there(x)
    near = {"rtol": 1e-4, "atol": 1e-4} if dtype == "complex64" else {"rtol": 1e-12}
    for axis in range(len(shape)):
        for init in (None, 2.0 - 1j):
            expected = lb.linear_recurrence(a, x, axis=axis, init=init)
            got = on.here(lb.linear_recurrence(*there, axis=axis, init=init))
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, **near)
    for factors, items in ((0.5j, x.real), (0.5, x), (a, x.real), (a.real, x)):
        moved = on.there(factors) if isinstance(factors, np.ndarray) else factors
        got = on.here(lb.linear_recurrence(moved, on.there(items)))
        expected = lb.linear_recurrence(factors, items)
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, **near)
    if shape == (5, 3000):  # rows do not see what is not finite in others
        x[1, -1] = np.nan
        got = on.here(lb.linear_recurrence(there[0], on.there(x)))
        assert np.isnan(got[1, -1]) and np.isfinite(got[2:]).all() and np.isfinite(got[0]).all()


def test_forms_of_factors_and_initial_values(on):
    near = {"rtol": 1e-4, "atol": 1e-4}
    for dtype in ("int32", "float32", "float64", "complex64"):
        x = numbers(dtype, (3, 40))
        backward, bytes_ = np.ones(40, "f4")[::-1], np.ones((3, 40), "u1")
        for a in (1, 1j, [1], [[1], [2], [-1]], backward, np.float64(1), bytes_):
            for init in (None, [1j], 2, [1, 2, 3], np.ones(3, "f4"), np.float64(0.1)):
                expected = lb.linear_recurrence(a, x, init=init)
                got = on.here(lb.linear_recurrence(a, on.there(x), init=init))
                assert got.dtype == expected.dtype
                np.testing.assert_allclose(got, expected, **near)
                if isinstance(init, np.ndarray):
                    moved = on.there(np.asarray(a)), on.there(x), on.there(init)
                    got = on.here(lb.linear_recurrence(*moved[:2], init=moved[2]))
                    np.testing.assert_allclose(got, expected, **near)


@pytest.mark.parametrize(
    "a, init",
    [(None, None), ("a", None), ([1, "b"], 1), ([1, 2], None), (np.ones((1, 1, 30)), None)]
    + [(1, "a"), (1, [1, 2]), (1, np.ones((3, 30))), (1, 2**70), (np.ones((1, 3, 30)), 1)],
)
def test_wrong_factors_and_initial_values(on, a, init):
    x = numbers("float32", (3, 30))
    with pytest.raises((TypeError, ValueError), match="^lookback: (a|init) has") as of_cpu:
        lb.linear_recurrence(a, x, init=init)
    with pytest.raises(of_cpu.type) as of_gpu:
        lb.linear_recurrence(a, on.there(x), init=init)
    assert str(of_gpu.value) == str(of_cpu.value)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("shape", [(1000,), (4, 250)])
def test_recurrences_over_what_they_read(on, dtype, shape):
    a, x = np.random.default_rng(4).uniform(0, 0.9, (2, 1001)).astype(dtype)
    a, x = a[1:].reshape(shape), x[1:].reshape(shape)
    for init in (None, 0.5):
        expected = lb.linear_recurrence(a, x, init=init)
        for begins in ((0, 0), (1, 0), (0, 1), (3, 3), (1, 700)):
            for over in "ax":  # the output lies over `over`, and what is read of it elsewhere
                rooms = {name: on.there(np.zeros(2000, dtype)) for name in "ax"}
                given = {}
                for name, numbers_ in (("a", a), ("x", x)):
                    given[name] = rooms[name][begins[0] : begins[0] + 1000].reshape(shape)
                    given[name][...] = on.there(numbers_)
                out = rooms[over][begins[1] : begins[1] + 1000].reshape(shape)
                assert lb.linear_recurrence(given["a"], given["x"], init=init, out=out) is out
                np.testing.assert_allclose(on.here(out), expected, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_images(on, dtype):
    a = numbers(dtype, (2, 60, 70, 3), 100)
    x = on.there(a)
    for exclusive in (False, True):
        expected = lb.summed_area_table(a, exclusive=exclusive, channels=True)
        table = lb.summed_area_table(x, exclusive=exclusive, channels=True)
        same(on.here(table), expected)
        room = on.there(np.zeros_like(expected))
        assert lb.summed_area_table(x, exclusive=exclusive, channels=True, out=room) is room
        same(on.here(room), expected)
        expected = lb.summed_area_table(a[..., 0], exclusive=exclusive)
        same(on.here(lb.summed_area_table(x[..., 0], exclusive=exclusive)), expected)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("border", ["clamp", "zero", "reflect"])
def test_box_filters(on, dtype, border):
    for shape in ((1, 1), (130, 257), (3, 60, 70), (2, 0, 5)):
        a = numbers(dtype, shape, 100)
        for radius in (0, 1, 9, 400):
            expected = lb.box_filter(a, radius, border=border)
            same(on.here(lb.box_filter(on.there(a), radius, border=border)), expected)
    a = numbers(dtype, (60, 70, 3), 100)
    x = on.there(a)
    expected = lb.box_filter(a, 5, border=border, channels=True)
    room = on.there(np.zeros_like(a))
    assert lb.box_filter(x, 5, border=border, channels=True, out=room) is room
    same(on.here(room), expected)
    with pytest.raises(ValueError, match="radius is -1"):
        lb.box_filter(x, -1, channels=True)
    with pytest.raises(TypeError, match="expected uint8, uint16, float32 or float64"):
        lb.box_filter(on.there(numbers("int32", (5, 5))), 1)


def test_conjugates_that_are_left_to_the_reader(on):
    if not hasattr(on, "torch"):
        pytest.skip("PyTorch's")
    a = np.random.default_rng(8).choice(TURNS, (70, 30)).astype("complex64")
    x = on.there(a).conj()
    for axis in (0, 1):
        same(on.here(lb.cumulative_sum(x, axis=axis)), np.cumsum(a.conj(), axis=axis))
        same(on.here(lb.cumulative_prod(x.T, axis=axis)), np.cumprod(a.conj().T, axis=axis))
    got = on.here(lb.linear_recurrence(x, x))
    np.testing.assert_array_equal(got, lb.linear_recurrence(a.conj(), a.conj()))


@is_real
def test_arrays_of_numba():
    cuda = pytest.importorskip("numba.cuda")
    a = numbers("float32", 10_001)
    x = cuda.to_device(a)

    def here(result):
        assert type(result) is type(x)
        return result.copy_to_host()

    same(here(lb.cumulative_sum(x)), np.cumsum(a))
    same(here(lb.cumulative_sum(x[1:])), np.cumsum(a[1:]))
    same(here(lb.select(x, cuda.to_device(a > 0))), a[a > 0])
    same(here(lb.scan(x, "max", segments=[0, 5000, 10_001])),
         lb.scan(a, "max", segments=[0, 5000, 10_001]))
    room = cuda.device_array_like(x)
    assert lb.cumulative_sum(x, out=room) is room
    same(here(room), np.cumsum(a))
