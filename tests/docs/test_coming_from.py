"""The tables of docs/coming_from.md: calls side by side do the same.

For the standard library, and NumPy beside the command line, both sides are run and their results
compared. Calls on a GPU are only compiled: lookback's calls for the simulated GPU (trial/), and
Thrust's and CUB's calls by nvcc, if the build has it (NVCC). Tables of Python's calls:
python/tests/test_coming_from.py.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "coming_from.md").read_text()
LOOKBACK = os.environ["LOOKBACK"]

# Calls of the standard library on the left, of lookback on the right.
ON_THE_CPU = """
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <ranges>
#include <vector>
#include <lookback/lookback.hpp>

int main() {
    const auto square = [](int x) { return x * x; };
    const auto larger = [](int a, int b) { return a < b ? b : a; };
    const auto is_large = [](int x) { return x > 4; };
    std::vector<int> in(1000), out, rest, wanted, wanted_rest;
    unsigned state = 1;
    for (int& x : in) x = static_cast<int>((state = state * 1664525U + 1013904223U) >> 29);
    int wrong = 0;
    const auto fresh = [&] { out.assign(1000, -1), rest.assign(1000, -1); };
%s
    std::printf("%%d wrong\\n", wrong);
    return wrong;
}
"""
ROW_ON_THE_CPU = """
    fresh();
    %s;
    wanted = out, wanted_rest = rest;
    fresh();
    %s;
    if (out != wanted || rest != wanted_rest) std::puts(R"(%s)"), ++wrong;
"""

ON_A_GPU = """
struct is_large_form {
    __host__ __device__ bool operator()(int x) const { return x > 4; }
};

int main() {
    std::size_t n = 0;
    const int* in = nullptr;
    const unsigned* keys = nullptr;
    const char* flags = nullptr;
    const int* offsets = nullptr;
    int *out = nullptr, *rest = nullptr, *lengths = nullptr, *places = nullptr;
    unsigned* keys_out = nullptr;
    std::size_t* count = nullptr;
    const is_large_form is_large;
    const op_form op;
%s
}
"""
OURS = """
#include <lookback/lookback.hpp>
using op_form = lookback::plus<>;
"""
PEERS = """
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#define temp nullptr
std::size_t bytes = 0;
cudaStream_t stream = nullptr;
const auto on = thrust::cuda::par.on(stream);
const cuda::std::equal_to<> equal;
using op_form = cuda::std::plus<>;
"""


def rows(name):
    """The calls of a table."""
    table = re.search(rf"^<!-- table: {name} -->\n.*\n.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)[1]
    found = [re.fullmatch(r"\| `([^`]*)` \| `([^`]*)` \|", line).groups()
             for line in table.splitlines()]
    assert len(found) > 5, name
    return found


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, timeout=600, **more)


class Tables(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="lookback-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compiled(self, name, text, *arguments):
        (self.folder / name).write_text(text)
        done = run(*arguments, str(self.folder / name))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_standard_library(self):
        body = "".join(ROW_ON_THE_CPU % (left, right, right) for left, right in rows("std"))
        program = self.folder / "std"
        (self.folder / "std.cpp").write_text(ON_THE_CPU % body)
        done = run(os.environ["CXX"], *shlex.split(os.environ["CXXFLAGS"]), "-std=c++20",
                   f"-I{ROOT}/include", str(self.folder / "std.cpp"), "-o", str(program),
                   *shlex.split(os.environ["LIBRARIES"]))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(str(program))
        self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"))

    def test_numpy(self):
        random = np.random.default_rng(1)
        arrays = {"x": random.integers(0, 9, 1000), "k": np.sort(random.integers(0, 50, 1000)),
                  "a": random.integers(0, 100, (30, 40))}
        for name, array in arrays.items():
            np.save(self.folder / f"{name}.npy", array)
        for left, right in rows("numpy"):
            wanted = eval(left, {"np": np, **arrays})
            done = run("sh", "-c", right.replace("lookback", shlex.quote(LOOKBACK), 1),
                       cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), right)
            got = np.load(self.folder / "y.npy")
            os.remove(self.folder / "y.npy")
            np.testing.assert_array_equal(got, wanted, right)

    def test_calls_on_a_gpu_compile(self):
        calls = [right for name in ("thrust", "cub") for _, right in rows(name)]
        calls = ["lookback::gpu gpu", *calls]
        self.compiled("calls.cpp", OURS + ON_A_GPU % "".join(f"    {call};\n" for call in calls),
                      os.environ["CXX"], "-std=c++20", "-fsyntax-only", "-DLOOKBACK_GPU=1", "-w",
                      f"-I{ROOT}/trial/include", f"-I{ROOT}/trial", f"-I{ROOT}/include")

    @unittest.skipUnless(os.environ.get("NVCC"), "a build without CUDA")
    def test_calls_of_thrust_and_cub_compile(self):
        calls = [left for name in ("thrust", "cub") for left, _ in rows(name)]
        self.compiled("calls.cu", PEERS + ON_A_GPU % "".join(f"    {call};\n" for call in calls),
                      os.environ["NVCC"], "-std=c++20", "-arch=sm_90", "-w", "-c", "-Xcicc", "-O0",
                      "-Xptxas", "-O0", "-o", str(self.folder / "calls.o"))


if __name__ == "__main__":
    unittest.main()
