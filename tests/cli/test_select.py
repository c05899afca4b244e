"""select and its conditions, against NumPy."""

import json
import operator
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory

SIZES = [0, 1, 2, 17, 1000, 200_003]
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
               "==": operator.eq, "!=": operator.ne}


def numbers(dtype, size, random):
    """Small ones, so that comparisons come out either way, and the ends of the type's range."""
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        x = random.integers(max(limits.min, -20), 20, size).astype(dtype)
        special = np.array([limits.min, limits.max], dtype)
    else:
        tiny = np.finfo(dtype).smallest_subnormal
        x = (random.integers(-20, 20, size) / 2).astype(dtype)
        special = np.array([np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, tiny, -tiny], dtype)
    return np.where(random.random(size) < 0.2, random.choice(special, size), x)


class Condition:
    """A random condition: its text, and what it says of an array."""

    def __init__(self, dtype, random):
        self.dtype, self.random = dtype, random

    def literal(self):
        return str(numbers(self.dtype, 1, self.random)[0])

    def comparable(self):
        literal = self.literal()
        return self.comparable() if "nan" in literal else (literal, np.dtype(self.dtype).type(literal))

    def comparison(self):
        op, value = self.random.choice(list(COMPARISONS)), self.comparable()
        match self.random.integers(4):
            case 0: return f"{value[0]} {op} x", lambda x: COMPARISONS[op](value[1], x)
            case 1:
                op2, value2 = self.random.choice(list(COMPARISONS)), self.comparable()
                return (f"{value[0]}{op}x{op2}{value2[0]}",
                        lambda x: COMPARISONS[op](value[1], x) & COMPARISONS[op2](x, value2[1]))
            case 2 if self.random.random() < 0.5: return "isnan( x )", np.isnan
            case _: return f"x{op}{value[0]}", lambda x: COMPARISONS[op](x, value[1])

    def make(self, depth):
        if depth == 0:
            return self.comparison()
        a, b = self.make(depth - 1), self.make(depth - 1)
        match self.random.integers(3):
            case 0: return f"({a[0]}) and ({b[0]})", lambda x: a[1](x) & b[1](x)
            case 1: return f"({a[0]})or({b[0]})", lambda x: a[1](x) | b[1](x)
            case _: return f"not ({a[0]})", lambda x: ~a[1](x)


class Select(InDirectory):
    def select(self, x, where, *arguments):
        self.put("in.npy", x)
        self.assertEqual(
            self.lookback("select", "in.npy", "-o", "out.npy", "--where", where, *arguments), b"")
        return np.load(self.path("out.npy"))

    def check(self, x, where, kept):
        with self.subTest(dtype=x.dtype, size=len(x), where=where):
            y = self.select(x, where)
            self.assertEqual(y.dtype, x.dtype)
            self.assertEqual(y.tobytes(), x[kept].tobytes())

    def test_random_conditions(self):
        random = np.random.default_rng(1)
        for name in INTEGERS + FLOATS:
            x = numbers(name, 5000, random)
            for depth in 0, 0, 0, 0, 1, 1, 2, 2, 3, 4:
                where, kept = Condition(name, random).make(depth)
                self.check(x, where, kept(x))

    def test_sizes(self):
        random = np.random.default_rng(2)
        for name in INTEGERS + FLOATS:
            for size in SIZES:
                x = numbers(name, size, random)
                self.check(x, "x > 7", x > 7)  # one interval
                self.check(x, "x != 7", x != 7)  # all but one
                self.check(x, "x < 2 or 5 <= x < 9 or x == 12",
                           (x < 2) | (5 <= x) & (x < 9) | (x == 12))

    def test_all_and_none(self):
        random = np.random.default_rng(3)
        for name in INTEGERS + FLOATS:
            x = numbers(name, 1000, random)
            for where in "x < 3 or x >= 3 or isnan(x)", "not (x < 3 and x > 3)", "x != 3 or x == 3":
                self.check(x, where, np.full(len(x), True))
            self.check(x, "x < 3 and x > 3", np.full(len(x), False))

    def test_nan(self):
        x = np.array([1, np.nan, 3, np.nan, np.inf, -np.inf], np.float32)
        for where, kept in (("isnan(x)", np.isnan(x)), ("not isnan(x)", ~np.isnan(x)),
                            ("x < 2", x < 2), ("not x < 2", ~(x < 2)), ("x != 1", x != 1),
                            ("x == inf", x == np.inf), ("-inf < x < inf", np.isfinite(x))):
            self.check(x, where, kept)

    def test_and_binds_more_than_or(self):
        x = np.arange(10)
        for where, kept in (("x < 2 or x > 3 and x > 8", (x < 2) | (x > 8)),
                            ("x > 3 and x > 8 or x < 2", (x < 2) | (x > 8)),
                            ("(x < 2 or x > 3) and x > 1", x > 3),
                            ("not x < 2 and x < 5", (x >= 2) & (x < 5)), ("not not x < 2", x < 2)):
            self.check(x, where, kept)

    def test_white_space(self):
        x = np.arange(10)
        for where in ("x\t<\t2\tor\tx\t>\t8", "\tx<2\nor\r\nx>8 ", "x<2 \v or\fx>8"):
            self.check(x, where, (x < 2) | (x > 8))

    def test_numbers_of_the_type(self):
        x = np.array([0.1, 0.2], np.float32)
        self.check(x, "x == 0.1", [True, False])
        limit = 2**64 - 1
        self.check(np.array([limit, limit - 1], np.uint64), f"x >= {limit}", [True, False])

    def test_text(self):
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1", stdin=b"3 1 2"), b"3\n2\n")
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1.5", "--dtype", "f4",
                                       stdin=b"1 2 3 nan"), b"2\n3\n")
        self.assertEqual(self.lookback("select", "-", "--where", "x > 1", stdin=b""), b"")

    def test_raw_and_unaligned(self):
        x = np.arange(1000, dtype=np.int32)
        self.put("x.bin", x)
        self.lookback("select", "x.bin", "--dtype", "i4", "-o", "y.bin", "--where", "x >= 998")
        self.assertEqual(self.tree()["y.bin"], x[998:].tobytes())
        header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {x.shape}}}".ljust(81)
        self.put("z.npy", np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") +
                 header.encode() + x.tobytes())
        self.assertEqual(self.lookback("select", "z.npy", "-o", "-", "--where", "x < 2"), b"0\n1\n")

    def test_output_may_be_the_input(self):
        x = np.arange(3_000_000)
        self.put("x.npy", x)
        self.lookback("select", "x.npy", "-o", "x.npy", "--where", "x >= 10")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), x[10:], strict=True)

    def test_threads_and_json(self):
        x = np.random.default_rng(4).random(500_000)
        for threads in 0, 1, 2:
            np.testing.assert_array_equal(self.select(x, "x < 0.5", "--threads", threads), x[x < 0.5])
        done = json.loads(self.lookback("select", "in.npy", "-o", "out.npy", "--where", "x < 0.5",
                                        "--json"))
        self.assertEqual(list(done), ["n", "kept", "type", "device", "threads", "simd", "seconds",
                                      "gb_per_s"])
        self.assertEqual((done["n"], done["kept"]), (500_000, (x < 0.5).sum()))
        moved = x.nbytes + len(self.tree()["out.npy"])
        self.assertAlmostEqual(done["gb_per_s"] * done["seconds"], moved / 1e9, delta=1e-4)


class Refused(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(6, dtype=np.int32))
        self.put("f.npy", np.arange(6, dtype=np.float32))
        self.put("2.npy", np.zeros((2, 3)))
        self.put("0.npy", np.array(1.0))

    def select_refused(self, message, where, file="x.npy"):
        self.refused(f"--where, column {message}", "select", file, "-o", "o.npy", "--where", where)

    def test_conditions(self):
        operand = "expected x, a number, isnan(x), 'not' or '(', found"
        sign = "expected <, <=, >, >=, == or !=, found"
        for where, message in (
                ("", f"1: {operand} the end"),
                ("   ", f"4: {operand} the end"),
                ("x\t>\t", "5: expected a number, found the end"),
                ("y > 3", f"1: {operand} 'y'"),
                ("x > 3 and", f"10: {operand} the end"),
                ("x > 3 or or x < 2", f"10: {operand} 'or'"),
                ("x", f"2: {sign} the end"),
                ("x = 3", f"3: {sign} '='"),
                ("x => 3", f"3: {sign} '='"),
                ("3", f"2: {sign} the end"),
                ("x > ", "5: expected a number, found the end"),
                ("x > x", "5: expected a number, found 'x'"),
                ("3 < 4", "5: expected 'x', found '4'"),
                ("x > 3 x", "7: expected 'and', 'or' or the end, found 'x'"),
                ("x > 3 && x < 5", "7: expected 'and', 'or' or the end, found '&&'"),
                ("x > 3)", "6: expected 'and', 'or' or the end, found ')'"),
                ("1 < x < 3 < 4", "11: expected 'and', 'or' or the end, found '<'"),
                ("(x > 3", "7: expected ')', found the end"),
                ("isnan", "6: expected '(', found the end"),
                ("isnan(3)", "7: expected 'x', found '3'"),
                ("x > 3\x01", r"5: '3\x01' is not a number"),
                ("(" * 101, f"101: expected at most 100 levels, found '('"),
                ("not " * 101, f"401: expected at most 100 levels, found 'not'")):
            with self.subTest(where):
                self.select_refused(message, where)

    def test_numbers(self):
        self.select_refused("5: '0.5' is not an integer; expected int32", "x > 0.5")
        self.select_refused("5: '3000000000' is out of range for int32; expected -2147483648 to "
                            "2147483647", "x > 3000000000")
        self.select_refused("5: '1e400' is out of range for float32; expected "
                            "-3.4028235e+38 to 3.4028235e+38", "x > 1e400", "f.npy")
        self.select_refused("5: '0x10' is not a number", "x > 0x10")
        self.select_refused("6: nothing compares with 'nan'; expected isnan(x)", "x == nan", "f.npy")

    def test_dimensions(self):
        self.refused("2.npy: has shape (2, 3); expected one dimension",
                     "select", "2.npy", "-o", "o.npy", "--where", "x > 3")
        self.refused("0.npy: has shape (); expected one dimension",
                     "select", "0.npy", "-o", "o.npy", "--where", "x > 3")

    def test_arguments(self):
        self.refused("--where is required; see lookback select --help", "select", "x.npy", "-o", "o.npy")
        self.refused("-o OUT is missing; expected a name ending in .npy, .bin or .txt, or - for text",
                     "select", "x.npy", "--where", "x > 3")
        self.refused("IN: the name is empty; expected that of a file, or - for standard input",
                     "select", "", "-o", "o.npy", "--where", "x > 3")
        self.refused("no.npy: cannot read: No such file or directory",
                     "select", "no.npy", "-o", "o.npy", "--where", "x > 3")
        self.refused("no/o.npy: cannot write: No such file or directory",
                     "select", "x.npy", "-o", "no/o.npy", "--where", "x > 3")
        self.refused("/dev/full: cannot write: No space left on device",
                     "select", "x.npy", "-o", "/dev/full", "--where", "x > 3")


if __name__ == "__main__":
    unittest.main()
