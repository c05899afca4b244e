"""Stands in for a GPU where there is none, so that the Python code for arrays on GPUs is tested: its
compiled part in NumPy, which knows the same types, CuPy's arrays as NumPy's, and PyTorch's on the
CPU. What kernels do is not tested by this.

    LOOKBACK_STAND_IN=1 pytest python/tests/test_gpu*.py
"""

import contextlib
import ctypes
import sys
import types

import numpy as np

import lookback as lb

NAMES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 float16 bfloat16".split()
NAMES += ["complex64", "complex128"]
OPS = ["sum", "product", "min", "max", "and", "or", "xor"]
WORDS = NAMES[2:4] + NAMES[6:10]  # what there are kernels of any operator for
SORTED = ["int32", "int64", "float32", "float64"]


def at(address, dtype, *shape):
    """The array that lies there."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    assert address % dtype.alignment == 0
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)


def halves(a):
    """bfloat16, which NumPy lacks, as float32."""
    return (a.astype(np.uint32) << 16).view(np.float32)


def in_halves(a):
    bits = a.astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(a), 0x7FC0, rounded).astype(np.uint16)


class Cuda(types.ModuleType):
    """lookback._cuda."""

    scan_tensor = None

    def count_devices(self):
        return 1

    def can_scan(self, in_type, op, out_type):
        read, written, op = NAMES[in_type], NAMES[out_type], OPS[op]
        if op in ("sum", "product") and written in ("int64", "uint64"):
            return read in ("int64", "uint64", "int32", "uint8")
        if op == "sum" and written in ("int32", "uint32"):
            return read in ("int32", "uint32")
        floats = ["float32", "float64", "float16", "bfloat16"]
        kinds = {"sum": floats, "product": [*floats, "complex64", "complex128"]}
        extrema = [*SORTED, "uint8", "float16", "bfloat16"]
        return op in OPS[:4] and read == written and read in kinds.get(op, extrema)

    def scan_axis(self, device, stream, in_type, op, x, outer, length, inner, out_type, out):
        assert self.can_scan(in_type, op, out_type)
        shape, read, written = (outer, length, inner), NAMES[in_type], NAMES[out_type]
        if read == "bfloat16":
            scans = lb.scan(halves(at(x, "uint16", *shape)), OPS[op], axis=1)
            at(out, "uint16", *shape)[...] = in_halves(scans)
            return
        at(out, written, *shape)[...] = lb.scan(at(x, read, *shape), OPS[op], axis=1, dtype=written)

    def linear_recurrence(self, device, stream, type, a, x, rows, length, y):
        kind = NAMES[type]
        assert kind in ("float32", "float64", "complex64", "complex128")
        size = rows * length * np.dtype(kind).itemsize
        assert all(first == y or abs(first - y) >= size for first in (a, x))  # as the library does
        a, x, y = (at(address, kind, rows, length) for address in (a, x, y))
        y[...] = lb.linear_recurrence(a, x)

    def select_flagged(self, device, stream, item_bytes, x, items, flags, out, count):
        kept = at(x, f"u{item_bytes}", items)[at(flags, "bool", items)]
        at(out, f"u{item_bytes}", kept.size)[...] = kept
        at(count, "int64", 1)[0] = kept.size

    def partition_flagged(self, device, stream, item_bytes, x, items, flags, out, rest, count):
        self.select_flagged(device, stream, item_bytes, x, items, flags, out, count)
        others = at(x, f"u{item_bytes}", items)[~at(flags, "bool", items)]
        at(rest, f"u{item_bytes}", others.size)[...] = others

    def run_length_encode(self, device, stream, type, x, items, out, lengths, count):
        kind = NAMES[type]
        assert kind in WORDS or kind in ("int8", "uint8")
        values, counts = lb.run_length_encode(at(x, kind, items))
        at(out, kind, values.size)[...] = values
        at(lengths, "int64", values.size)[...] = counts
        at(count, "int64", 1)[0] = values.size

    def mark_runs(self, device, stream, type, x, items, marks):
        a = at(x, NAMES[type], items)
        assert NAMES[type][-3:] != "t16" or "int" in NAMES[type]
        at(marks, "uint8", items)[...] = np.append(1, a[1:] != a[:-1])[:items]

    def mark_segments(self, device, stream, offsets, segments, items, marks):
        begins = at(offsets, "int64", segments)
        at(marks, "uint8", items)[...] = np.isin(np.arange(items), begins)

    def _lengths(self, marks, items):
        flags = at(marks, "bool", items).copy()
        flags[:1] = True
        return np.append(np.flatnonzero(flags), items)

    def scan_marked(self, device, stream, type, op, x, items, marks, out):
        kind = NAMES[type]
        assert kind in WORDS and items > 0
        offsets = self._lengths(marks, items)
        scans = lb.scan(at(x, kind, items), OPS[op], segments=offsets, dtype=kind)
        at(out, kind, items)[...] = scans

    def seed_scans(self, device, stream, type, op, exclusive, scans, items, marks, init, out):
        kind = NAMES[type]
        assert kind in WORDS
        folded = at(scans, kind, items)
        seed = np.frombuffer(init, kind)
        assert seed.size == 1
        if exclusive:
            folded = np.append(seed, folded[:-1])
            begins = self._lengths(marks, items)[:-1]
        pairs = np.stack([np.broadcast_to(seed, items), folded], axis=1).astype(kind)
        results = lb.scan(pairs, OPS[op], axis=1, dtype=kind)[:, 1]
        if exclusive:
            results[begins] = seed
        at(out, kind, items)[...] = results

    def fold_marked(self, device, stream, type, op, x, items, marks, out, count):
        kind = NAMES[type]
        assert kind in WORDS
        offsets = self._lengths(marks, items)
        folds = lb.segment_reduce(at(x, kind, items), offsets, OPS[op], dtype=kind)
        at(out, kind, folds.size)[...] = folds
        at(count, "int64", 1)[0] = folds.size
        at(marks, "uint8", items)[...] = 7

    def segment_folds_room(self, items, segments):
        return 8 * (segments + 3) + items

    def fold_segments(self, device, stream, type, op, x, items, offsets, segments, out, room):
        kind = NAMES[type]
        assert kind in WORDS
        offsets = at(offsets, "int64", segments + 1)
        if offsets[0] != 0 or offsets[-1] != items or (np.diff(offsets) < 0).any():
            return
        folds = lb.segment_reduce(at(x, kind, items), offsets, OPS[op], dtype=kind)
        at(out, kind, segments)[...] = folds

    def sum_by_key(self, device, stream, keys_type, keys, values_type, values, items, *to):
        names, kind = NAMES[keys_type], NAMES[values_type]
        assert names in WORDS[:4] and kind in ("int64", "uint64", "float32", "float64")
        found = lb.reduce_by_key(at(keys, names, items), at(values, kind, items), dtype=kind)
        for address, dtype, results in zip(to, (names, kind), found):
            at(address, dtype, results.size)[...] = results
        at(to[2], "int64", 1)[0] = found.keys.size

    def sort(self, device, stream, type, x, items, out, descending):
        assert NAMES[type] in SORTED
        a = at(x, NAMES[type], items)
        at(out, NAMES[type], items)[...] = lb.sort(a, descending=descending)

    def sort_pairs(self, device, stream, keys_type, keys, value_bytes, values, items, *to):
        kinds = NAMES[keys_type], f"u{value_bytes}"
        assert kinds[0] in SORTED and value_bytes in (4, 8)
        arrays = at(keys, kinds[0], items), at(values, kinds[1], items)
        found = lb.sort_pairs(*arrays, descending=to[2])
        for address, kind, results in zip(to, kinds, found):
            at(address, kind, items)[...] = results

    def sort_order_room(self, items):
        return 4 * items

    def sort_order(self, device, stream, type, x, items, order, descending, room):
        assert NAMES[type] in SORTED
        places = lb.argsort(at(x, NAMES[type], items), descending=descending)
        at(order, "int64", items)[...] = places

    def _rows(self, x, type, items, offsets, segments):
        """Segments of one length, as the package makes them, as rows."""
        assert NAMES[type] in SORTED
        length = items // segments
        assert (at(offsets, "int64", segments + 1) == np.arange(segments + 1) * length).all()
        return at(x, NAMES[type], segments, length)

    def sort_segments(self, device, stream, type, x, items, offsets, segments, out, descending):
        rows = self._rows(x, type, items, offsets, segments)
        at(out, NAMES[type], *rows.shape)[...] = lb.sort(rows, descending=descending)

    def sort_segments_order(self, device, stream, type, x, items, offsets, segments, *to):
        rows = self._rows(x, type, items, offsets, segments)
        places = at(to[0], "int64", *rows.shape)
        places[...] = lb.argsort(rows, descending=to[1])
        places += np.arange(segments)[:, None] * rows.shape[1]

    def summed_area(self, device, stream, type, x, images, height, width, out):
        assert NAMES[type] in WORDS
        shape = (images, height, width)
        table = lb.summed_area_table(at(x, NAMES[type], *shape), dtype=NAMES[type])
        at(out, NAMES[type], *shape)[...] = table

    def box_filter(self, device, stream, type, x, images, height, width, radius, border, out):
        shape, border = (images, height, width), ["clamp", "zero", "reflect"][border]
        means = lb.box_filter(at(x, NAMES[type], *shape), radius, border=border)
        at(out, NAMES[type], *shape)[...] = means


def flushed(a):
    """The plain array that CuPy's kernels see: they take subnormal float32 for zeros."""
    a = a.view(np.ndarray)
    if a.dtype != np.float32:
        return a
    return np.where(np.abs(a) < np.finfo(a.dtype).tiny, np.copysign(np.float32(0), a), a)


class Array(np.ndarray):
    """CuPy's: it does not mix with NumPy's."""

    def astype(self, dtype):
        return flushed(self).astype(dtype).view(Array)

    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data, device_id=0)

    @property
    def device(self):
        return contextlib.nullcontext()

    def __array_ufunc__(self, ufunc, method, *inputs, **how):
        assert not any(type(a) is np.ndarray for a in inputs)
        plain = [flushed(a) if isinstance(a, Array) else a for a in inputs]
        if "out" in how:
            how["out"] = tuple(a.view(np.ndarray) for a in how["out"])
        return np.asarray(getattr(ufunc, method)(*plain, **how)).view(Array)


def _cupy():
    module = types.ModuleType("cupy")
    module.ndarray = Array
    module.empty = lambda shape, dtype: np.empty(shape, dtype).view(Array)
    module.ascontiguousarray = lambda a: np.ascontiguousarray(a).view(Array)
    module.asarray = lambda a: np.array(a).view(Array)
    module.arange = lambda *a: np.arange(*a).view(Array)
    module.from_dlpack = lambda a: np.from_dlpack(a).view(Array)
    module.asnumpy = lambda a: np.array(a, subok=False)
    module.flip, module.moveaxis, module.copyto = np.flip, np.moveaxis, np.copyto
    stream = types.SimpleNamespace(ptr=0, synchronize=lambda: None)
    module.cuda = types.SimpleNamespace(
        get_current_stream=lambda device: stream, alloc_pinned_memory=bytearray
    )
    return module


def install():
    lb._cuda = sys.modules["lookback._cuda"] = Cuda("lookback._cuda")
    sys.modules["cupy"] = _cupy()
    with contextlib.suppress(ImportError):
        import torch
        from lookback import _frames

        torch.Tensor.is_cuda = property(lambda x: True)
        torch.Tensor.cuda = lambda x: x.clone()
        from_capsule = torch.from_dlpack
        torch.from_dlpack = lambda x: from_capsule(x.__dlpack__())
        torch._C._cuda_getCurrentRawStream = lambda device: 0
        _frames.Torch.stream = lambda frame, at: 0
        _frames.Torch.wait = lambda frame, at: None
        _frames.Torch.pinned_count = lambda frame: np.zeros(1, np.int64)
