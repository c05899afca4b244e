"""NumPy's namespace, with lookback's functions in the place of NumPy's. The Array API test suite
runs on it (test_array_api.py)."""

import numpy
from numpy import *  # noqa: F403

from lookback import (
    argsort,
    cumulative_prod,
    cumulative_sum,
    sort,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)

OURS = (
    argsort,
    cumulative_prod,
    cumulative_sum,
    sort,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)


def __getattr__(name):  # names that * leaves out, such as __array_api_version__
    return getattr(numpy, name)
