"""A litmus test: a few operations of some threads of the drivers on the same memory, and an outcome
that must not happen; and the same program with one operation weaker at a time. Each weaker program
must allow the outcome; if one does not, the test says why that operation may be weaker.
"""
import dataclasses

from ptx import Event, Execution, Program

# (gpu, block)
HERE, OTHER_BLOCK, OTHER_GPU = (0, 0), (0, 1), (1, 2)
RELAXED = dict(order="relaxed", scope="gpu")
RELEASE = dict(order="release", scope="gpu")
ACQUIRE = dict(order="acquire", scope="gpu")
BLOCK_RELEASE = dict(order="release", scope="cta")
BLOCK_ACQUIRE = dict(order="acquire", scope="cta")


def read(name, thread, *parts, **how):
    return Event(name, thread, "read", parts, **how)


def write(name, thread, *parts, **how):
    return Event(name, thread, "write", parts, **how)


def fence(name, thread, order="sc", scope="gpu"):
    return Event(name, thread, "fence", (), order, scope)


def barrier(name, thread):
    """A barrier of the threads of a block: of those whose names are the same before the point."""
    return Event(name, thread, "barrier")


def add(name, thread, part, reduction=False, **how):
    """An atomic addition: a read and a write."""
    return [read(name + "_old", thread, part, reduction=reduction, **how),
            write(name, thread, part, rmw=name + "_old", **how)]


@dataclasses.dataclass
class Weaker:
    what: str
    program: Program
    reason: str = ""  # why the outcome is still impossible


@dataclasses.dataclass
class Test:
    """`outcome`: pairs (read, write), or (read, write, part): the read returns what the write
    wrote. The last pair must not hold if all others do."""
    name: str
    where: str
    program: Program
    outcome: list
    weaker: list


def changed(program, what, name, reason="", **how):
    return Weaker(what, program.replace(name, **how), reason)


def left_out(program, what, *names, reason=""):
    return Weaker(what, program.without(*names), reason)


def check(tests):
    """Prints a table; returns the tests that had another result than expected."""
    wrong = []
    for test in tests:
        print(f"\n{test.name} ({test.where})")
        for what, program, reason, expected in [("as written", test.program, "", False)] + [
                (w.what, w.program, w.reason, not w.reason) for w in test.weaker]:
            possible = Execution(program).possible(test.outcome)
            print(f"    {what:52} {'BAD OUTCOME' if possible else 'safe':12}"
                  f"{reason}{'' if possible == expected else '   NOT EXPECTED'}", flush=True)
            if possible != expected:
                wrong.append(f"z3: {test.name}: {what}: the bad outcome is "
                             f"{'possible' if possible else 'impossible'}")
    return wrong
