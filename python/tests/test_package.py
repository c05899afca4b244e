"""The package as a whole: kinds of arrays, threads, memory, documentation."""

import array
import importlib
import threading
import tracemalloc

import numpy as np
import pytest
from conftest import check_examples

import lookback as lb


class OnlyDlpack:
    """An array of an unknown library."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class OnOtherGpu(OnlyDlpack):
    def __dlpack_device__(self):
        return (10, 0)


def test_kinds_of_arrays():
    x = np.arange(10.0)
    sums = np.cumsum(x)
    for given in (array.array("d", x), memoryview(x), OnlyDlpack(x), list(x), tuple(x), x.view(np.recarray)):
        result = lb.cumulative_sum(given)
        assert isinstance(result, np.ndarray)
        np.testing.assert_array_equal(result, sums)
    with pytest.raises(TypeError, match="x lies on device 10:0; there is no code for that here"):
        lb.cumulative_sum(OnOtherGpu(x))
    with pytest.raises(TypeError, match="lookback: x is no array"):
        lb.cumulative_sum([[1, 2], [3]], axis=0)


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    for dim in (0, 1):
        result = lb.cumulative_sum(x, axis=dim)
        assert isinstance(result, torch.Tensor)
        assert torch.equal(result, torch.cumsum(x, dim))
    room = torch.empty(4, 6)
    assert lb.cumulative_max(x, axis=0, out=room) is room
    assert torch.equal(room, torch.cummax(x, 0).values)
    assert torch.equal(lb.select(x[0], x[0] > 2), x[0][x[0] > 2])
    values, counts = lb.run_length_encode(torch.tensor([5, 5, 2]))
    assert values.tolist() == [5, 2] and counts.tolist() == [2, 1]


def test_jax():
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        result = lb.cumulative_sum(jax.numpy.arange(5))
        assert isinstance(result, jax.Array) and result.tolist() == [0, 1, 3, 6, 10]


def test_python_threads_at_once():
    """Calls without the global lock do not disturb each other, and errors stay with their call."""
    x = np.random.default_rng(0).integers(0, 100, 300_000)
    sums, order = np.cumsum(x), np.argsort(x, kind="stable")
    wrong = []

    def work():
        for _ in range(5):
            if not np.array_equal(lb.cumulative_sum(x), sums):
                wrong.append("sums")
            if not np.array_equal(lb.argsort(x), order):
                wrong.append("order")
            try:
                lb.segment_sum(x, [0, 3])
                wrong.append("no error")
            except ValueError:
                pass

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def memory():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * 4096


def test_no_leak():
    """Calls leak no memory: in the best of 4 rounds it grows by less than 8 bytes a call."""
    x = np.arange(100)
    matrix = x.reshape(10, 10)
    room = np.empty_like(matrix)
    mask = x % 3 == 0

    def refused():
        try:
            lb.scan(x, segments=[0, 1])
        except ValueError:
            pass

    calls = [
        (25_000, lambda: lb.cumulative_sum(x)),
        (3_000, lambda: lb.cumulative_sum(matrix, axis=0, dtype=np.float64)),
        (3_000, lambda: lb.cumulative_sum(matrix, axis=1, out=room)),
        (3_000, lambda: lb.scan(x, reverse=True)),
        (3_000, lambda: lb.cumulative_prod(1j * x)),
        (3_000, lambda: lb.unique_counts(x)),
        (3_000, lambda: lb.select(x, mask)),
        (3_000, lambda: lb.sort(x)),
        (3_000, lambda: lb.linear_recurrence(0.5, x, init=1.0)),
        (3_000, refused),
    ]
    for count, call in calls:
        grown = []
        for _ in range(4):
            before = memory()
            for _ in range(count):
                call()
            grown.append(memory() - before)
        assert min(grown) < 8 * count, (call, grown)


def memory_of(call):
    """The most bytes that NumPy and Python held during a call, beyond those held before it."""
    call()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_no_copy():
    """Inputs are read in place, and results are written to their final place."""
    n = 1 << 20
    x = np.ones(n, np.float32)
    narrow = np.ones(n, np.int8)
    room = np.empty_like(x)
    matrix = x.reshape(1024, -1)
    turned = np.asfortranarray(matrix)
    pairs = x.view(np.complex64)
    address = x.ctypes.data

    def inside(result, array):
        assert result is array and array.ctypes.data == address

    nothing = [
        lambda: lb.cumulative_sum(x, out=room),
        lambda: lb.cumulative_max(x, out=room),
        lambda: inside(lb.cumulative_sum(x, out=x), x),
        lambda: inside(lb.cumulative_prod(matrix, axis=0, out=matrix), matrix),
        lambda: lb.cumulative_sum(matrix[::-1], axis=1, out=room.reshape(1024, -1)),
        lambda: lb.exclusive_scan(x, out=room),
        lambda: lb.linear_recurrence(0.5, x, out=room),
        lambda: lb.linear_recurrence(0.5, pairs, out=pairs),
        lambda: lb.cumulative_sum(pairs, out=room.view(np.complex64)),
        lambda: lb.segment_sum(x, [0, 10, n]),
    ]
    for number, call in enumerate(nothing):
        assert memory_of(call) < 1 << 14, number
    result_alone = [
        (4, lambda: lb.cumulative_sum(x)),
        (4, lambda: lb.cumulative_sum(matrix, axis=0)),
        (4, lambda: lb.cumulative_sum(turned, axis=0)),
        (4, lambda: lb.cumulative_sum(matrix[:, ::-1], axis=1)),
        (4, lambda: lb.cumulative_sum(x.astype(">f4"))),
        (8, lambda: lb.cumulative_sum(narrow)),
        (8, lambda: lb.cumulative_sum(narrow.reshape(1024, -1), axis=1)),
        (8, lambda: lb.cumulative_prod(narrow)),
        (8, lambda: lb.cumulative_sum(x, dtype="f8")),
        (4, lambda: lb.linear_recurrence(0.5, x)),
        (4, lambda: lb.linear_recurrence(matrix, matrix)),
        (4, lambda: lb.cumulative_prod(pairs)),
        (4, lambda: lb.sort(x)),
        (4, lambda: lb.summed_area_table(matrix)),
    ]
    for number, (of_item, call) in enumerate(result_alone):
        more = 4 * n if number == 4 else 0  # made by astype
        assert memory_of(call) < of_item * n + more + (1 << 14), number
    assert lb.cumulative_sum(turned, axis=0).flags.f_contiguous


def test_examples_of_the_docstrings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in [*lb.__all__, "open"]:
        if name != "FileArray":
            check_examples(name, getattr(lb, name))
    for name, method in vars(lb.FileArray).items():
        assert name.startswith("_") or method.__doc__, name


def test_wrong_memory_is_refused():
    """The compiled functions check their arguments themselves."""
    core = importlib.import_module("lookback._core")
    x = np.arange(10)
    with pytest.raises(TypeError, match="out: expected 10 items of int64"):
        core.scan(x, np.empty(9, x.dtype), 0, False, None)
    with pytest.raises(TypeError, match="out: expected 10 items of int64"):
        core.scan(x, np.empty(10, "f8"), 0, False, None)
    with pytest.raises(TypeError, match="x: expected an array in C order"):
        core.scan(x[::2], np.empty(5, x.dtype), 0, False, None)
    with pytest.raises(TypeError, match="x: expected a NumPy array"):
        core.scan([1], x, 0, False, None)
    fixed = np.arange(10)
    fixed.flags.writeable = False
    with pytest.raises(TypeError, match="out: expected an array to write to"):
        core.scan(x, fixed, 0, False, None)
    with pytest.raises(ValueError, match="no such operation"):
        core.scan(x, x.copy(), 7, False, None)
    with pytest.raises(TypeError, match="x: expected 12 items"):
        core.scan_axis(x, x.copy(), 0, 3, 4, 1)


def test_threads_and_version():
    lb.set_num_threads(2)
    assert lb.get_num_threads() == 2
    lb.set_num_threads(0)
    assert lb.get_num_threads() == 0
    assert lb.__version__.count(".") == 2
