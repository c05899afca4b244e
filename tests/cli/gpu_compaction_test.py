"""Commands whose results depend in number on the data, scans of segments, and sorting, on a GPU: the
same bytes as on the CPU. gpu_support.py says how to run it."""

import itertools
import json
import unittest

from gpu_support import KINDS, SameAsCpu, flags_of, numbers

import numpy as np

from support import FLOATS, INTEGERS, operators
import test_compaction_windows
import test_conditions
import test_sort
from test_compaction_windows import runs, unaligned

USUAL = 8 << 20
TYPES = INTEGERS + FLOATS
# Starting CUDA takes long, so cases are distributed, not combined, where possible.
COMMANDS = test_compaction_windows.Compactions.COMMANDS


class Compactions(SameAsCpu):
    def check_all(self, windows):
        for command, *options in COMMANDS:
            self.check(windows, command, "x.npy", *options)

    def test_types(self):
        random = np.random.default_rng(1)
        for dtype, window in zip(TYPES, itertools.cycle([4100, 24])):
            self.put("x.npy", np.concatenate([runs(dtype, size, mean, random) for size, mean in
                                              ((77, 1), (500, 2), (900, 9), (2500, 1000))]))
            self.check_all([window])

    def test_usual_windows(self):
        random = np.random.default_rng(2)
        for dtype in "int8", "uint16", "float32", "int64":
            size = (20 << 20) // np.dtype(dtype).itemsize + 3
            self.put("x.npy", runs(dtype, size, 50, random))
            self.check_all([USUAL])

    def test_few_numbers(self):
        for size in 0, 1, 2, 3:
            self.put("x.npy", np.arange(size, dtype=np.int32) // 2 + 3)
            self.check_all([8 if size == 2 else 1])

    def test_one_run_and_no_two_equal(self):
        for x in np.full(300_000, 3, np.int16), np.arange(300_000, dtype=np.int32):
            self.put("x.npy", x)
            self.check_all([100_000])

    def test_nan_and_zeros(self):
        x = np.array([np.nan, np.nan, -0.0, 0.0, 0.0, -0.0, 1, np.inf, np.inf, 0.0, -0.0, -np.nan])
        for dtype, windows in zip(FLOATS, ([1], [16, USUAL])):
            self.put("x.npy", x.astype(dtype))
            self.check_all(windows)

    def test_conditions(self):
        random = np.random.default_rng(3)
        for dtype in TYPES:
            self.put("x.npy", test_conditions.numbers(dtype, 5000, random))
            for depth in 0, 2, 4:
                where = test_conditions.Condition(dtype, random).make(depth)[0]
                if dtype in INTEGERS or depth == 0:
                    self.check([7000], "select", "x.npy", "-o", "y.npy", "--where", where)
                else:
                    self.check([7000], "partition", "x.npy", "-o", "y.npy", "--rest", "z.npy",
                               "--where", f"isnan(x) or {where}")

    def test_unaligned_and_text(self):
        x = runs("int32", 2000, 5, np.random.default_rng(4))
        self.put("x.npy", unaligned(x))
        self.check_all([404])
        text = " ".join(map(str, x)).encode()
        self.check([404], "unique", "-", stdin=text)
        self.check([404], "partition", "-", "--where", "x < 4", stdin=text)

    def test_an_output_may_be_the_input(self):
        self.use_windows(4096)
        x = runs("int64", 50_000, 3, np.random.default_rng(5))
        self.put("x.npy", x)
        self.lookback("partition", "x.npy", "-o", "x.npy", "--where", "x > 3", "--device", "cuda")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), -np.sort(-x))

    def test_json_names_the_gpu(self):
        self.put("x.npy", np.ones(1000, np.int32))
        self.put("offsets.npy", np.array([0, 1000]))
        for command in (["unique", "x.npy", "-o", "y.npy"],
                        ["reduce-by-key", "x.npy", "x.npy", "-o", "k.npy", "--values", "y.npy"],
                        ["scan", "x.npy", "-o", "y.npy", "--segments", "offsets.npy"]):
            done = json.loads(self.lookback(*command, "--device", "cuda", "--json"))
            self.assertEqual(done["device"], "cuda")
            self.assertRegex(self.lookback("info").decode(), rf"(?m)^GPUs +{done['gpu']}, compute")


class BySegments(SameAsCpu):
    SIZE = 60_001

    def put_values(self, dtype, op, random):
        if dtype in INTEGERS:
            x = numbers(dtype, self.SIZE, random.integers(1 << 30))
            x = x | 1 if op == "product" else x
        elif op == "product":  # nothing is rounded
            x = random.choice(np.array([1, -1], dtype), self.SIZE)
        else:
            x = random.integers(1, 99, self.SIZE).astype(dtype)
        self.put("x.npy", x)

    def put_segments(self, random, dtype="int32"):
        # Short segments, then one of more than a window, and empty ones at both ends and between.
        keys = np.concatenate([runs(dtype, 20_000, 2, random), runs(dtype, 20_000, 300, random),
                               np.full(self.SIZE - 40_000, 9, dtype)])
        at = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        self.put("keys.npy", keys)
        self.put("offsets.npy",
                 np.sort(np.concatenate([[0], at, [at[len(at) // 2]] * 3, [self.SIZE] * 3])))

    def check_reduction(self, windows, *options):
        self.check(windows, "reduce-by-key", "keys.npy", "x.npy", "-o", "k.npy", "--values", "v.npy",
                   *options)

    BY = (["--by-key", "keys.npy"], ["--segments", "offsets.npy"])

    def check_scan(self, windows, *options):
        self.check(windows, "scan", "x.npy", "-o", "y.npy", *options)

    def test_types_and_operators(self):
        random = np.random.default_rng(6)
        self.put_segments(random)
        kinds = itertools.cycle(itertools.product(self.BY, KINDS))
        for i, dtype in enumerate(TYPES):
            # A signed type has the kernels of the unsigned one, so it gets other operators.
            for turn, op in enumerate(operators(dtype), i + i // 4):
                self.put_values(dtype, op, random)
                if turn % 2 == 0:
                    self.check_reduction([9001], "--op", op)
                else:
                    by, (exclusive, backward) = next(kinds)
                    self.check_scan([9001], "--op", op, *by, *flags_of(exclusive, backward))

    def test_kinds_and_initial_values(self):
        random = np.random.default_rng(7)
        self.put_segments(random)
        for dtype, init in ("int16", "-7"), ("float64", "0.5"):
            self.put_values(dtype, "sum", random)
            for by, (exclusive, backward) in itertools.product(self.BY, KINDS):
                for start, window in ([], 100_000), (["--init", init], 640):
                    self.check_scan([window], *by, *flags_of(exclusive, backward), *start)

    def test_keys_of_every_type(self):
        random = np.random.default_rng(8)
        self.put_values("int64", "sum", random)
        for dtype in TYPES:
            self.put_segments(random, dtype)
            self.check_reduction([30_000])
            self.check_scan([30_000], *self.BY[0])

    def test_keys_that_are_nan(self):
        self.put("x.npy", np.arange(1, 10))
        self.put("keys.npy", np.array([np.nan, np.nan, -0.0, 0.0, 0.0, -0.0, 1, np.inf, np.inf]))
        self.check_reduction([1, 24])
        for backward in False, True:
            self.check_scan([1, 24], *self.BY[0], *flags_of(False, backward))

    def test_few_numbers(self):
        for size in 0, 1, 2, 3:
            self.put("x.npy", np.arange(size, dtype=np.int32))
            self.put("keys.npy", np.arange(size) // 2)
            self.put("offsets.npy", np.array([0, 0, min(size, 1), size]))
            self.check_reduction([4])
            for by, backward in itertools.product(self.BY, [False, True]):
                self.check_scan([4], *by, *flags_of(size % 2 == 0, backward))

    def test_usual_windows(self):
        random = np.random.default_rng(9)
        for dtype in "uint8", "int32", "uint64":
            x = numbers(dtype, (20 << 20) // np.dtype(dtype).itemsize + 3, 10)
            self.put("x.npy", x)
            self.put("keys.npy", runs("uint16", len(x), 1000, random))
            self.check_reduction([USUAL])
            self.check_scan([USUAL], *self.BY[0], "--exclusive")

    def test_other_type_of_output(self):
        random = np.random.default_rng(11)
        self.put_segments(random)
        self.put_values("uint8", "sum", random)
        self.check_reduction([5000], "--out-dtype", "uint64")
        self.check_scan([5000], *self.BY[1], "--out-dtype", "uint64", "--backward")

    def test_sums_of_floats_that_are_rounded(self):
        random = np.random.default_rng(12)
        self.SIZE = 1_000_003
        self.put_segments(random)
        self.put("x.npy", random.random(self.SIZE, np.float32))
        for command, out in ((["reduce-by-key", "keys.npy", "x.npy", "-o", "k.npy", "--values"],
                              "v.npy"), (["scan", "x.npy", *self.BY[0], "-o"], "y.npy")):
            self.use_windows(1 << 20)
            self.lookback(*command, out, "--device", "cpu")
            right = np.load(self.path(out))
            results = set()
            for _ in range(4):
                self.lookback(*command, out, "--device", "cuda")
                np.testing.assert_allclose(np.load(self.path(out)), right, rtol=1e-3)
                results.add(self.tree()[out])
            self.assertEqual(len(results), 1)


class Sorted(SameAsCpu):
    def check_all(self, windows, *options):
        for command in (["x.npy", "-o", "y.npy"], ["x.npy", "-o", "y.npy", "--order"],
                        ["v.npy", "-o", "y.npy", "--by-key", "x.npy", "--keys", "k.npy"]):
            self.check(windows, "sort", *command, *options)

    def put_both(self, x, dtype="int32"):
        self.put("x.npy", x)
        self.put("v.npy", np.arange(len(x)).astype(dtype))

    def test_types(self):
        random = np.random.default_rng(12)
        flags = itertools.cycle([[], ["--descending"]])
        for dtype, values, window in zip(TYPES, reversed(TYPES), itertools.cycle([None, 40_000])):
            x = test_sort.numbers(dtype, 20_001, random)
            x[5000:9000] = test_sort.numbers(dtype, 4000, random, 5)
            self.put_both(x, values)
            self.check_all([window or USUAL], *next(flags))

    def test_few_numbers(self):
        for size in 0, 1, 2, 3:
            self.put_both(np.arange(size, dtype=np.int16)[::-1].copy())
            self.check_all([1])

    def test_many_numbers(self):
        random = np.random.default_rng(13)
        for dtype in "uint8", "int32", "float64":
            self.put_both(test_sort.numbers(dtype, 3_000_003, random))
            self.check_all([1 << 30, USUAL])

    def test_special_floats(self):
        random = np.random.default_rng(14)
        for dtype in FLOATS:
            self.put_both(random.choice(np.array(test_sort.SPECIAL, dtype), 3000))
            self.check_all([2048, USUAL], "--descending")

    def test_the_usual_window(self):
        self.put_both(test_sort.numbers("int64", 100_000, np.random.default_rng(15)))
        done = json.loads(self.lookback("sort", "x.npy", "-o", "y.npy", "--device", "cuda", "--json"))
        self.assertEqual((done["device"], done["windows"]), ("cuda", 1))


if __name__ == "__main__":
    unittest.main()
