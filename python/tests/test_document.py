"""The examples of docs/python.md run, and have the results that stand behind them."""

import ast
import inspect
import io
import pathlib
import re
import tokenize

import numpy as np
import pytest

import lookback as lb

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
BLOCKS = {
    text.split("\n", 1)[0]: re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for text in re.split(r"^##? ", PAGE, flags=re.MULTILINE)[1:]
}


def results_in(block):
    """The calls, one line each, whose comment is the numbers of their result."""
    for token in tokenize.generate_tokens(io.StringIO(block).readline):
        if token.type == tokenize.COMMENT and re.fullmatch(r"#( -?[\d.]+)+", token.string):
            yield token.line[: token.start[1]].strip(), token.string[1:]


def run(heading):
    """Runs the blocks of a section; returns how many results stood in its comments."""
    assert BLOCKS[heading]
    names = {"np": np, "lb": lb}
    checked = 0
    for block in BLOCKS[heading]:
        exec(block, names)
        for call, numbers in results_in(block):
            expected = np.fromstring(numbers, sep=" ")
            np.testing.assert_array_equal(np.ravel(eval(call, names)), expected, call)
            checked += 1
    return checked


def test_every_block_is_run():
    headings = {heading for heading, blocks in BLOCKS.items() if blocks}
    assert headings == {"In Python", "Files larger than memory", "PyTorch", "JAX", "On a GPU"}


def test_first_calls():
    assert run("In Python") == 4


def test_files_larger_than_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(1).normal(size=1000)
    np.save("big.npy", x)
    run("Files larger than memory")
    assert np.load("sums.npy").tobytes() == lb.cumulative_sum(x).tobytes()
    np.testing.assert_array_equal(np.load("some.npy"), lb.select(x, where=(0, 1)))


def test_pytorch():
    pytest.importorskip("torch")
    run("PyTorch")


def test_jax():
    pytest.importorskip("jax")
    pytest.importorskip("lookback.jax", exc_type=ImportError)
    run("JAX")


def test_on_a_gpu():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    pytest.importorskip("lookback._cuda", exc_type=ImportError)
    run("On a GPU")


def test_every_function_has_a_row():
    """The table of functions names all of the package's, and arguments that they have."""
    table = PAGE[PAGE.index("| function | notes |") : PAGE.index("`help(lb.scan)`")]
    left = "\n".join(line.split(" | ")[0] for line in table.splitlines()[2:])
    named = set()
    for name, arguments in re.findall(r"`(\w+)([^`]*)`", left):
        named.add(name)
        if arguments:
            written = ast.parse(f"def call{arguments.replace(', ...', '')}: pass").body[0].args
            of_function = inspect.signature(getattr(lb, name)).parameters
            for argument in written.posonlyargs + written.args + written.kwonlyargs:
                assert argument.arg in of_function, (name, argument.arg)
    others = {"FileArray", "get_num_threads", "set_num_threads"}
    assert named == set(lb.__all__) - others
