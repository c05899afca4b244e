"""Scans of a line of numbers on a GPU, compared with NumPy. gpu_support.py says how to run it."""

import itertools
import json
import os
import re
import unittest

from gpu_support import KINDS, OnGpu, flags_of, numbers

import numpy as np

from support import FLOATS, INTEGERS, InDirectory, expected, operators


class ScansOnGpu(OnGpu):
    def scan(self, x, *arguments):
        return super().scan(x, "--device", "cuda", *arguments)


class Info(ScansOnGpu):
    def test_lists_the_gpus(self):
        text = self.lookback("info").decode()
        self.assertRegex(text, r"(?m)^GPUs +\S.*, compute capability \d+\.\d, \d+ multiprocessors, "
                         r"[\d.]+ GiB$", "no GPU that can be used")
        self.assertRegex(text, r"(?m)^CUDA +driver \d+\.\d, runtime \d+\.\d$")

    def test_json_names_the_gpu(self):
        self.put("x.npy", np.ones(1000, np.int32))
        done = json.loads(self.lookback("scan", "x.npy", "-o", "y.npy", "--device", "cuda",
                                        "--json"))
        self.assertEqual(list(done), ["n", "in_type", "type", "device", "gpu", "seconds", "gb_per_s"])
        self.assertEqual(done["device"], "cuda")
        name = re.search(r"(?m)^GPUs +(.*), compute", self.lookback("info").decode())[1]
        self.assertEqual(done["gpu"], name)


class Exact(ScansOnGpu):
    """Scans with one right answer, bit by bit."""

    def check(self, x, op, *more, kinds=KINDS, **options):
        for exclusive, backward in kinds:
            with self.subTest(dtype=x.dtype.name, op=op, items=len(x), exclusive=exclusive,
                              backward=backward, window=os.environ.get("LOOKBACK_GPU_WINDOW")):
                y = self.scan(x, "--op", op, *flags_of(exclusive, backward), *more)
                np.testing.assert_array_equal(y, expected(x, op, exclusive, backward, **options),
                                              strict=True)

    def check_integers(self, count, seed):
        # Starting CUDA takes long: sums are tested in all kinds, other operators in one kind each.
        for dtype in INTEGERS:
            for i, op in enumerate(operators(dtype), INTEGERS.index(dtype) + seed):
                x = numbers(dtype, count, seed)
                self.check(x | 1 if op == "product" else x, op,
                           kinds=KINDS if op == "sum" else [KINDS[i % len(KINDS)]])

    def test_integers_in_one_window(self):
        self.check_integers(100_003, seed=0)

    def test_integers_in_windows(self):
        self.use_windows(40_000)
        self.check_integers(77_777, seed=1)

    def test_minima_and_maxima_of_floats(self):
        for window in 1 << 20, 12_000:
            self.use_windows(window)
            for dtype in FLOATS:
                x = numbers(dtype, 50_001, 2)
                self.check(x, "min")
                self.check(x, "max")
                x[20_000] = np.nan  # the maximum is NaN from there on
                self.check(x, "max")

    def test_sums_of_floats_that_are_exact(self):
        for window in 1 << 20, 12_000:
            self.use_windows(window)
            for dtype in FLOATS:
                self.check(np.random.default_rng(3).integers(-9, 9, 50_001).astype(dtype), "sum")

    def test_init(self):
        for window in 1 << 20, 10_000:
            self.use_windows(window)
            x = numbers("int32", 30_001, 4)
            for op, init in ("sum", -5), ("max", 40_000), ("min", -3), ("xor", 99):
                self.check(x, op, "--init", init, init=init)

    def test_counts_around_those_of_a_window(self):
        window = 4096
        self.use_windows(window)
        for dtype in "uint8", "float64":
            full = window // np.dtype(dtype).itemsize
            for k in 0, 1, 2, 3, 4, 5, 9:  # up to the number of slots, and more
                for more in -1, 0, 1:
                    if (count := k * full + more) >= 0:
                        self.check(numbers(dtype, count, count), "max",
                                   kinds=[(True, False), (True, True)])

    def test_windows_of_odd_sizes(self):
        for window in 1, 100, 4099, 65_600:
            self.use_windows(window)
            self.check(numbers("uint8", 70 * min(window, 1000) + 7, 5), "sum")
            self.check(numbers("int64", 70 * min(window // 8 + 1, 1000) + 7, 5), "sum")

    def test_many_windows(self):
        self.use_windows(1 << 16)
        self.check(numbers("int32", 20_000_003, 6), "sum")

    def test_usual_windows(self):
        for dtype in "uint8", "int32", "uint64":
            self.check(numbers(dtype, (44 << 20) // np.dtype(dtype).itemsize + 5, 7), "sum")

    def test_no_items_and_few(self):
        for count in 0, 1, 2, 31, 33:
            self.check(numbers("int32", count, 8), "sum")

    def test_other_type_of_output(self):
        self.use_windows(30_000)
        x = numbers("uint8", 100_001, 9)
        for exclusive, backward in KINDS:
            y = self.scan(x, "--out-dtype", "uint64", *flags_of(exclusive, backward))
            np.testing.assert_array_equal(
                y, expected(x.astype(np.uint64), "sum", exclusive, backward), strict=True)

    def test_axis_of_a_single_line(self):
        x = numbers("int32", 1000, 10)
        np.testing.assert_array_equal(self.scan(x, "--axis", "0"), expected(x, "sum"))
        y = self.scan(x.reshape(1, 1000, 1), "--axis", "1")
        np.testing.assert_array_equal(y, expected(x, "sum").reshape(1, 1000, 1), strict=True)


class Floats(ScansOnGpu):
    """Sums and products that are rounded: close to NumPy's, and the same in every run."""

    def test_sums(self):
        for dtype, window in itertools.product(FLOATS, (1 << 20, 8000)):
            self.use_windows(window)
            x = numbers(dtype, 300_001, 11)
            for exclusive, backward in KINDS:
                y = self.scan(x, *flags_of(exclusive, backward))
                right = expected(x.astype(np.longdouble), "sum", exclusive, backward,
                                 init=0 if exclusive else None)
                self.assertEqual(y.dtype, x.dtype)
                depth = 200 + 4 * 300_001 * x.itemsize // window
                bound = depth * np.finfo(dtype).eps * float(np.abs(x).sum())
                self.assertLess(float(np.abs(y - right).max()), bound)

    def test_products(self):
        for dtype in FLOATS:
            x = (1 + numbers(dtype, 20_001, 12) * 1e-3).astype(dtype)
            y = self.scan(x, "--op", "product")
            np.testing.assert_allclose(y, np.cumprod(x.astype(np.longdouble)).astype(dtype),
                                       rtol=20_001 * np.finfo(dtype).eps)

    def test_bits_are_those_of_every_run(self):
        self.put("x.npy", numbers("float32", 9_000_001, 13))
        runs = []
        for _ in range(5):
            self.lookback("scan", "x.npy", "-o", "y.npy", "--device", "cuda")
            runs.append(self.tree()["y.npy"])
        self.assertEqual(len(set(runs)), 1)

    def test_exclusive_is_the_inclusive_one_shifted(self):
        self.use_windows(20_000)
        x = numbers("float32", 100_001, 14)
        inclusive = self.scan(x, "--init", "0")
        exclusive = self.scan(x, "--exclusive")
        np.testing.assert_array_equal(exclusive[1:], inclusive[:-1])
        self.assertEqual(exclusive[0], 0)


class Files(ScansOnGpu):
    def test_text_in_and_out(self):
        self.assertEqual(self.lookback("scan", "-", "--device", "cuda", stdin=b"1 2 3"),
                         b"1\n3\n6\n")

    def test_text_has_the_order_of_the_array(self):
        self.use_windows(10_000)
        x = numbers("int64", 20_001, 15) >> 20
        self.put("x.npy", x)
        for exclusive, backward in KINDS:
            flags = flags_of(exclusive, backward)
            text = self.lookback("scan", "x.npy", "-o", "-", "--device", "cuda", *flags)
            np.testing.assert_array_equal(np.array(text.split(), np.int64),
                                          expected(x, "sum", exclusive, backward))

    def test_in_place(self):
        self.use_windows(10_000)
        x = numbers("int32", 20_001, 16)
        self.put("x.npy", x)
        self.lookback("scan", "x.npy", "-o", "x.npy", "--device", "cuda")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), expected(x, "sum"))

    def test_a_full_device_is_an_error(self):
        self.use_windows(10_000)
        self.put("x.bin", numbers("int32", 200_001, 17))
        self.refused("/dev/full: cannot write: No space left on device", "scan", "x.bin", "--dtype",
                     "int32", "-o", "/dev/full", "--device", "cuda")


class Strategies(ScansOnGpu):
    def test_every_strategy(self):
        names = [line.split()[0] for line in self.lookback("strategies").decode().splitlines()]
        x = np.random.default_rng(5).integers(-9, 9, 1_000_003)
        scans = [name for name in names if re.match("cuda-(?!sort-|table-)", name)]
        for name in scans:
            for dtype in np.int32, np.int64, np.float32, np.float64:
                for op in "sum", "max":
                    y = InDirectory.scan(self, x.astype(dtype), "--strategy", name, "--op", op)
                    np.testing.assert_array_equal(y, expected(x.astype(dtype), op), strict=True)


if __name__ == "__main__":
    unittest.main()
