"""Numbers that are used as they arrive: results come before the input ends, in bounded memory, and do
not depend on when the input pauses."""

import io
import os
import resource
import subprocess
import unittest

import numpy as np

from support import LOOKBACK, InDirectory


def npy(x):
    file = io.BytesIO()
    np.save(file, x)
    return file.getvalue()


class Conversation(InDirectory):
    """Writes a piece and reads the results back, again and again, while the input stays open."""

    def converse(self, *arguments):
        process = subprocess.Popen([LOOKBACK, *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, bufsize=0)

        def clean_up():
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        self.addCleanup(clean_up)

        def say(text, expected):
            process.stdin.write(text)
            got = b""
            while len(got) < len(expected):
                more = os.read(process.stdout.fileno(), len(expected) - len(got))
                self.assertNotEqual(more, b"")
                got += more
            self.assertEqual(got, expected)

        def end(expected):
            process.stdin.close()
            self.assertEqual(process.stdout.read(), expected)
            self.assertEqual(process.wait(), 0)
        return say, end

    def test_text(self):
        say, end = self.converse("scan", "-")
        say(b"1 2\n", b"1\n3\n")
        say(b"3 4", b"6\n")  # the 4 may go on
        say(b"0\n", b"46\n")
        say(b"0.5 ", b"46.5\n")
        end(b"")

    def test_exclusive(self):
        say, end = self.converse("scan", "-", "--exclusive", "--init", "5", "--out-dtype", "f4")
        say(b"1 2\n", b"5\n6\n")
        say(b"3\n", b"8\n")
        end(b"")

    def test_floats_are_added_one_after_the_other(self):
        say, end = self.converse("scan", "-", "--dtype", "f4")
        x = np.random.default_rng(1).random(300).astype(np.float32)
        sums = [b"%a\n" % float(str(s)) for s in np.cumsum(x)]
        for i in range(0, 300, 3):
            say(b"".join(b"%a " % float(str(v)) for v in x[i:i + 3]), b"".join(sums[i:i + 3]))
        end(b"")

    def test_select(self):
        say, end = self.converse("select", "-", "--where", "x >= 2")
        say(b"1 2 ", b"2\n")
        say(b"1.5 3 2.5 ", b"3\n2.5\n")
        end(b"")

    def test_runs(self):
        say, end = self.converse("rle", "-")
        say(b"1 1 2 ", b"2 1\n")
        say(b"2 2.0 3 ", b"3 2\n")
        end(b"1 3\n")
        say, end = self.converse("unique", "-")
        say(b"1 1 2 ", b"1\n2\n")
        say(b"2 2.0 3 ", b"3\n")
        end(b"")

    def test_folds_by_key(self):
        both = "--key-column", "k", "--column", "v"
        say, end = self.converse("reduce-by-key", "-", "-", *both)
        say(b"k,v\n1,1\n1,2\n2,3\n", b"1 3\n")
        say(b"2,4\n2.5,5\n", b"2 7\n")
        say(b"2.5,0.5\n-0,1\n0,1\n3,1", b"2.5 5.5\n")
        end(b"-0 2\n3 1\n")
        for op, folds in ("first", b"1 1\n2 3\n"), ("last", b"1 2\n2 4\n"), ("mean", b"1 1.5\n2 3.5\n"):
            say, end = self.converse("reduce-by-key", "-", "-", *both, "--op", op)
            say(b"k,v\n1,1\n1,2\n2,3\n", folds[:-4] if op != "mean" else folds[:6])
            end(folds[-4 if op != "mean" else 6:].replace(b"2 4", b"2 3").replace(b"2 3.5", b"2 3"))
        np.save(self.path("k.npy"), [7, 7, 8, 8, 9])
        say, end = self.converse("reduce-by-key", self.path("k.npy"), "-", "--op", "max")
        say(b"1 2 3 ", b"7 2\n")
        say(b"2.5 1 ", b"8 3\n")
        end(b"9 1\n")

    def test_raw(self):
        say, end = self.converse("scan", "-", "--dtype", ">i2", "--format", "raw", "-o", "/dev/stdout")
        say(b"\0\1\0\2\0", b"\1\0\3\0")
        say(b"\3", b"\6\0")
        end(b"")

    def test_npy(self):
        say, end = self.converse("scan", "-", "--format", "npy", "-o", "-")
        x = np.arange(1, 7, dtype=np.int32).reshape(2, 3)
        text = npy(x)
        result = npy(np.cumsum(x, dtype=np.int32))
        say(text[:-12], result[:-12])
        say(text[-12:-7], result[-12:-8])
        say(text[-7:], result[-8:])
        end(b"")


class Windows(InDirectory):
    def test_any_window_gives_the_same(self):
        random = np.random.default_rng(1)
        words = [str(i) for i in random.integers(-3, 4, 3000)]
        words[2000] = "0.5"
        text = ("\n \t" + "\n".join(words)).encode()
        for command in (["scan"], ["scan", "--exclusive"], ["scan", "--op", "max"], ["rle"],
                        ["unique"], ["select", "--where", "x > 0"],
                        ["select", "--where", "x % 2 == 1"],
                        ["reduce", "--dtype", "f4"], ["reduce", "--dtype", "f8", "--op", "mean"]):
            expected = self.lookback(command[0], "-", *command[1:], stdin=text)
            self.assertGreater(len(expected), 1)
            for window in 1, 77, 1000, 20_000:
                self.assertEqual(self.lookback(command[0], "-", "--window", window, *command[1:],
                                               stdin=text), expected, (command, window))

    def test_folds_by_key(self):
        random = np.random.default_rng(4)
        keys = np.repeat(np.arange(700) % 5, random.integers(1, 9, 700))
        values = random.integers(-3, 4, len(keys)).astype(str)
        keys = keys.astype(str)
        keys[1800], values[1000] = "0.5", "0.25"
        lines = [",".join(pair) for pair in zip(keys, values)]
        text = ("k,v\n" + "\n".join(lines)).encode()
        self.put("k.txt", " ".join(keys).encode())
        self.put("v.txt", " ".join(values).encode())
        both = "--key-column", "1", "--column", "v"
        for op in "sum", "product", "min", "mean", "count", "first", "last":
            for types in [], ["--dtype", "f4"]:
                more = ["--op", op, *types]
                expected = self.lookback("reduce-by-key", "k.txt", "v.txt", "-o", "-", *more)
                self.assertGreater(len(expected), 2000)
                for window in 1, 77, 20_000:
                    sized = *more, "--window", window
                    got = self.lookback("reduce-by-key", "-", "-", *both, *sized, stdin=text)
                    self.assertEqual(got, expected, sized)
                    self.lookback("reduce-by-key", "-", "v.txt", "--key-column", "k", *sized, "-o", "o.txt",
                                  "--values", "f.txt", stdin=text)
                    tree = self.tree()
                    lines = zip(tree["o.txt"].split(), tree["f.txt"].split())
                    self.assertEqual(b"".join(b"%b %b\n" % line for line in lines), expected, sized)

    def test_bools(self):
        arguments = "--dtype", "bool", "--op", "min", "--exclusive"
        self.assertEqual(self.lookback("scan", "-", *arguments, stdin=b"1 0 1"), b"1\n1\n0\n")

    def test_words_longer_than_a_part(self):
        rng = np.random.default_rng(2)
        some = " ".join(map(str, rng.random(60_000)))
        text = f"{some} 0.{'0' * 900_000}1 {some}".encode()
        one, many = (self.lookback("reduce", "-", "--dtype", "float64", "--threads", threads,
                                   stdin=text) for threads in (1, 8))
        self.assertEqual(one, many)

    def test_partition_and_indices(self):
        text = b"5 1 7 2.5 0"
        self.lookback("partition", "-", "--where", "x > 2", "-o", "a.txt", "--rest", "b.txt",
                      "--window", 1, stdin=text)
        self.assertEqual((self.tree()["a.txt"], self.tree()["b.txt"]), (b"5\n7\n2.5\n", b"1\n0\n"))
        self.assertEqual(self.lookback("select", "-", "--where", "x > 2", "--indices-out", "i.npy",
                                       "--window", 1, stdin=text), b"5\n7\n2.5\n")
        np.testing.assert_array_equal(np.load(self.path("i.npy")), [0, 2, 3])

    def test_long_streams_on_several_threads(self):
        x = np.random.default_rng(2).integers(-10**12, 10**12, 400_000)
        text = "\n".join(map(str, x)).encode()
        for threads in 1, 2, 5:
            got = self.lookback("scan", "-", "--threads", threads, stdin=text)
            np.testing.assert_array_equal(np.array(got.split(), np.int64), np.cumsum(x))
        floats = text + b" 0.5"
        got = self.lookback("scan", "-", "--op", "max", stdin=floats).split()
        self.assertEqual(len(got), len(x) + 1)
        np.testing.assert_array_equal(np.array(got, np.float64),
                                      np.maximum.accumulate(np.append(x, 0.5)))
        # All results have one type, because the file has to have one.
        self.lookback("scan", "-", "--op", "max", "-o", "x.npy", stdin=floats)
        np.testing.assert_array_equal(np.load(self.path("x.npy")),
                                      np.maximum.accumulate(np.append(x, 0.5)), strict=True)

    def test_raw_and_npy_of_any_length(self):
        x = np.random.default_rng(3).integers(0, 100, 300_001).astype(np.uint16)
        for options, stdin in ((["--dtype", "u2", "--format", "raw"], x.tobytes()),
                               (["--format", "npy"], npy(x)),
                               (["--format", "npy"], npy(x.reshape(1, -1, order="F"))),
                               (["--format", "npy"], npy(np.asfortranarray(x[:300_000].reshape(3, -1))))):
            for window in [], ["--window", 1001]:
                self.assertEqual(self.lookback("scan", "-", "-o", "y.npy", "--out-dtype", "u8",
                                               *options, *window, stdin=stdin), b"")
                y = np.load(self.path("y.npy"))
                np.testing.assert_array_equal(y, np.cumsum(x[:len(y)], dtype=np.uint64), strict=True)
                self.assertGreaterEqual(len(y), 300_000)
        self.assertEqual(self.lookback("select", "-", "--format", "npy", "-o", "-", "--where",
                                       "x < 50", stdin=npy(x)), npy(x[x < 50]))

    def test_memory_is_bounded(self):
        process = subprocess.Popen(f"yes 12345 | head -c 400000000 | {LOOKBACK} scan - | tail -1",
                                   shell=True, stdout=subprocess.PIPE, cwd=self.directory)
        out = process.stdout.read()
        process.stdout.close()
        process.wait()
        self.assertEqual(out, b"%d\n" % (12345 * (400_000_000 // 6) + 1234))
        if "LOOKBACK_SANITIZER" not in os.environ:
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # KiB
            self.assertLess(peak, 150_000)

    def test_memory_of_folds_by_key_is_bounded(self):
        count = 20_000_000
        process = subprocess.Popen(f"yes 7,12345 | head -{count} | {LOOKBACK} reduce-by-key - - --key-column 1 "
                                   "--column 2", shell=True, stdout=subprocess.PIPE, cwd=self.directory)
        out = process.stdout.read()
        process.stdout.close()
        process.wait()
        self.assertEqual(out, b"7 %d\n" % (12345 * count))
        if "LOOKBACK_SANITIZER" not in os.environ:
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # KiB
            self.assertLess(peak, 150_000)

    def test_it_ends_when_its_output_is_closed(self):
        done = subprocess.run(f"yes 1 | {LOOKBACK} scan - | head -2", shell=True,
                              capture_output=True, timeout=100, check=False)
        self.assertEqual((done.stdout, done.stderr), (b"1\n2\n", b""))


class Refused(InDirectory):
    def test_what_comes_before_is_written(self):
        done = self.run_lookback("scan", "-", stdin=b"1 2\n3 x")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, b"1\n3\n6\n", b"lookback: standard input:2:3: 'x' is not a number\n"))
        # With threads, and with small windows.
        text = b"12\n" * 200_000 + b"7 x\n" + b"12\n" * 200_000
        for more in [], ["--threads", "3"], ["--window", "1000"]:
            done = self.run_lookback("scan", "-", *more, stdin=text)
            self.assertEqual((done.returncode, done.stdout.count(b"\n")), (2, 200_001))
            self.assertEqual(done.stderr,
                             b"lookback: standard input:200001:3: 'x' is not a number\n")

    def test_no_end_of_a_number(self):
        self.refused("standard input:1:3: a word of more than 1048576 characters; expected numbers "
                     "between white space", "scan", "-", "--dtype", "f8", "-o", "y.npy",
                     stdin=b"1 " + b"0" * 3_000_000)
        # The same if all of it is there at once.
        self.put("long.txt", b"1 " + b"0" * 1_048_577 + b" 2")
        self.refused("long.txt:1:3: a word of more than 1048576 characters; expected numbers "
                     "between white space", "scan", "long.txt", "--dtype", "f8", "-o", "y.npy")
        self.put("long.txt", b"1 " + b"0" * 1_048_576 + b" 2")
        self.lookback("scan", "long.txt", "--dtype", "f8", "-o", "y.npy")
        self.assertEqual(np.load(self.path("y.npy")).tolist(), [1, 1, 3])

    def test_keys_without_values(self):
        self.put("3.txt", b"1 2 3")
        self.put("4.npy", np.arange(4))
        for keys, values, stdin, message in (
                ("3.txt", "4.npy", b"", "3.txt: ends after 3 numbers, 4.npy does not"),
                ("4.npy", "3.txt", b"", "3.txt: ends after 3 numbers, 4.npy does not"),
                ("-", "4.npy", b"1", "-: ends after 1 number, 4.npy does not"),
                ("4.npy", "-", b"", "-: ends after 0 numbers, 4.npy does not")):
            self.refused(message + "; expected a key for each value", "reduce-by-key", keys, values, "-o",
                         "o.txt", stdin=stdin)

    def test_wrong_lengths(self):
        x = npy(np.arange(4, dtype=np.int32))
        self.refused("standard input: truncated: shape (4) of int32 takes 16 bytes, 14 came",
                     "scan", "-", "--format", "npy", "-o", "y.npy", stdin=x[:-2])
        self.refused("standard input: too long: shape (4) of int32 takes 16 bytes, more came",
                     "scan", "-", "--format", "npy", "-o", "y.npy", stdin=x + b"1")
        self.refused("standard input: truncated: the header takes 128 bytes, the file holds 50",
                     "scan", "-", "--format", "npy", "-o", "y.npy", stdin=x[:50])
        self.refused("standard input: 7 bytes; expected a multiple of 2, the size of int16",
                     "scan", "-", "--format", "raw", "--dtype", "i2", "-o", "y.npy", stdin=b"1234567")


if __name__ == "__main__":
    unittest.main()
