"""The C functions (lookback/c.h) on arrays in a GPU's memory, compared with the Python package.

LOOKBACK_C_LIBRARY names liblookback_c, built with LOOKBACK_C and LOOKBACK_CUDA_ARRAYS.
"""

import ctypes
import os

import numpy as np
import pytest
from gpu_arrays import needs_gpu, numbers, same

import lookback as lb

pytestmark = [
    needs_gpu,
    pytest.mark.skipif(
        "LOOKBACK_C_LIBRARY" not in os.environ, reason="LOOKBACK_C_LIBRARY names liblookback_c"
    ),
]
TYPES = {"int32": 2, "int64": 3, "uint8": 4, "uint32": 6, "uint64": 7, "float32": 8, "float64": 9}
TYPES["float16"] = 10
OPS = {"sum": 0, "product": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}
SIZES = [0, 1, 2, 1000, 300_001]


class Handle:
    """Calls on the current stream, which check the returned status."""

    def __init__(self):
        self.torch = pytest.importorskip("torch")
        self.library = ctypes.CDLL(os.environ["LOOKBACK_C_LIBRARY"])
        self.library.lookback_message.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        assert self.library.lookback_create(ctypes.byref(self.handle)) == 0
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        self.call("set_device", 0, stream)

    def tried(self, name, *arguments):
        function = getattr(self.library, "lookback_" + name)
        given = [
            ctypes.c_size_t(a) if isinstance(a, int) else
            ctypes.c_void_p(a.data_ptr()) if isinstance(a, self.torch.Tensor) else
            ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a
            for a in arguments
        ]
        return function(self.handle, *given)

    def call(self, name, *arguments):
        assert self.tried(name, *arguments) == 0, self.message()

    def message(self):
        return self.library.lookback_message(self.handle).decode()

    def rooms(self, name, *arguments):
        """What may be given for room: nothing, or what the call needs, of which it writes no more."""
        yield None, 0
        need = np.zeros(1, np.int64)
        self.call(f"{name}_room", *arguments, need)
        need = int(need[0])
        own = self.torch.full((need + 100,), 77, dtype=self.torch.uint8, device="cuda")
        yield own, need
        assert (own[need:] == 77).all()
        assert need < 1000 or (own[:need] != 77).any()

    def there(self, a):
        return self.torch.from_numpy(a).cuda()


@pytest.fixture(scope="module")
def lib():
    handle = Handle()
    yield handle
    handle.library.lookback_destroy(handle.handle)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("op", ["sum", "product", "max"])
def test_scans(lib, dtype, op):
    if (dtype == "int32" and op == "product") or (dtype == "uint8" and op != "max"):
        x = lib.there(numbers(dtype, 5))
        assert lib.tried("inclusive_scan", TYPES[dtype], OPS[op], x, 5, None, x) == 1
        assert "no such scan" in lib.message()
        return
    init = np.array([3], dtype)
    for size in SIZES:
        a = numbers(dtype, size)
        if op == "product":
            a = np.where(np.arange(size) % 7 == 0, -1, 1).astype(dtype)
        elif dtype == "float16" and op == "sum":
            a = (np.arange(size) % 900 == 0).astype(dtype)  # its sums are exact
        x, room = lib.there(a), lib.there(np.zeros_like(a))
        for name, ours in (("inclusive_scan", lb.scan), ("exclusive_scan", lb.exclusive_scan)):
            for seed in (None, init):
                lib.call(name, TYPES[dtype], OPS[op], x, size, seed, room)
                expected = ours(a, op, dtype=dtype, init=None if seed is None else seed[0])
                same(room.cpu().numpy(), expected)
        lib.call("inclusive_scan", TYPES[dtype], OPS[op], x, size, init, x)
        same(x.cpu().numpy(), lb.scan(a, op, dtype=dtype, init=init[0]))
    assert lib.tried("exclusive_scan", TYPES[dtype], OPS[op], x, size, None, x) == 1


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64", "float32", "float64"])
@pytest.mark.parametrize("op", ["sum", "min", "xor"])
def test_segments(lib, dtype, op):
    if op == "xor" and "float" in dtype:
        return
    rng = np.random.default_rng(2)
    for size, number in ((0, 3), (1000, 30), (300_001, 9000), (50, 1000)):
        a = numbers(dtype, size)
        offsets = np.sort(rng.integers(0, size + 1, number + 1))
        offsets[0], offsets[-1] = 0, size
        room = lib.there(np.zeros(number, dtype))
        x, at = lib.there(a), lib.there(offsets)
        for own in lib.rooms("reduce_segments", size, number):
            lib.call("reduce_segments", TYPES[dtype], OPS[op], x, size, at, number, room, *own)
            same(room.cpu().numpy(), lb.segment_reduce(a, offsets, op, dtype=dtype))


def test_other_calls(lib):
    for size in SIZES:
        a = numbers("float32", size, 1000)
        x, order = lib.there(a), lib.there(np.zeros(size, np.int64))
        for own in lib.rooms("sort_order", size):
            lib.call("sort_order", TYPES["float32"], x, size, 0, order, *own)
            same(order.cpu().numpy(), np.argsort(a, kind="stable"))
        room = lib.there(np.zeros_like(a))
        lib.call("sort", TYPES["float32"], x, size, 1, room)
        same(room.cpu().numpy(), np.sort(a)[::-1])
        mask = np.random.default_rng(1).random(size) < 0.3
        count = lib.there(np.zeros(1, np.int64))
        for first in (0, 1):
            flags = lib.there(mask.view(np.uint8))[first:]
            lib.call("select", 4, x[first:], max(size - first, 0), flags, room, count)
            kept = a[first:][mask[first:]]
            assert int(count) == kept.size
            same(room.cpu().numpy()[: kept.size], kept)


def test_null_pointers(lib):
    x = lib.there(numbers("int64", 5))
    null = ctypes.c_void_p()
    for arguments in (
        ("inclusive_scan", TYPES["int64"], OPS["sum"], x, 5, None, null),
        ("exclusive_scan", TYPES["int64"], OPS["sum"], x, 5, None, null),
        ("reduce_segments", TYPES["int64"], OPS["sum"], x, 5, null, 1, x, None, 0),
        ("reduce_segments", TYPES["int64"], OPS["sum"], x, 5, x, 1, null, None, 0),
        ("sort", TYPES["int64"], x, 5, 0, null),
        ("sort_order", TYPES["int64"], null, 5, 0, x, None, 0),
        ("sort_order", TYPES["int64"], x, 5, 0, null, None, 0),
    ):
        assert lib.tried(*arguments) == 1
        assert "null pointer" in lib.message()
    lib.call("inclusive_scan", TYPES["int64"], OPS["sum"], x, 5, None, x)  # the GPU still works
