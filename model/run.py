#!/usr/bin/python3
"""Checks the models of the protocol with Spin, and of its memory order with z3; docs/model.md
describes them. Exits with 1 if a result is not the expected one.

(It needs the system's Python, which has Debian's python3-z3.)
"""
import sys

import litmus
import litmus_in_place
import litmus_ptx
import litmus_words
import protocol


def main():
    wrong = protocol.check()
    wrong += litmus.check(litmus_ptx.tests() + litmus_words.tests() + litmus_in_place.tests())
    for line in wrong:
        print("model: not as expected:", line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
