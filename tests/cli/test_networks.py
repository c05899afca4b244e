"""lookback network: what it prints, and its drawing."""

import unittest
import xml.etree.ElementTree as xml

from support import InDirectory


class Networks(InDirectory):
    def figures(self, *arguments):
        lines = self.lookback("network", *arguments).decode().splitlines()
        return {line[:11].strip(): line[11:] for line in lines[:-1]}, lines[-1]

    def test_figures(self):
        shown, last = self.figures("kogge-stone", "16")
        self.assertEqual((shown["network"], shown["inputs"]), ("kogge-stone", "16"))
        self.assertEqual((shown["depth"], shown["operators"], shown["fan-out"]), ("4", "49", "4"))
        self.assertEqual(last, "depth + operators  53 (at least 30)")

    def test_one_input(self):
        shown, last = self.figures("brent-kung", "1")
        self.assertEqual((shown["depth"], shown["operators"]), ("0", "0"))
        self.assertEqual(last, "depth + operators  0 (at least 0)")

    def test_sorting_networks(self):
        for name, comparators in ("bitonic", "80"), ("odd-even-merge", "63"):
            lines = self.lookback("network", name, "16", "-o", "drawing.svg").decode().splitlines()
            shown = dict(line.split(maxsplit=1) for line in lines)
            self.assertEqual((shown["network"], shown["inputs"]), (name, "16"))
            self.assertEqual((shown["depth"], shown["comparators"]), ("10", comparators))
            circles = xml.parse(self.path("drawing.svg")).findall(
                ".//{http://www.w3.org/2000/svg}circle")
            self.assertEqual(len(circles), 2 * int(comparators))
        self.assertIn(b"comparators  0\n", self.lookback("network", "bitonic", "1"))
        self.refused("N 4097: expected 1 to 4096 inputs", "network", "bitonic", "4097")

    def test_drawing(self):
        self.figures("radix-4-sklansky", "16", "-o", "drawing.svg")
        tree = xml.parse(self.path("drawing.svg"))
        circles = tree.findall(".//{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(circles), 36)
        with open(self.path("drawing.svg"), "rb") as file:
            self.assertEqual(self.lookback("network", "radix-4-sklansky", "16", "-o", "-"),
                             file.read())

    def test_refused(self):
        self.refused("NAME bubble: unknown network; expected serial, kogge-stone, sklansky, "
                     "brent-kung, reduce-then-scan, radix-4-brent-kung, radix-4-raking, "
                     "radix-4-sklansky, hierarchical, bitonic, odd-even-merge", "network", "bubble", "16")
        for n in "0", "4097":
            self.refused(f"N {n}: expected 1 to 4096 inputs", "network", "serial", n)
        self.refused("N: 'x' is not a number", "network", "serial", "x")
        self.refused("N is required; see lookback network --help", "network", "serial")
        self.refused("no/where.svg: cannot write: No such file or directory",
                     "network", "serial", "4", "-o", "no/where.svg")


if __name__ == "__main__":
    unittest.main()
