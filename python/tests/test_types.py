"""What a type checker says about calls. Skipped without mypy."""

import os
import pathlib
import subprocess
import sys

import pytest

import lookback as lb

pytest.importorskip("mypy")
CALLS = """
import numpy as np
import lookback
import lookback as lb

x = np.arange(5)
lb.cumulative_sum(x, axis=0, dtype=np.float64, include_initial=True, out=None)
lb.exclusive_scan(x, "max", init=0, reverse=True)
lb.scan([3, 1], by_key=[1, 1])
lb.select(x, where=(1, None))
wanted, rest = lb.partition(x, x > 3)
values, lengths = lb.run_length_encode(x)
lb.reduce_by_key(x, x).keys
lb.unique_all(x).inverse_indices
lb.sort(x, descending=True)
lb.linear_recurrence(0.5, x, init=1.0)
lb.box_filter(np.ones((2, 2)), 1, border="zero")
big = lookback.open("x.npy", window=1000)
rows: int = big.cumulative_sum("y.npy", axis=0, progress=True).shape[0]
threads: int = lb.get_num_threads()
version: str = lb.__version__
"""
WRONG = {
    "lb.sort(x=[3])": "Unexpected keyword",
    "lb.scan([3], op=7)": "incompatible type",
    "lb.linear_recurrence(0.5)": "Missing positional",
    "lb.summed_areas([3])": "no attribute",
}


def test_calls_are_checked(tmp_path):
    (tmp_path / "calls.py").write_text(CALLS)
    (tmp_path / "wrong.py").write_text("import lookback as lb\n" + "\n".join(WRONG))
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "calls.py", "wrong.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": str(pathlib.Path(lb.__file__).parent.parent)},
    )
    of_calls = [line for line in run.stdout.splitlines() if line.startswith(("calls", "wrong"))]
    errors = [line for line in of_calls if ": error: " in line]
    assert len(errors) == len(WRONG), run.stdout + run.stderr
    for line, why in zip(errors, WRONG.values()):
        assert line.startswith("wrong.py:") and why in line, line
