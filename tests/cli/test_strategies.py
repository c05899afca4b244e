"""lookback scan --strategy, and the list of strategies."""

import re
import unittest

import numpy as np

from support import InDirectory, expected


class Strategies(InDirectory):
    def names(self):
        """The names of the strategies that scan."""
        listed = [line.split()[0] for line in self.lookback("strategies").decode().splitlines()]
        return [name for name in listed if not name.startswith(("cuda-sort-", "cuda-table-"))]

    def test_list(self):
        lines = self.lookback("strategies").decode().splitlines()
        for line in lines:
            self.assertRegex(line, r"^c(pu|uda)-[a-z-]+ +(\d?n|\d+ [a-z\d ]*bytes)\b.*  \S")
        sorts = [line.split()[0] for line in lines if line.startswith("cuda-sort-")]
        self.assertEqual(sorts, ["cuda-sort-" + name for name in (
            "split", "split-merge", "bitonic", "odd-even-merge", "histograms", "library")])
        tables = [line.split()[0] for line in lines if line.startswith("cuda-table-")]
        self.assertEqual(tables, ["cuda-table-" + name for name in (
            "six-scans", "steps-of-two", "steps-of-four", "steps-of-sixteen", "rows-then-columns",
            "library")])

    def test_those_on_the_cpu(self):
        on_cpu = [name for name in self.names() if name.startswith("cpu-")]
        self.assertGreaterEqual(len(on_cpu), 6)
        for name in on_cpu:
            for dtype in np.int32, np.int64, np.float32, np.float64:
                x = np.random.default_rng(7).integers(-9, 9, 100_001).astype(dtype)
                for op in "sum", "max":
                    y = self.scan(x, "--strategy", name, "--op", op, "--threads", "2")
                    np.testing.assert_array_equal(y, expected(x, op), strict=True)

    def test_converted_input_and_none(self):
        y = self.scan(np.arange(9, dtype=np.uint8), "--strategy", "cpu-chained",
                      "--out-dtype", "int64")
        np.testing.assert_array_equal(y, np.arange(9).cumsum(), strict=True)
        for name in self.names()[:6]:
            self.assertEqual(len(self.scan(np.zeros(0, np.float32), "--strategy", name)), 0)

    def test_json_names_it(self):
        self.put("x.npy", np.arange(5))
        self.assertIn(b'"strategy": "cpu-look-back"',
                      self.lookback("scan", "x.npy", "-o", "y.npy", "--json", "--strategy",
                                    "cpu-look-back"))

    def test_refused(self):
        self.put("x.npy", np.arange(6, dtype=np.int32))
        self.put("b.npy", np.arange(6, dtype=np.uint8))
        scan = ["scan", "x.npy", "-o", "o.npy", "--strategy"]
        self.refused("--strategy bubble: unknown strategy; expected a scan that lookback strategies "
                     "lists", *scan, "bubble")
        self.refused("--strategy cuda-sort-bitonic: unknown strategy; expected a scan that "
                     "lookback strategies lists", *scan, "cuda-sort-bitonic")
        for more in (["--exclusive"], ["--backward"], ["--init", "1"], ["--axis", "0"],
                     ["--by-key", "x.npy"], ["--segments", "x.npy"], ["--device", "cpu"],
                     ["--window", "4096"]):
            self.refused(f"{more[0]}: cannot be used with --strategy, which scans one line of numbers "
                         "inclusively", *scan, "cpu-chained", *more)
        self.refused("--op min: cannot be used with --strategy; expected sum or max", *scan, "cpu-chained",
                     "--op", "min")
        self.refused("--strategy: scans int32, int64, float32 or float64, not uint8; expected one "
                     "of them with --out-dtype", "scan", "b.npy", "-o", "o.npy", "--strategy",
                     "cpu-chained")

    def test_those_on_a_gpu_say_why_they_cannot_run_without_one(self):
        why = re.search(r"GPUs +none: (.*)", self.lookback("info").decode())
        if not why:
            self.skipTest("there is a GPU")
        on_gpu = [name for name in self.names() if name.startswith("cuda-")]
        self.assertGreaterEqual(len(on_gpu), 18)
        self.put("x.npy", np.arange(6, dtype=np.int32))
        for name in on_gpu:
            self.refused(f"--strategy {name}: runs on a CUDA GPU; {why[1]}",
                         "scan", "x.npy", "-o", "o.npy", "--strategy", name)


if __name__ == "__main__":
    unittest.main()
