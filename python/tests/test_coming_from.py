"""The table of docs/coming_from.md: NumPy's call and lookback's call give the same results."""

import pathlib
import re

import numpy as np
import pytest

import lookback as lb

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "coming_from.md"
TABLE = re.search(r"^<!-- table: python -->\n.*\n.*\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE)
ROWS = [re.fullmatch(r"\| `([^`]*)` \| `([^`]*)` \|", line).groups()
        for line in TABLE[1].splitlines()]


@pytest.mark.parametrize("numpys, ours", ROWS)
def test_results_are_numpys(numpys, ours):
    rng = np.random.default_rng(1)
    names = {"np": np, "lb": lb, "x": rng.integers(0, 9, 1000), "k": np.sort(rng.integers(0, 50, 1000)),
             "a": rng.integers(0, 100, (30, 40))}
    np.testing.assert_array_equal(eval(ours, names), eval(numpys, names))
