"""The conditions of select, compared with NumPy and with exact fractions for each number."""

import fractions
import itertools
import operator
import unittest

import numpy as np

from support import FLOATS, INTEGERS, InDirectory

COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
               "==": operator.eq, "!=": operator.ne}


def numbers(dtype, size, random):
    """Small numbers, so that comparisons may be true or false, and the ends of the type's range."""
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
    """A random condition: its text, and the numbers of an array for which it holds."""

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


class Conditions(InDirectory):
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


class Exact(InDirectory):
    """Numbers are compared as real numbers, whatever their type."""

    def check(self, x, where, kept):
        self.put("in.npy", x)
        self.lookback("select", "in.npy", "-o", "out.npy", "--where", where)
        y = np.load(self.path("out.npy"))
        self.assertEqual(y.tobytes(), x[np.array(kept, bool)].tobytes(), (x.dtype, where))

    def test_integers_and_any_number(self):
        random = np.random.default_rng(5)
        literals = ["0", "-0", "0.5", "-0.5", "1.5", "-1.5", "256", "-129", "127.9999", "1e2", "1e400", "-1e400",
                    "inf", "-inf", "+7", "007.0", "1e-400", ".5", "5.", "12e-1", "0.00", "65535.5",
                    "9223372036854775807", "9223372036854775807.5", "9223372036854775808",
                    "18446744073709551615", "18446744073709551615.1", "-9223372036854775808",
                    "-9223372036854775808.1", "-9223372036854775809", "1e19", "99999999999999999999"]
        for name in "int8", "uint8", "uint16", "int64", "uint64":
            x = numbers(name, 300, random)
            for literal in literals:
                value = (float(literal) if "inf" in literal
                         else fractions.Fraction(literal))
                for op in "<=", "!=":
                    self.check(x, f"x {op} {literal}", [COMPARISONS[op](int(i), value) for i in x])

    def test_doubles_and_large_whole_numbers(self):
        for dtype, bits in (np.float64, 53), (np.float32, 24):
            x = np.array([2**bits - 1, 2**bits, 2**bits + 2, -2**bits, np.inf, -np.inf, np.nan, 2.0**100,
                          np.finfo(dtype).max], dtype)
            for value in (2**bits - 1, 2**bits, 2**bits + 1, 2**bits + 2, 2**100, 2**100 + 1, 10**400,
                          int(np.finfo(dtype).max), int(np.finfo(dtype).max) + 1):
                for sign, op in itertools.product((1, -1), ("<", ">", "==")):
                    self.check(x, f"x {op} {sign * value}",
                               [op == "!=" if i != i else COMPARISONS[op](float(i), sign * value)
                                for i in x])

    def test_fractions_are_the_nearest_number(self):
        for dtype in np.float16, np.float32, np.float64:
            x = np.array([0.1, 0.2, 0.3], dtype)
            self.check(x, "x == 0.1", [True, False, False])
            self.check(x, "x <= 0.2", [True, True, False])
            self.check(x, "x > 1e-1", [False, True, True])
        self.check(np.array([65504, np.inf], np.float16), "x < 7e4", [True, False])
        self.check(np.array([2048, 2050], np.float16), "x > 2049", [False, True])

    def test_sizes_and_infinities(self):
        random = np.random.default_rng(6)
        for name in INTEGERS + FLOATS:
            x = numbers(name, 2000, random)
            size = np.abs(x.astype(object) if name in INTEGERS else x)
            for op, literal in itertools.product(("<", ">=", "=="), ("3", "0", "-1", "2.5", "128", "inf", "-inf")):
                self.check(x, f"abs(x) {op} {literal}", COMPARISONS[op](size, float(literal)))
            self.check(x, "1 < abs(x) <= 5", (size > 1) & (size <= 5))
            self.check(x, "isinf(x) or x == 1", np.isinf(x) | (x == 1))
            self.check(x, "not isinf(x)", ~np.isinf(x))

    def test_remainders(self):
        random = np.random.default_rng(7)
        for name in INTEGERS + FLOATS:
            x = numbers(name, 9000, random)
            as_numpy = x.astype(object) if name in INTEGERS else x.astype(np.float64)
            with np.errstate(invalid="ignore"):
                for divisor in 1, 3, 300, 2**53:
                    left = as_numpy % divisor
                    self.check(x, f"x % {divisor} == 1", left == 1)
                    self.check(x, f"not (0.5 < x%{divisor}<2.0) and x != 2 or isnan(x)",
                               ~((left > 0.5) & (left < 2)) & (x != 2) | np.isnan(x))

    def test_whatever_text_holds(self):
        for where in "x > 1.5", "x < 300 and x > 1", "abs(x) == 2", "x % 2 == 0":
            for text in b"1 2", b"1.0 2", b"1 2 1e3 1000000000000000000001" if "300" in where else b"2":
                self.assertEqual(self.lookback("select", "-", "--where", where, stdin=text), b"2\n")


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
        operand = "expected x, abs(x), a number, isnan(x), isinf(x), 'not' or '(', found"
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
                ("3 < 4", "5: expected x or abs(x), found '4'"),
                ("x % 0 == 1", "5: expected a whole number from 1 to 2^53, found '0'"),
                ("x % 1.5 == 1", "5: expected a whole number from 1 to 2^53, found '1.5'"),
                ("x % -2 == 1", "5: expected a whole number from 1 to 2^53, found '-2'"),
                ("x % 2", "6: expected <, <=, >, >=, == or !=, found the end"),
                ("abs(3) < 1", "5: expected 'x', found '3'"),
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
        # For any type: whether a condition is valid must not depend on the data.
        for file in "x.npy", "f.npy":
            self.select_refused("5: '0x10' is not a number", "x > 0x10", file)
            self.select_refused("5: '1e' is not a number", "x > 1e", file)
            self.select_refused("6: nothing compares with 'nan'; expected isnan(x)", "x == nan", file)

if __name__ == "__main__":
    unittest.main()
