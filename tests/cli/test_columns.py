"""Columns of tables of text, read by --column and written side by side: names and numbers, quotes,
ends of lines, pipes and packed files, and errors that name the line."""

import csv
import gzip
import io
import unittest

import numpy as np

from support import InDirectory

SALES = b"day,item,price\n1,7,5\n1,8,2.5\n2,7,1\n2,9,1\n4,7,3\n"


def table(columns, delimiter=",", quoting=csv.QUOTE_MINIMAL, end="\n"):
    """A table as Python's csv module writes it."""
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(zip(*columns))
    return file.getvalue().encode()


class In(InDirectory):
    def test_by_name_and_number(self):
        self.put("x.csv", SALES)
        headless = SALES.split(b"\n", 1)[1]
        for column, sums in ("price", b"5\n7.5\n8.5\n9.5\n12.5\n"), ("day", b"1\n2\n4\n6\n10\n"):
            self.assertEqual(self.lookback("scan", "x.csv", "-o", "-", "--column", column), sums)
            self.assertEqual(self.lookback("scan", "-", "--column", column, stdin=SALES), sums)
            number = ["day", "item", "price"].index(column) + 1
            self.assertEqual(self.lookback("scan", "-", "--column", number, stdin=headless), sums)
        self.assertEqual(self.lookback("scan", "-", "--column", '"2019"', stdin=b"2020,2019\n1,2\n"), b"2\n")

    def test_every_command_and_kind_of_file(self):
        random = np.random.default_rng(1)
        x = random.integers(-50, 50, 30_000)
        text = table([["id", *range(len(x))], ["a b", *["word, \"word\"\nword"] * len(x)], ["x", *x]])
        self.put("x.csv", text)
        self.put("x.csv.gz", gzip.compress(text))
        self.put("plain", text)
        self.put("x.txt", "\n".join(map(str, x)).encode())
        for command in (["scan"], ["scan", "--backward"], ["scan", "--dtype", "i2"], ["sort"], ["unique"],
                        ["select", "--where", "x > 3"], ["partition", "--where", "x > 3"], ["rle"],
                        ["reduce", "--op", "max"], ["reduce", "--dtype", "f4"], ["sort", "--order"]):
            expected = self.lookback(command[0], "x.txt", "-o", "-", *command[1:])
            for window in 1 << 22, 1000, 13:
                for name in ["x.csv", "x.csv.gz", "plain"] if window == 1000 else ["x.csv"]:
                    got = self.lookback(command[0], name, "-o", "-", "--column", "x", "--window", window,
                                        *command[1:])
                    self.assertEqual(got, expected, (command, name, window))
            for stdin in text, gzip.compress(text):
                got = self.lookback(command[0], "-", "-o", "-", "--column", "x", *command[1:], stdin=stdin)
                self.assertEqual(got, expected, command)

    def test_delimiters_quotes_and_ends_of_line(self):
        x = [5, -3, 1.5, 1e300]
        for delimiter, option in (",", []), (";", [";"]), ("\t", ["tab"]), ("\t", ["\\t"]), (" ", [" "]):
            for quoting in csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC:
                for end in "\n", "\r\n":
                    text = table([["a", *"abcd"], ["b \"q\" ;,", *x], ["c", 1, 2, 3, 4]], delimiter,
                                 quoting, end)
                    for stdin in text, text.rstrip(), b"\xef\xbb\xbf" + text, text.replace(b"\n", b"\n\n"):
                        with self.subTest(text=stdin):
                            options = ["--delimiter", *option] if option else []
                            got = self.lookback("select", "-", "--where", "x < 2", "--column", "b \"q\" ;,",
                                                *options, stdin=stdin)
                            self.assertEqual(got, b"-3\n1.5\n")
        self.put("x.tsv", b"a,b\tc\n1,2\t3\n")
        self.assertEqual(self.lookback("scan", "x.tsv", "-o", "-", "--column", "c"), b"3\n")
        self.assertEqual(self.lookback("scan", "-", "--column", "2", stdin=b' "1" , "2" , "3" \n'), b"2\n")
        self.assertEqual(self.lookback("scan", "-", "--column", "2", stdin=b'5" disk,3\n'), b"3\n")

    def test_records_wherever_blocks_end(self):
        random = np.random.default_rng(2)
        words = ["", "a", 'q"q', "two\nlines", ",", "x" * 300]
        text = table([["n", *range(3000)], ["w", *random.choice(words, 3000)], ["x", *random.random(3000)],
                      ["v", *random.choice(words, 3000)]])
        expected = self.lookback("scan", "-", "--column", "x", "--dtype", "f8", stdin=text)
        self.assertEqual(len(expected.split()), 3000)
        for window in range(8, 60):
            got = self.lookback("scan", "-", "--column", "x", "--dtype", "f8", "--window", window, stdin=text)
            self.assertEqual(got, expected, window)

    def test_long_records_however_they_arrive(self):
        longest = 1 << 20
        for characters, fits in ((longest - 100, True), (longest + 100, False)):
            text = b'a,b\n"' + b"x" * characters + b'",1\n2,3\n'
            self.put("long.csv", text)
            for arguments, stdin in (("long.csv",), b""), (("long.csv", "--window", 64), b""), (("-",), text):
                command = "scan", *arguments, "-o", "-", "--column", "b"
                if fits:
                    self.assertEqual(self.lookback(*command, stdin=stdin), b"1\n4\n")
                else:
                    self.refused(f"{'standard input' if arguments[0] == '-' else arguments[0]}:2: a record "
                                 f"of more than {longest} characters; expected an end of line, or a closing "
                                 "quote", *command, stdin=stdin)

    def test_keys_and_values_of_one_table(self):
        self.put("x.csv", SALES)
        both = ["--column", "item", "--key-column", "day"]
        for name, stdin in ("x.csv", b""), ("-", SALES):
            self.assertEqual(self.lookback("scan", name, "-o", "-", "--by-key", name, *both, stdin=stdin),
                             b"7\n15\n7\n16\n7\n")
            self.assertEqual(self.lookback("sort", name, "-o", "-", "--by-key", name, "--column", "day",
                                           "--key-column", "item", stdin=stdin), b"1\n2\n4\n1\n2\n")
        self.put("days.txt", b"1 1 2 2 4")
        self.assertEqual(self.lookback("scan", "-", "--by-key", "days.txt", "--column", "item", stdin=SALES),
                         b"7\n15\n7\n16\n7\n")
        self.put("items.txt", b"7 8 7 9 7")
        self.assertEqual(self.lookback("scan", "items.txt", "-o", "-", "--by-key", "-", "--key-column", "day",
                                       stdin=SALES), b"7\n15\n7\n16\n7\n")

    def test_empty(self):
        self.assertEqual(self.lookback("scan", "-", "--column", "1", stdin=b""), b"")
        self.assertEqual(self.lookback("scan", "-", "--column", "a", stdin=b"b,a\n"), b"")
        self.assertEqual(self.lookback("scan", "-", "--column", "1", stdin=b"\n\r\n\n"), b"")

    def test_what_is_wrong_with_the_options(self):
        self.put("x.npy", np.arange(3))
        self.put("x.csv", SALES)
        refused = self.refused
        refused("--column a: is for text, such as *.csv; x.npy is none", "scan", "x.npy", "-o", "y.npy",
                "--column", "a")
        refused("--column a: is for text; --format is npy", "scan", "-", "-o", "y.npy", "--column", "a",
                "--format", "npy")
        refused("--delimiter ab: expected one character, as between the fields of a line, or tab",
                "scan", "x.csv", "-o", "y.npy", "--column", "a", "--delimiter", "ab")
        refused("x.csv: column 0: expected a number from 1 on, or a name in the first line",
                "scan", "x.csv", "-o", "y.npy", "--column", "0")
        refused("x.csv: the name of its column is empty; expected one, or a number",
                "scan", "x.csv", "-o", "y.npy", "--column", "")
        refused("x.csv: has no column 'prize'; its first line has 'day', 'item', 'price'",
                "scan", "x.csv", "-o", "y.npy", "--column", "prize")
        refused("--key-column: is for --by-key and --segments",
                "scan", "x.csv", "-o", "y.npy", "--column", "day", "--key-column", "day")
        refused("--key-column: is for --by-key", "sort", "x.csv", "-o", "y.npy", "--key-column", "day")
        refused("x.csv:1:1: 'day,item,price' is not a number; expected --column for one of several columns",
                "scan", "x.csv", "-o", "y.npy")
        refused("IN and --by-key: both are standard input; expected a file for one of them",
                "scan", "-", "--by-key", "-", "--column", "day")

    def test_what_is_wrong_with_the_table(self):
        for column, text, message in (
                ("a", b"", "standard input: is empty; expected a first line with names, for column 'a'"),
                ("a", b"a,b,a\n",
                 "standard input: has more than one column 'a'; expected a name that is there once"),
                ("b", b"a,b\n1,2\n\n3,x\n", "standard input:4, column 'b': 'x' is not a number"),
                ("b", b"a,b\n1,2\n3,4 5\n", "standard input:3, column 'b': '4 5' is not a number"),
                ("b", b"a,b\n1,2\n3,\n", "standard input:3, column 'b': is empty; expected a number, or nan"),
                ("2", b"1,2\n3\n", "standard input:2: has 1 field; expected 2 or more, for column 2"),
                ("3", b"1,2,3\n1,2\n", "standard input:2: has 2 fields; expected 3 or more, for column 3"),
                ("2", b"a,b\n1,2\n", "standard input:1, column 2: 'b' is not a number; where the first line "
                 "has names, give one of them, not the number of its column"),
                ("2", b'"x\n\ny",1\n"z",q\n', "standard input:4, column 2: 'q' is not a number"),
                ("1", b'1\n2\n"3', "standard input:3: a quote is not closed"),
                ("1", b'1\n"2"3\n', "standard input:2: characters between a closing quote and the end of its "
                 "field"),
                ("1", b'1\n"2' + b"\n" * 9_000_000, "standard input:2: a record of more than 1048576 "
                 "characters; expected an end of line, or a closing quote"),
                ("1", b"1\n300\n",
                 "standard input:2, column 1: '300' is out of range for uint8; expected 0 to 255")):
            with self.subTest(message):
                dtype = ["--dtype", "u1"] if "uint8" in message else []
                self.refused(message, "sort", "-", "--column", column, *dtype, stdin=text)
        # The numbers before the wrong line are used.
        done = self.run_lookback("scan", "-", "--column", "2", stdin=b"1,2\n1,3\n1\n1,4\n")
        self.assertEqual((done.returncode, done.stdout), (2, b"2\n5\n"))


class Out(InDirectory):
    def test_runs_side_by_side(self):
        self.put("x.csv", SALES)
        for name, separator in ("o.txt", b" "), ("o.csv", b","), ("o.tsv", b"\t"):
            self.lookback("rle", "x.csv", "-o", name, "--column", "day")
            self.assertEqual(self.tree()[name], b"2 1\n2 2\n1 4\n".replace(b" ", separator))
            self.lookback("reduce-by-key", "x.csv", "x.csv", "-o", name, "--key-column", "day", "--column",
                          "price")
            self.assertEqual(self.tree()[name], b"1 7.5\n2 2\n4 3\n".replace(b" ", separator))
        self.assertEqual(self.lookback("rle", "-", "--delimiter", "tab", stdin=b"5 5 7"), b"2\t5\n1\t7\n")
        self.lookback("scan", "o.csv", "-o", "y.npy", "--column", "2")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), [7.5, 9.5, 12.5])

    def test_folds_of_one_pipe(self):
        done = self.lookback("reduce-by-key", "-", "-", "--key-column", "day", "--column", "price",
                             stdin=SALES)
        self.assertEqual(done, b"1 7.5\n2 2\n4 3\n")

    def test_files_of_their_own_as_before(self):
        self.put("k.txt", b"1 1 2")
        self.put("v.txt", b"1 2 3")
        self.put("k.npy", np.array([1, 1, 2]))
        self.lookback("reduce-by-key", "k.txt", "v.txt", "-o", "k", "--values", "v", "--dtype", "i8",
                      "--key-dtype", "u1")
        self.assertEqual((self.tree()["k"], self.tree()["v"]), (b"\1\2", np.array([3, 3]).tobytes()))
        self.lookback("reduce-by-key", "k.txt", "v.txt", "-o", "k.txt", "--values", "v.txt")
        self.assertEqual((self.tree()["k.txt"], self.tree()["v.txt"]), (b"1\n2\n", b"3\n3\n"))
        self.refused("--values OUT is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                     "reduce-by-key", "k.npy", "k.npy", "-o", "o.npy")
        self.refused("-o OUT is missing; expected a name ending in .npy, .npz, .bin or .txt, or - for text",
                     "reduce-by-key", "k.npy", "k.npy")

    def test_many_runs(self):
        random = np.random.default_rng(3)
        keys = np.repeat(np.arange(40_000) % 7, random.integers(1, 6, 40_000)).astype(np.uint8)
        values = random.integers(-9, 9, len(keys)).astype(np.int16)
        self.put("k.npy", keys)
        self.put("v.npy", values)
        at = np.flatnonzero(np.diff(keys, prepend=np.uint8(99)))
        expected = list(zip(keys[at], np.add.reduceat(values, at)))
        for window in [], ["--window", "777"]:
            lines = self.lookback("reduce-by-key", "k.npy", "v.npy", "-o", "-", *window).split(b"\n")
            self.assertEqual([tuple(map(int, line.split())) for line in lines[:-1]], expected)


if __name__ == "__main__":
    unittest.main()
