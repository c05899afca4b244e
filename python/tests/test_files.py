"""Arrays in files, in windows smaller than the array, compared with the same in memory."""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import NUMBERS, numbers

import lookback as lb

WINDOW = 1 << 12  # smaller than a tile: the windows of a line then have one tile


@pytest.fixture
def saved(tmp_path):
    def save(x, name="x.npy", window=WINDOW):
        np.save(tmp_path / name, x)
        return lb.open(tmp_path / name, window=window)

    return save


def check(file, expected):
    assert isinstance(file, lb.FileArray)
    assert file.dtype == expected.dtype and file.shape == expected.shape
    written = np.load(file.path)
    assert written.dtype == expected.dtype
    np.testing.assert_array_equal(written, expected)
    assert [name for name in os.listdir(os.path.dirname(file.path)) if "part" in name] == []


@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "float16", ">i4", ">f8"])
@pytest.mark.parametrize("n", [0, 1, 1000, 300_000])
def test_lines(saved, tmp_path, dtype, n):
    x = numbers(dtype, n, low=0, high=2)
    if dtype == "float16":
        x[1000:] = 0  # so that float16 can hold the sums
    file, out = saved(x), tmp_path / "out.npy"
    check(file.cumulative_sum(out), lb.cumulative_sum(x))
    check(file.cumulative_prod(out), lb.cumulative_prod(x))
    check(file.cumulative_max(out), lb.cumulative_max(x))
    check(file.cumulative_min(out), lb.cumulative_min(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("init", [None, 2.5])
def test_bits_are_those_in_memory(saved, tmp_path, dtype, exclusive, init):
    x = np.random.default_rng(0).standard_normal(400_001).astype(dtype)
    for window in (WINDOW, 1 << 19, 3_000_017):
        file = saved(x, window=window).scan(
            tmp_path / "out.npy", init=init, exclusive=exclusive
        )
        assert np.load(file.path).tobytes() == lb.scan(x, init=init, exclusive=exclusive).tobytes()
    rows = saved(x[: 4 * 90_000].reshape(4, -1)).cumulative_sum(tmp_path / "rows.npy", axis=1)
    expected = lb.cumulative_sum(x[: 4 * 90_000].reshape(4, -1), axis=1)
    assert np.load(rows.path).tobytes() == expected.tobytes()


@pytest.mark.parametrize("shape", [(7, 300, 5), (2, 40, 3000), (9000, 3), (3, 100_000), (3, 0, 2)])
@pytest.mark.parametrize("dtype", ["int16", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_axes(saved, tmp_path, shape, dtype, order):
    x = np.asarray(numbers(dtype, shape), order=order)
    file, out = saved(x), tmp_path / "out.npy"
    for axis in range(-1, x.ndim):
        check(file.cumulative_sum(out, axis=axis), np.cumsum(x, axis=axis))
        check(file.cumulative_max(out, axis=axis), np.maximum.accumulate(x, axis=axis))
        check(
            file.scan(out, "sum", axis=axis, exclusive=True, init=3),
            lb.exclusive_scan(x, "sum", axis=axis, init=3),
        )
        check(file.scan(out, "min", axis=axis, init=-3), lb.scan(x, "min", axis=axis, init=-3))
    check(file.cumulative_sum(out, axis=0, dtype="f4"), np.cumsum(x, axis=0, dtype="f4"))


def test_compaction(saved, tmp_path):
    x = np.repeat(numbers("int32", 20_000), 7)
    x[50_000:90_000] = 3  # a run that spans several windows
    mask = numbers("bool", x.size)
    file, out = saved(x), tmp_path / "out.npy"
    check(file.select(out, mask), x[mask])
    check(file.select(out, saved(mask, "mask.npy")), x[mask])
    check(file.select(out, where=(-2, 4)), x[(x >= -2) & (x < 4)])
    check(file.select(out, where=(50, None)), x[:0])
    check(file.unique_consecutive(out), lb.unique_consecutive(x))
    floats = np.full(3000, np.nan)
    check(saved(floats).unique_consecutive(out), floats)


def test_into_itself(saved):
    x = numbers("int64", 100_000)
    file = saved(x)
    check(file.cumulative_sum(file.path), np.cumsum(x))


def test_progress(saved, tmp_path):
    x = numbers("int32", 100_000)
    told = []
    saved(x).cumulative_sum(tmp_path / "out.npy", progress=lambda *numbers: told.append(numbers))
    assert len(told) > 3 and told == sorted(told)
    assert told[-1] == (x.nbytes, x.nbytes)
    missing = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = "import sys; sys.modules['tqdm'] = None; import lookback as lb; " + (
        f"lb.open({str(tmp_path / 'x.npy')!r}).cumulative_sum('x', progress=True)"
    )
    run = subprocess.run([sys.executable, "-c", script], env=missing, capture_output=True, text=True)
    assert "pip install lookback[progress]" in run.stderr.splitlines()[-1]


def test_bar(saved, tmp_path, capfd):
    pytest.importorskip("tqdm")
    saved(numbers("int32", 100_000)).cumulative_sum(tmp_path / "out.npy", progress=True)
    assert "100%" in capfd.readouterr().err


def test_errors(saved, tmp_path):
    x = numbers("int32", (100, 100))
    out = tmp_path / "out.npy"
    with pytest.raises(ValueError, match="x.npy has 2 dimensions; expected an axis"):
        saved(x).cumulative_sum(out)
    with pytest.raises(ValueError, match="has 2 dimensions; expected 1"):
        saved(x).select(out, where=(0, 1))
    with pytest.raises(ValueError, match=r"mask has shape \(3,\); expected \(100,\)"):
        saved(x[0]).select(out, [True] * 3)
    with pytest.raises(ValueError, match="window is 0"):
        saved(x, window=0)
    with pytest.raises(ValueError, match="is no .npy file"):
        (tmp_path / "text").write_text("1 2 3 4 5 6 7")
        lb.open(tmp_path / "text")
    with pytest.raises(FileNotFoundError):
        lb.open(tmp_path / "none")
    file = saved(x)
    os.truncate(file.path, 30_000)
    with pytest.raises(ValueError, match="has become shorter"):
        file.cumulative_sum(out, axis=0)
    with pytest.raises(ValueError, match="has 29872 bytes of numbers; expected 40000"):
        lb.open(file.path)

    def interrupted(done, most):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        saved(x).cumulative_sum(out, axis=0, progress=interrupted)
    assert sorted(os.listdir(tmp_path)) == ["text", "x.npy"]  # nothing half-written


def test_maps_into_memory(saved, tmp_path):
    x = numbers("float32", 50_000)
    file = saved(x)
    assert len(file) == 50_000 and file.nbytes == 200_000
    np.testing.assert_array_equal(lb.sort(file), np.sort(x))
    mapped = np.load(file.path, mmap_mode="r")
    room = np.lib.format.open_memmap(tmp_path / "room.npy", "w+", x.dtype, x.shape)
    assert lb.cumulative_sum(mapped, out=room) is room
    np.testing.assert_array_equal(room, np.cumsum(x))


# 400 MB in a file that has no blocks on disk.
MEMORY = """
import resource, numpy as np, lookback as lb
np.lib.format.open_memmap("big.npy", "w+", np.float32, (100_000_000,)).flush()
lb.open("big.npy", window=1 << 16).select("some.npy", where=(1, 2))
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
before = peak()
big = lb.open("big.npy", window=1 << 20)
assert big.select("some.npy", where=(1, 2)).size == 0
assert big.unique_consecutive("some.npy").size == 1
print(peak() - before)
small = np.lib.format.open_memmap("small.npy", "w+", np.uint8, (40_000_000,))
small.flush()
del small
lb.open("small.npy", window=1 << 20).cumulative_sum("sums.npy", dtype="u1")
print(peak() - before)
"""


def test_memory_is_bounded(tmp_path):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    grown = [int(line) for line in told.stdout.split()]
    assert max(grown) < 30 << 20, grown


def test_rows_longer_than_a_window(saved, tmp_path):
    for shape, axis in (((3, 5000), 0), ((2, 3, 4000), 1), ((2, 3, 4000), 0)):
        x = np.arange(np.prod(shape), dtype="int32").reshape(shape) % 77
        file = saved(x, window=1000)
        check(file.cumulative_sum(tmp_path / "y.npy", axis=axis), np.cumsum(x, axis))
        after = file.scan(tmp_path / "z.npy", axis=axis, init=5, exclusive=True)
        expected = np.roll(np.cumsum(x, axis), 1, axis)
        np.moveaxis(expected, axis, 0)[0] = 0
        check(after, expected + 5)


def test_a_file_that_was_replaced_is_not_read_as_the_old_one(saved, tmp_path):
    file = saved(np.arange(9, dtype="int32"))
    file.cumulative_sum(file.path)
    with pytest.raises(ValueError, match="replaced by another array"):
        file.cumulative_max(tmp_path / "y.npy")


def test_what_is_replaced_keeps_its_mode_and_place(saved, tmp_path):
    file = saved(np.arange(9))
    secret, link = tmp_path / "secret.npy", tmp_path / "link.npy"
    np.save(secret, np.zeros(1))
    secret.chmod(0o600)
    link.symlink_to(secret)
    file.cumulative_sum(link)
    assert link.is_symlink() and secret.stat().st_mode & 0o777 == 0o600
    np.testing.assert_array_equal(np.load(secret), np.cumsum(np.arange(9)))
    os.mkfifo(tmp_path / "pipe.npy")
    with pytest.raises(ValueError, match="not a regular file"):
        file.cumulative_sum(tmp_path / "pipe.npy")
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]
