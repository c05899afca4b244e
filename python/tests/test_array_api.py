"""The Array API's own tests, for the functions that lookback has, too.

These tests are not a package: ARRAY_API_TESTS names a folder with a clone of the repository
data-apis/array-api-tests and its submodule; they need ndindex and pytest-json-report. Without that
folder they are skipped. Only the tests in TESTS are run: the other functions of the namespace are
NumPy's own.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "array_api"))

TESTS = {
    "test_statistical_functions.py": ["test_cumulative_sum", "test_cumulative_prod"],
    "test_sorting_functions.py": ["test_sort", "test_argsort"],
    "test_set_functions.py": [
        "test_unique_all",
        "test_unique_counts",
        "test_unique_inverse",
        "test_unique_values",
    ],
    "test_signatures.py": [],  # chosen by the names of the functions
}

needs_array_api = pytest.mark.skipif(
    not hasattr(np, "cumulative_sum"), reason="NumPy 2.1 or later has the Array API's functions"
)


@needs_array_api
def test_suite():
    suite = os.environ.get("ARRAY_API_TESTS")
    if suite is None:
        pytest.skip("ARRAY_API_TESTS names no clone of array-api-tests")
    assert importlib.util.find_spec("ndindex"), "pip install ndindex pytest-json-report"
    import lookback_array_api as namespace

    names = [function.__name__ for function in namespace.OURS]
    tests = [f"array_api_tests/{file}::{t}" for file, all_ in TESTS.items() for t in all_]
    signatures = [f"array_api_tests/test_signatures.py::test_func_signature[{n}]" for n in names]
    paths = [str(Path(namespace.__file__).parent), *sys.path]
    env = {
        **os.environ,
        "ARRAY_API_TESTS_MODULE": "lookback_array_api",
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, *signatures],
        cwd=suite,
        env=env,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{len(tests) + len(signatures)} passed" in told.stdout, told.stdout
