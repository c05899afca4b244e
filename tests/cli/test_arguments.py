"""Arguments, --help, --version, info and --json."""

import json
import os
import re
import subprocess
import unittest

import numpy as np

from support import InDirectory, LOOKBACK


class Refused(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(6, dtype=np.int32).reshape(2, 3))
        self.put("f.npy", np.arange(6, dtype=np.float32))
        self.put("0.npy", np.array(1, np.int32))

    def scan_refused(self, message, *arguments):
        self.refused(message, "scan", "x.npy", "-o", "o.npy", *arguments)

    def test_commands(self):
        self.refused("expected a command; see lookback --help")
        for word in "shuffle", "box", "so":  # two letters of three make another word of any
            self.refused(f"{word}: unknown command; expected one of scan, select, partition, unique, rle, "
                         "reduce, reduce-by-key, sort, sat, blur, dof, network, strategies, info, manual", word)
        for word, meant in (("scn", "scan"), ("sacn", "scan"), ("sort-", "sort"), ("uniqe", "unique"),
                            ("reduc-bykey", "reduce-by-key")):
            self.refused(f"{word}: unknown command; did you mean lookback {meant}?", word, "x.npy")
        self.refused("The following argument was not expected: --fast; see lookback --help", "--fast")
        self.refused("The following argument was not expected: --fast; see lookback scan --help",
                     "scan", "x.npy", "--fast")
        self.refused("IN is required; see lookback scan --help", "scan")

    def test_output_names(self):
        self.refused("-o OUT is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                     "scan", "x.npy")
        self.refused("-o o.png: unknown kind of file; expected a name ending in .npy, .npz, .bin or .txt, or - "
                     "for text", "scan", "x.npy", "-o", "o.png")

    def test_empty_names(self):
        self.refused("IN: the name is empty; expected that of a file, or - for standard input",
                     "scan", "", "-o", "o.npy")
        self.refused("-o: the name is empty; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                     "scan", "x.npy", "-o", "")

    def test_operators(self):
        self.scan_refused("--op avg: unknown operator; expected one of sum, product, min, max, and, "
                          "or, xor", "--op", "avg")
        for op in "and", "or", "xor":
            self.refused(f"--op {op}: works on integers only; f.npy is float32",
                         "scan", "f.npy", "-o", "o.npy", "--op", op)
            self.scan_refused(f"--op {op}: works on integers only; --out-dtype is float64",
                              "--op", op, "--out-dtype", "f8")

    def test_types(self):
        types = "expected bool, int8 to int64, uint8 to uint64, or float16 to float64"
        self.scan_refused(f"--out-dtype i3: unknown type; {types}", "--out-dtype", "i3")
        for name, both in (("int", "int32 in C, int64 in NumPy"), ("uint", "uint32 in C, uint64 in NumPy"),
                           ("float", "float32 in C, float64 in NumPy")):
            self.scan_refused(f"--out-dtype {name}: is {both}; expected one of these", "--out-dtype", name)
        self.refused(f"--dtype c8: unknown type; {types}", "scan", "-", "--dtype", "c8")
        self.scan_refused("--dtype int32: is for raw numbers and text; x.npy names its own type",
                          "--dtype", "int32")
        self.refused("--out-dtype int64: f.npy holds float32, which do not fit integers; expected "
                     "a type of floats", "scan", "f.npy", "-o", "o.npy", "--out-dtype", "int64")

    def test_numbers(self):
        self.scan_refused("--init: 'five' is not a number", "--init", "five")
        self.scan_refused("--init: '' is not a number", "--init", "")
        self.scan_refused("--threads -1: expected 0 (all cores) to 1024", "--threads", "-1")
        self.scan_refused("--threads 1025: expected 0 (all cores) to 1024", "--threads", "1025")
        self.scan_refused("--threads: 'many' is not a number", "--threads", "many")
        self.scan_refused("--threads: '1.5' is not an integer; expected int64", "--threads", "1.5")
        self.scan_refused("--window 0: expected 1 to 2^40 bytes", "--window", "0")
        self.scan_refused("--window: '1M' is not a number", "--window", "1M")

    def test_axes(self):
        for axis in "2", "-3":
            self.scan_refused(f"--axis {axis}: x.npy has shape (2, 3); expected -2 to 1",
                              "--axis", axis)
        self.scan_refused("--axis: 'x' is not a number", "--axis", "x")
        self.refused("--axis 0: 0.npy has shape (); expected no axis",
                     "scan", "0.npy", "-o", "o.npy", "--axis", "0")

    def test_a_name_of_two_lines_gives_a_message_of_one(self):
        self.refused("a b.npy: cannot read: No such file or directory",
                     "scan", "a\nb.npy", "-o", "o.npy")

    def test_a_name_does_not_control_the_terminal(self):
        for name, shown in (("\x1b[2J.npy", r"\x1b[2J.npy"), ("a\x7f\t.npy", r"a\x7f\x09.npy"),
                            ("\u009b2J.npy", r"\xc2\x9b2J.npy"), ("\u00e9\u4e2d.npy", "\u00e9\u4e2d.npy")):
            self.refused(f"{shown}: cannot read: No such file or directory",
                         "scan", name, "-o", "o.npy")


class Told(InDirectory):
    def test_help(self):
        examples_of = {"scan": 5, "select": 3, "partition": 2, "unique": 2, "rle": 3,
                       "reduce": 3, "reduce-by-key": 3, "sort": 5, "sat": 3, "blur": 2, "dof": 2, "network": 2,
                       "strategies": 2, "info": 1, "manual": 2}
        for command, examples in ([], 3), *(([name], count) for name, count in examples_of.items()):
            text = self.lookback(*command, "--help").decode()
            self.assertGreaterEqual(text.split("Examples:")[1].count("lookback "), examples)
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_help_names_every_option(self):
        text = self.lookback("scan", "--help").decode()
        for option in ("-o", "--op", "--exclusive", "--init", "--backward", "--axis", "--by-key",
                       "--segments", "--key-dtype", "--dtype",
                       "--out-dtype", "--threads", "--window", "--device", "--strategy", "--json"):
            self.assertRegex(text, rf"(?m)^  {option}\b")
        text = self.lookback("sort", "--help").decode()
        for option in ("-o", "--descending", "--by-key", "--key-dtype", "--keys", "--order", "--dtype",
                       "--threads", "--window", "--device", "--json"):
            self.assertRegex(text, rf"(?m)^  {option}\b")
        text = self.lookback("sat", "--help").decode()
        for option in ("-o", "--exclusive", "--squares", "--out-dtype", "--channels", "--stack",
                       "--window", "--threads", "--json"):
            self.assertRegex(text, rf"(?m)^  {option}\b")

    def test_manual_names_every_option(self):
        page = self.lookback("manual", "man").decode()
        bash = self.lookback("manual", "bash").decode()
        zsh = self.lookback("manual", "zsh").decode()
        commands = re.findall(r"^  (\S+) {2,}\S", self.lookback("--help").decode().split("Subcommands:")[1],
                              re.MULTILINE)
        self.assertGreaterEqual(len(commands), 14)
        for command in commands:
            section = page.split(f".SS lookback {command.replace('-', chr(92) + '-')}\n")[1].split("\n.SS ")[0]
            case = re.search(rf"(?m)^ +{command}\) words=\"(.*)\" ;;$", bash)[1].split()
            options = re.findall(r"^  (?:-\w,)?(--[\w-]+)(?: [A-Z]+)?(?:  |$)",
                                 self.lookback(command, "--help").decode(), re.MULTILINE)
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(option.replace("-", r"\-"), section)
                self.assertIn(option, case)
                self.assertIn(f"'{option}[", zsh.split(f"{command}) _arguments")[1])
        self.refused("KIND fish: expected man, bash or zsh", "manual", "fish")

    def test_bash_completes(self):
        def complete(*words):
            script = (self.lookback("manual", "bash").decode() +
                      f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _lookback; "
                      "echo ${COMPREPLY[@]}")
            return subprocess.run(["bash", "-c", script], cwd=self.directory, capture_output=True,
                                  text=True, check=True).stdout.split()
        self.put("numbers.npy", np.arange(3))
        self.assertEqual(complete("lookback", "red"), ["reduce", "reduce-by-key"])
        self.assertEqual(complete("lookback", "scan", "--ex"), ["--exclusive"])
        self.assertEqual(complete("lookback", "scan", "--op", "m"), ["min", "max", "mean"])
        self.assertEqual(complete("lookback", "scan", "num"), ["numbers.npy"])

    def test_version(self):
        self.assertRegex(self.lookback("--version").decode(), r"^lookback \d+\.\d+\.\d+\n$")

    def test_loads_no_library_that_measures_the_clock(self):
        # Highway's library does so when a program starts, which takes longer than everything else.
        loaded = subprocess.run(["ldd", LOOKBACK], capture_output=True, text=True).stdout
        self.assertIn("libtbb", loaded)
        self.assertNotIn("libhwy", loaded)

    def test_info(self):
        text = self.lookback("info").decode()
        for line in (r"version +\d", r"SIMD +\w", r"cores +\d", r"caches +L1d .*L2 .*L3 ",
                     r"GPUs +(none: \w|.*compute capability \d)"):
            self.assertRegex(text, f"(?m)^{line}")
        if "GPUs     none" in text:
            self.assertEqual(len(text.splitlines()), 5)

    def test_standard_output_that_is_full(self):
        for command in ["info"], ["--version"], ["scan", "--help"]:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([LOOKBACK, *command], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (
                2, b"lookback: standard output: cannot write: No space left on device\n"))


class Json(InDirectory):
    def check(self, report, items):
        done = json.loads(report)
        self.assertEqual(list(done), ["n", "in_type", "type", "device", "threads", "simd", "seconds",
                                      "gb_per_s"])
        self.assertEqual((done["n"], done["type"], done["device"], done["threads"]),
                         (items, "uint64", "cpu", 2))
        simd = re.search(r"SIMD +(\S+)", self.lookback("info").decode())[1]
        self.assertEqual(done["simd"], simd)
        return done

    def test_to_files(self):
        self.put("x.npy", np.zeros(1_000_000, np.uint32))
        done = self.check(self.lookback("scan", "x.npy", "-o", "y.npy", "--out-dtype", "u8", "--json",
                                        "--threads", "2"), 1_000_000)
        moved = 4_000_000 + os.path.getsize(self.path("y.npy"))
        # The rate has three digits behind the point, the time six.
        self.assertAlmostEqual(done["gb_per_s"] * done["seconds"], moved / 1e9,
                               delta=1e-5 + 6e-4 * done["seconds"])

    def test_beside_text_on_standard_error(self):
        done = self.run_lookback("scan", "-", "--dtype", "u8", "--json", "--threads", "2",
                                 stdin=b"1 2 3")
        self.assertEqual((done.returncode, done.stdout), (0, b"1\n3\n6\n"))
        self.check(done.stderr, 3)


if __name__ == "__main__":
    unittest.main()
