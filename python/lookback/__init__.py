"""Parallel prefix primitives in one pass: scans, selection, runs, segments, sorting, images.

Functions take NumPy arrays, PyTorch tensors, and any other object with DLPack, __array_interface__
or a buffer. They return arrays of the same kind. They run on all cores, without Python's global
lock, and give the same bits every time. For arrays on a CUDA GPU, they run on that GPU, in a build
with LOOKBACK_CUDA_ARRAYS.
"""

from . import _core
from ._compaction import (
    compress,
    partition,
    reduce_by_key,
    run_length_encode,
    select,
    unique_consecutive,
)
from ._core import get_num_threads, set_num_threads
from ._files import FileArray
from ._files import open as open  # so that it is public, though not in __all__
from ._images import box_filter, summed_area_table
from ._recurrence import linear_recurrence
from ._scans import (
    cumulative_max,
    cumulative_min,
    cumulative_prod,
    cumulative_sum,
    exclusive_scan,
    scan,
)
from ._segments import segment_max, segment_min, segment_prod, segment_reduce, segment_sum
from ._sort import argsort, sort, sort_pairs
from ._unique import unique_all, unique_counts, unique_inverse, unique_values

__version__ = _core.version

__all__ = [  # without open, which would hide Python's own
    "FileArray",
    "argsort",
    "box_filter",
    "compress",
    "cumulative_max",
    "cumulative_min",
    "cumulative_prod",
    "cumulative_sum",
    "exclusive_scan",
    "get_num_threads",
    "linear_recurrence",
    "partition",
    "reduce_by_key",
    "run_length_encode",
    "scan",
    "segment_max",
    "segment_min",
    "segment_prod",
    "segment_reduce",
    "segment_sum",
    "select",
    "set_num_threads",
    "sort",
    "sort_pairs",
    "summed_area_table",
    "unique_all",
    "unique_consecutive",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]
