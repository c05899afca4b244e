"""In a build without its CUDA part, every function says so."""

import sys
import types

import pytest

import lookback as lb
from lookback import _frames

try:
    from lookback import _cuda  # noqa: F401

    has_cuda = True
except ImportError:
    has_cuda = False


class Elsewhere:
    """Looks like an array of CuPy."""


@pytest.mark.skipif(has_cuda, reason="this build has its CUDA part")
@pytest.mark.parametrize(
    "call",
    [
        lambda x: lb.cumulative_sum(x),
        lambda x: lb.exclusive_scan(x),
        lambda x: lb.select(x, x),
        lambda x: lb.partition(x, x),
        lambda x: lb.scan(x, by_key=x),
        lambda x: lb.unique_consecutive(x),
        lambda x: lb.reduce_by_key(x, x),
        lambda x: lb.segment_sum(x, [0]),
        lambda x: lb.sort(x),
        lambda x: lb.argsort(x),
        lambda x: lb.sort_pairs(x, x),
        lambda x: lb.linear_recurrence(x, x),
        lambda x: lb.summed_area_table(x),
        lambda x: lb.box_filter(x, 1),
    ],
)
def test_what_is_missing_is_said(monkeypatch, call):
    monkeypatch.setattr(_frames, "_frames", {})
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(ndarray=Elsewhere))
    with pytest.raises(RuntimeError, match="this build has no CUDA part.*LOOKBACK_CUDA_ARRAYS=ON"):
        call(Elsewhere())


class ByDlpack:
    def __dlpack_device__(self):
        return (2, 0)


@pytest.mark.skipif(has_cuda, reason="this build has its CUDA part")
def test_arrays_by_dlpack_are_lent(monkeypatch):
    monkeypatch.setattr(_frames, "_frames", {})
    monkeypatch.setattr(_frames.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(RuntimeError, match="go through PyTorch or CuPy; expected one of them"):
        lb.cumulative_sum(ByDlpack())
