"""Summed-area tables and box filters, compared with sums over windows."""

import numpy as np
import pytest
from conftest import NUMBERS, numbers

import lookback as lb


def table(x, axes=(-2, -1), dtype=None):
    for axis in axes:
        x = np.cumsum(x, axis=axis, dtype=dtype)
    return x


def check(result, expected):
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (70, 300), (300, 70), (4, 20, 30), (0, 4), (3, 0)])
@pytest.mark.parametrize("dtype", [*NUMBERS, "bool"])
def test_tables(dtype, shape):
    x = numbers(dtype, shape)
    check(lb.summed_area_table(x), table(x))
    padded = np.pad(table(x), [(0, 0)] * (x.ndim - 2) + [(1, 0), (1, 0)])
    check(lb.summed_area_table(x, exclusive=True), padded)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_channels(dtype, channels):
    x = numbers(dtype, (2, 40, 33, channels))
    check(lb.summed_area_table(x, channels=True), table(x, (1, 2)))
    padded = np.pad(table(x, (1, 2)), [(0, 0), (1, 0), (1, 0), (0, 0)])
    check(lb.summed_area_table(x, channels=True, exclusive=True), padded)
    assert lb.box_filter(x, 3, channels=True).tobytes() == np.stack(
        [lb.box_filter(x[..., k], 3) for k in range(channels)], -1
    ).tobytes()


def test_layouts_and_out(layout):
    plain = numbers("int16", (50, 60))
    x = layout(plain)
    check(lb.summed_area_table(x), table(plain))
    check(lb.summed_area_table(x, dtype="int32"), table(plain, dtype="int32"))
    room = np.empty((51, 61), np.float64)
    assert lb.summed_area_table(x, exclusive=True, dtype="f8", out=room) is room
    np.testing.assert_array_equal(room[1:, 1:], table(plain))
    same = plain.astype("i8")
    lb.summed_area_table(same, out=same)
    np.testing.assert_array_equal(same, table(plain))
    image = layout(numbers("uint8", (30, 40)))
    check(lb.box_filter(image, 2), lb.box_filter(numbers("uint8", (30, 40)), 2))


@pytest.mark.parametrize("border", ["clamp", "zero", "reflect"])
@pytest.mark.parametrize("radius", [0, 1, 4, 20])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_box_filter(dtype, radius, border):
    x = numbers(dtype, (19, 31), low=0, high=200)
    mode = {"clamp": "edge", "zero": "constant", "reflect": "symmetric"}[border]
    padded = np.pad(x.astype("f8"), radius, mode)
    side = 2 * radius + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side))
    means = windows.sum((-2, -1)) / side**2
    expected = (np.rint(means) if x.dtype.kind == "u" else means).astype(dtype)
    check(lb.box_filter(x, radius, border=border), expected)
    room = np.empty_like(x)
    assert lb.box_filter(x, radius, border=border, out=room) is room
    check(room, expected)
    stack = np.stack([x, x[::-1]])
    check(lb.box_filter(stack, radius, border=border)[0], expected)


@pytest.mark.parametrize("border", ["clamp", "zero", "reflect"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_box_filter_as_scipy(dtype, border):
    ndimage = pytest.importorskip("scipy.ndimage")
    mode = {"clamp": "nearest", "zero": "constant", "reflect": "reflect"}[border]
    x = np.random.default_rng(3).uniform(-1, 1, (70, 131)).astype(dtype)
    for radius in 1, 7, 90:
        result = lb.box_filter(x, radius, border=border)
        assert result.dtype == dtype
        right = ndimage.uniform_filter(x.astype("f8"), 2 * radius + 1, mode=mode)
        # A window's error is that of a sum of doubles over the whole image.
        np.testing.assert_allclose(result, right, rtol=0, atol=1e-7 if dtype == "float32" else 1e-12)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="1 dimensions; expected 2 or more"):
        lb.summed_area_table([1])
    with pytest.raises(ValueError, match="5 channels; expected 1 to 4"):
        lb.summed_area_table(np.zeros((2, 2, 5)), channels=True)
    with pytest.raises(TypeError, match="no tables of int16"):
        lb.summed_area_table([[1]], dtype="int16")
    with pytest.raises(TypeError, match="int64; expected uint8"):
        lb.box_filter([[1]], 1)
    with pytest.raises(ValueError, match="radius is -1; expected 0 to"):
        lb.box_filter(np.zeros((2, 2)), -1)
    with pytest.raises(ValueError, match="border is 'wrap'"):
        lb.box_filter(np.zeros((2, 2)), 1, border="wrap")
    with pytest.raises(TypeError):
        lb.box_filter(np.zeros((2, 2)), 1.5)
