"""lookback sort: numbers, by keys, orders; files, errors. Several windows: test_sort_windows.py."""

import os
import resource
import signal
import subprocess
import unittest

import numpy as np

from sort_support import FLOAT_TYPES, SPECIAL, TYPES, Sorting, limit, numbers, order
from support import LOOKBACK


class InMemory(Sorting):
    def test_sizes(self):
        random = np.random.default_rng(1)
        for count in 0, 1, 2, 3, 31, 1000, 4097, 65_537:
            self.check(numbers("int32", count, random, 100), windows=min(count, 1))

    def test_types(self):
        random = np.random.default_rng(2)
        for dtype in TYPES:
            for descending in False, True:
                self.check(numbers(dtype, 3001, random), descending=descending)
                self.check(numbers(dtype, 3001, random, 9), descending=descending)

    def test_as_numpy_does(self):
        x = numbers("float64", 10_000, np.random.default_rng(3))
        self.put("x.npy", x)
        self.lookback("sort", "x.npy", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(x), strict=True)
        x = np.round(x, 0).clip(1, 30)
        self.put("x.npy", x)
        self.lookback("sort", "x.npy", "-o", "y.npy", "--order")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.argsort(x, kind="stable"),
                                      strict=True)

    def test_zeros_infinities_and_nan(self):
        for dtype in FLOAT_TYPES:
            for descending in False, True:
                self.check(np.array(SPECIAL, dtype), descending=descending)
        self.put("x.npy", np.array(SPECIAL))
        self.assertEqual(self.lookback("sort", "x.npy", "-o", "-"),
                         b"-inf\n-1\n-5e-324\n-0\n-0\n0\n0\n5e-324\n1\ninf\nnan\nnan\nnan\n")

    def test_orders_that_are_there_already(self):
        x = np.sort(numbers("uint32", 50_000, np.random.default_rng(4)))
        for y in x, x[::-1].copy(), np.full(50_000, 7, np.uint32):
            self.check(y)
            self.check(y, descending=True)

    def test_values_of_every_type(self):
        random = np.random.default_rng(5)
        for key, dtype in zip(["uint8", "int64"] * 6, TYPES):
            keys = numbers(key, 2000, random, 50)
            values = numbers(dtype, 2000, random)
            self.put("k.npy", keys)
            self.put("v.npy", values)
            for window in [], ["--window", "3000"]:
                self.lookback("sort", "v.npy", "--by-key", "k.npy", "-o", "o.npy", *window)
                self.assert_same("o.npy", values[order(keys)])

    def test_group_by(self):
        random = np.random.default_rng(6)
        keys, values = random.integers(0, 30, 10_000), random.integers(0, 1000, 10_000)
        self.put("k.npy", keys)
        self.put("v.npy", values)
        self.lookback("sort", "v.npy", "--by-key", "k.npy", "-o", "v.npy", "--keys", "k.npy")
        self.lookback("reduce-by-key", "k.npy", "v.npy", "-o", "k.npy", "--values", "v.npy")
        self.assert_same("k.npy", np.unique(keys))
        self.assert_same("v.npy", np.bincount(keys, values).astype(np.int64))

    def test_threads(self):
        for threads in 1, 2:
            self.check(numbers("int64", 100_000, np.random.default_rng(7), 1000), "--threads",
                       threads)


class Files(Sorting):
    def test_in_place(self):
        x = numbers("int16", 20_000, np.random.default_rng(14))
        for window in [], ["--window", "5000"]:
            self.put("x.npy", x)
            self.lookback("sort", "x.npy", "-o", "x.npy", *window)
            self.assert_same("x.npy", np.sort(x))
            self.assertEqual(os.listdir(self.directory), ["x.npy"])

    def test_raw(self):
        x = numbers("uint16", 9999, np.random.default_rng(15))
        self.put("x.bin", x)
        self.lookback("sort", "x.bin", "--dtype", "u2", "-o", "y.bin", "--window", "1000")
        self.assertEqual(self.tree()["y.bin"], np.sort(x).tobytes())
        self.lookback("sort", "x.bin", "--dtype", "u2", "--by-key", "x.bin", "--key-dtype", "i2", "-o",
                      "y.bin", "--keys", "k.bin")
        self.assertEqual(self.tree()["y.bin"], np.sort(x.view("i2")).tobytes())
        self.assertEqual(self.tree()["k.bin"], self.tree()["y.bin"])

    def test_text(self):
        self.assertEqual(self.lookback("sort", "-", stdin=b"3 -1\n2"), b"-1\n2\n3\n")
        self.assertEqual(self.lookback("sort", "-", "--descending", stdin=b"3 1.5 nan"),
                         b"nan\n3\n1.5\n")
        self.assertEqual(self.lookback("sort", "-", "--order", stdin=b"3 -1 2"), b"1\n2\n0\n")
        self.assertEqual(self.lookback("sort", "-", stdin=b""), b"")
        self.put("k.npy", np.array([2, 0, 1]))
        self.assertEqual(self.lookback("sort", "-", "--by-key", "k.npy", stdin=b"7 8 9"), b"8\n9\n7\n")
        x = numbers("int64", 50_000, np.random.default_rng(16))
        for window in [], ["--window", "100000"]:
            text = self.lookback("sort", "-", *window, stdin="\n".join(map(str, x)).encode())
            np.testing.assert_array_equal(np.array(text.split(), np.int64), np.sort(x))

    def test_npy_through_a_pipe(self):
        x = numbers("int32", 5000, np.random.default_rng(17))
        self.put("x.npy", x)
        os.symlink("/dev/stdout", self.path("y.npy"))
        for window in [], ["--window", "1000"]:
            piped = self.lookback("sort", "x.npy", "-o", "y.npy", *window)
            self.put("z.npy", piped)
            self.assert_same("z.npy", np.sort(x))

    def test_instead_of_sort_and_uniq(self):
        x = numbers("int64", 10_000, np.random.default_rng(18), 40)
        command = f"{LOOKBACK} sort - --window 10000 | {LOOKBACK} rle -"
        done = subprocess.run(command, shell=True, input="\n".join(map(str, x)).encode(),
                              capture_output=True, check=True)
        values, counts = np.unique(x, return_counts=True)
        self.assertEqual(done.stdout.decode(),
                         "".join(f"{c} {v}\n" for v, c in zip(values, counts)))

    def test_the_report(self):
        self.put("x.npy", np.arange(100, dtype=np.float32))
        report = self.sort("x.npy", "-o", "y.npy", "--order", "--window", "100")
        self.assertEqual((report["n"], report["windows"], report["key_type"], report["type"]),
                         (100, 9, "float32", "int64"))


class Errors(Sorting):
    def setUp(self):
        super().setUp()
        self.put("3.npy", np.arange(3))
        self.put("4.npy", np.arange(4))

    def sort_refused(self, message, *arguments, **more):
        self.refused(message, "sort", *arguments, **more)

    def test_refused(self):
        out = ["-o", "y.npy"]
        self.put("2d.npy", np.zeros((2, 2)))
        self.put("x.bin", b"123")
        self.sort_refused("4.npy: 4 keys for the 3 numbers of 3.npy; expected as many", "3.npy",
                          "--by-key", "4.npy", *out)
        self.sort_refused("no.npy: cannot read: No such file or directory", "3.npy", "--by-key",
                          "no.npy", *out)
        self.sort_refused("2d.npy: has shape (2, 2); expected one dimension", "2d.npy", *out)
        self.sort_refused("2d.npy: has shape (2, 2); expected one dimension", "4.npy", "--by-key",
                          "2d.npy", *out)
        self.sort_refused("--dtype u3: unknown type; expected bool, int8 to int64, uint8 to uint64, "
                          "or float16 to float64", "x.bin", "--dtype", "u3", *out)
        self.sort_refused("x.bin: 3 bytes; expected a multiple of 2, the size of uint16", "x.bin",
                          "--dtype", "u2", "-o", "y.bin")
        self.sort_refused("-o OUT is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                          "3.npy")
        self.sort_refused("IN is required; see lookback sort --help")
        self.sort_refused("--window 0: expected 1 to 2^40 bytes", "3.npy", *out, "--window", "0")
        self.sort_refused("The following argument was not expected: --reverse; see lookback sort --help",
                          "3.npy", *out, "--reverse")
        self.sort_refused("no/y.npy: cannot write: No such file or directory", "3.npy", "-o",
                          "no/y.npy", "--window", "8")

    def test_options_that_do_not_go_together(self):
        out = ["-o", "y.npy"]
        self.sort_refused("--key-dtype: is for --by-key", "3.npy", *out, "--key-dtype", "u1")
        self.sort_refused("--keys: is for --by-key; without it, -o has the keys", "3.npy", *out,
                          "--keys", "k.npy")
        self.sort_refused("--order: cannot be used with --by-key; expected lookback sort 4.npy --order",
                          "3.npy", *out, "--by-key", "4.npy", "--order")
        self.sort_refused("IN and --by-key: both are standard input; expected a file for one of them",
                          "-", "--by-key", "-")
        self.sort_refused("--keys y.npy: -o names this file, too; expected another file", "3.npy",
                          "--by-key", "3.npy", *out, "--keys", "y.npy")

    @unittest.skipIf("LOOKBACK_SANITIZER" in os.environ, "sanitizers reserve more addresses")
    def test_not_enough_memory(self):
        self.put("x.npy", np.zeros(1 << 26, np.uint8))
        self.sort_refused("not enough memory for two windows of 4000000000 bytes; expected a smaller "
                          "--window", "x.npy", "-o", "y.npy", "--order", "--window", 4_000_000_000,
                          preexec_fn=lambda: limit(resource.RLIMIT_AS, 1 << 29))

    def test_no_room_for_temporary_files(self):
        # More than a window: the runs are written before the output.
        self.put("x.npy", np.arange(100_000))
        self.put("y.npy", b"as it was")
        for place in "y.npy", "-":
            done = self.run_lookback("sort", "x.npy", "-o", place, "--window", "100000",
                                     preexec_fn=lambda: limit(resource.RLIMIT_FSIZE, 1 << 18))
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), r"^lookback: temporary file in the directory \S+: "
                                                   r"cannot write: File too large\n$")
            self.assertEqual(done.stdout, b"")
        self.assertEqual(sorted(os.listdir(self.directory)), ["3.npy", "4.npy", "x.npy", "y.npy"])

    def test_directory_for_temporary_files(self):
        self.put("x.npy", np.arange(1000)[::-1].copy())
        os.mkdir(self.path("t"))
        for place, message in (("no", "No such file or directory"), ("x.npy", "Not a directory")):
            environment = {**os.environ, "TMPDIR": place}
            self.sort_refused(f"temporary file in the directory {place}: cannot write: {message}",
                              "x.npy", "-o", "-", "--window", "100", env=environment)
            done = self.run_lookback("sort", "3.npy", "-o", "-", env=environment)  # needs no temporary file
            self.assertEqual((done.returncode, done.stdout), (0, b"0\n1\n2\n"))
        done = self.run_lookback("sort", "x.npy", "-o", "-", "--window", "100",
                                 env={**os.environ, "TMPDIR": "t"})
        self.assertEqual(done.stdout.split(), [str(i).encode() for i in range(1000)])
        self.assertEqual(os.listdir(self.path("t")), [])

    def test_signals_leave_nothing(self):
        with open(self.path("x.bin"), "wb") as file:
            file.truncate(1 << 28)
        before = sorted(os.listdir(self.directory))
        for signal_number in signal.SIGINT, signal.SIGTERM:
            child = subprocess.Popen([LOOKBACK, "sort", "x.bin", "--dtype", "u1", "-o", "y.npy",
                                      "--window", "1000"], cwd=self.directory,
                                     stderr=subprocess.PIPE)
            self.addCleanup(child.stderr.close)
            while sorted(os.listdir(self.directory)) == before and child.poll() is None:
                pass
            child.send_signal(signal_number)
            self.assertEqual(child.stderr.read(),
                             b"lookback: interrupted; y.npy was not written\n")
            self.assertEqual(child.wait(), -signal_number)
            self.assertEqual(sorted(os.listdir(self.directory)), before)


if __name__ == "__main__":
    unittest.main()
