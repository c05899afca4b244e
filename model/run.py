#!/usr/bin/python3
"""Checks the models of the protocol, under Spin, and of its memory order, by z3; docs/model.md says
what they are. Exits with 1 if anything comes out otherwise than expected.

(By the system's Python: that is where Debian's python3-z3 is.)
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
