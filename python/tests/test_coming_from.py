"""The tables of docs/coming_from.md with calls in Python: both sides give the same results.

Without PyTorch or JAX, lookback's calls run on NumPy's arrays. (test_gpu.py runs NumPy's table on
arrays of GPUs.)
"""

import importlib.util
import pathlib
import re

import numpy as np
import pytest

import lookback as lb

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "coming_from.md").read_text()


def rows(name):
    table = re.search(rf"^<!-- table: {name} -->\n.*\n.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)[1]
    return [
        re.fullmatch(r"\| `([^`]*)` \| `([^`]*)` \|", line).groups() for line in table.splitlines()
    ]


def integers():
    """The arrays of NumPy's table."""
    rng = np.random.default_rng(1)
    return {
        "x": rng.integers(0, 9, 1000),
        "k": np.sort(rng.integers(0, 50, 1000)),
        "a": rng.integers(0, 100, (30, 40)),
    }


def floats():
    """The arrays of the other tables, whose folds are exact in float32."""
    rng = np.random.default_rng(2)
    return {
        "x": rng.integers(-9, 9, 1000).astype(np.float32),
        "m": rng.choice([-1, 0.5, 1, 2], (5, 7)).astype(np.float32),
        "mask": rng.random(1000) < 0.5,
        "k": np.sort(rng.integers(0, 50, 1000)),
        "a": rng.choice([-0.5, 0, 0.5], 1000).astype(np.float32),
        "offsets": np.array([0, 10, 500, 1000]),
    }


@pytest.mark.parametrize("numpys, ours", rows("python"))
def test_numpy(numpys, ours):
    names = {"np": np, "lb": lb, **integers()}
    np.testing.assert_array_equal(eval(ours, names), eval(numpys, names))


@pytest.mark.parametrize("theirs, ours", rows("torch"))
def test_torch(theirs, ours):
    names = {"lb": lb, **floats()}
    if importlib.util.find_spec("torch") is None:
        if "lt." in ours:
            pytest.skip("no PyTorch")
        eval(ours, names)
        return
    import torch

    import lookback.torch as lt

    names |= {name: torch.from_numpy(array) for name, array in floats().items()}
    names |= {"torch": torch, "lt": lt}
    assert torch.equal(eval(ours, names), eval(theirs, names))


@pytest.mark.parametrize("theirs, ours", rows("jax"))
def test_jax(theirs, ours):
    names = {"lb": lb, **floats()}
    if importlib.util.find_spec("jax") is None:
        if "lj." in ours:
            pytest.skip("no JAX")
        eval(ours, names)
        return
    import jax

    if "lj." in ours:
        names["lj"] = pytest.importorskip("lookback.jax", exc_type=ImportError)
    with jax.default_device(jax.devices("cpu")[0]):
        names |= {name: jax.numpy.asarray(array) for name, array in floats().items()}
        names |= {"jax": jax, "jnp": jax.numpy}
        result = eval(ours, names)
        assert isinstance(result, jax.Array)
        np.testing.assert_allclose(result, eval(theirs, names), rtol=1e-5, atol=1e-6)
