"""The memory model of PTX as constraints for z3: do the axioms allow an execution in which something
bad happens?

After the chapter "Memory Consistency Model" of the PTX ISA, whose terms are used here, and Lustig,
Sahasrabuddhe & Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS
2019). A program is a list of events, few enough to try all executions. An execution decides which
write each read returns (rf), the order of the writes to one place (co), and the order of the fences
of kind sc. All other relations follow from these. The axioms only forbid, so a relation may be any
that has the required pairs and is closed as it should be.
"""
import dataclasses
import itertools

import z3


@dataclasses.dataclass(frozen=True)
class Event:
    """`parts`: the pieces of memory that the access touches; two accesses overlap if they share
    one. `order`: weak, relaxed, acquire, release, acq_rel, sc; `proxy`: how memory is reached. A
    reduction (red) is an atomic that returns nothing."""
    name: str
    thread: str
    kind: str  # read, write, fence, barrier, proxy_fence
    parts: tuple = ()
    order: str = "weak"
    scope: str = ""
    rmw: str = ""  # for the write of an atomic operation: the name of its read
    reduction: bool = False
    proxy: str = "generic"


@dataclasses.dataclass
class Program:
    """`threads`: name -> (gpu, cta). Events of a thread are in program order. `dependencies`: pairs
    (read, write): the value or the place of the write, or its being done, depends on the read."""
    threads: dict
    events: list
    dependencies: tuple = ()

    def replace(self, name, **changes):
        return dataclasses.replace(self, events=[
            dataclasses.replace(e, **changes) if e.name == name else e for e in self.events])

    def without(self, *names):
        return dataclasses.replace(self, events=[e for e in self.events if e.name not in names])

    def torn(self, name):
        """The event, split into one event for each of its parts."""
        events = []
        for e in self.events:
            events += [dataclasses.replace(e, name=f"{name}.{p}", parts=(p,)) for p in e.parts
                       ] if e.name == name else [e]
        return dataclasses.replace(self, events=events)


class Execution:
    """The axioms over all executions of a program."""

    def __init__(self, program):
        self.program = program
        parts = sorted({p for e in program.events for p in e.parts})
        self.initial = [Event("initial " + p, "", "write", (p,)) for p in parts]
        self.events = self.initial + program.events
        self.reads = [e for e in self.events if e.kind == "read"]
        self.writes = [e for e in self.events if e.kind == "write"]
        self.place = {e: i for i, e in enumerate(self.events)}
        self.solver = z3.Solver()
        self.rf = {(p, w, r): z3.Bool(f"rf {p} {w.name} > {r.name}") for r in self.reads
                   for p in r.parts for w in self.writes if p in w.parts}
        self.co = {(v, w): z3.Bool(f"co {v.name} > {w.name}") for v in self.writes
                   for w in self.writes if v != w and self.overlap(v, w)}
        self.base = self.relation("base", self.events)
        self.observation = {(w, r): z3.Bool(f"obs {w.name} > {r.name}") for w in self.writes
                            for r in self.reads}
        self.choose()
        self.synchronise()
        self.axioms()

    # ---- relations that follow from the program alone

    @staticmethod
    def overlap(a, b):
        return bool(set(a.parts) & set(b.parts))

    def program_order(self, a, b):
        return a.thread == b.thread != "" and self.place[a] < self.place[b]

    def in_scope(self, a, b):
        """Whether a's scope includes the thread of b."""
        mine, other = self.program.threads[a.thread], self.program.threads[b.thread]
        return {"cta": mine == other, "gpu": mine[0] == other[0], "sys": True}[a.scope]

    def morally_strong(self, a, b):
        if a == b or "" in (a.thread, b.thread) or a.proxy != b.proxy:
            return False
        if a.thread != b.thread:
            if any(e.order == "weak" or e.kind not in ("read", "write", "fence") for e in (a, b)):
                return False
            if not (self.in_scope(a, b) and self.in_scope(b, a)):
                return False
        return not (a.parts and b.parts) or set(a.parts) == set(b.parts)

    def release_patterns(self):
        """Pairs of the first operation and the write that others may observe."""
        for w in self.writes:
            if w.order == "weak":
                continue
            if w.order in ("release", "acq_rel"):
                yield w, w
            for e in self.events:
                if not self.program_order(e, w):
                    continue
                if e.kind == "fence" and e.order in ("acq_rel", "sc"):
                    yield e, w
                if e.kind == "write" and e.order in ("release", "acq_rel") and e.parts == w.parts:
                    yield e, w

    def acquire_patterns(self):
        """Pairs of the read that observes and the last operation."""
        for r in self.reads:
            if r.order == "weak" or r.reduction:
                continue
            if r.order in ("acquire", "acq_rel"):
                yield r, r
            for e in self.events:
                if not self.program_order(r, e):
                    continue
                if e.kind == "fence" and e.order in ("acq_rel", "sc"):
                    yield r, e
                if e.kind == "read" and e.order in ("acquire", "acq_rel") and e.parts == r.parts:
                    yield r, e

    # ---- relations that an execution decides

    def relation(self, name, events):
        """A transitive relation."""
        pairs = {(a, b): z3.Bool(f"{name} {a.name} > {b.name}") for a in events for b in events}
        for a, b, c in itertools.product(events, repeat=3):
            self.solver.add(z3.Implies(z3.And(pairs[a, b], pairs[b, c]), pairs[a, c]))
        return pairs

    def reads_from(self, r, w):
        return z3.And([self.rf[p, w, r] for p in r.parts])

    def choose(self):
        add = self.solver.add
        for r in self.reads:
            for p in r.parts:
                sources = [self.rf[p, w, r] for w in self.writes if p in w.parts]
                add(z3.PbEq([(s, 1) for s in sources], 1))
        for (v, w), before in self.co.items():
            add(z3.Not(z3.And(before, self.co[w, v])))
            if v in self.initial:
                add(before)
            for x in self.writes:
                if (w, x) in self.co and (v, x) in self.co:
                    add(z3.Implies(z3.And(before, self.co[w, x]), self.co[v, x]))
        for w, r in self.observation:
            if self.morally_strong(w, r):
                add(z3.Implies(self.reads_from(r, w), self.observation[w, r]))
            for z in self.writes:
                for y in self.reads:
                    if z.rmw == y.name:
                        add(z3.Implies(z3.And(self.observation[w, y], self.observation[z, r]),
                                       self.observation[w, r]))

    def synchronise(self):
        """Base causality order: program order and synchronisation, closed."""
        add = self.solver.add
        for a, b in self.base:
            same_barrier = a.kind == b.kind == "barrier" and a.name.split(".")[0] == \
                b.name.split(".")[0]
            if self.program_order(a, b) or same_barrier or a in self.initial and b.thread:
                add(self.base[a, b])
        for first, w in self.release_patterns():
            for r, last in self.acquire_patterns():
                if self.morally_strong(first, last):
                    add(z3.Implies(self.observation[w, r], self.base[first, last]))
        fences = [e for e in self.events if e.kind == "fence" and e.order == "sc"]
        for f, g in itertools.combinations(fences, 2):
            if self.morally_strong(f, g):
                f_first = z3.Bool(f"sc {f.name} > {g.name}")
                for earlier, later, holds in ((f, g, f_first), (g, f, z3.Not(f_first))):
                    add(z3.Implies(holds, self.base[earlier, later]))
                    add(z3.Implies(holds, z3.Not(self.base[later, earlier])))  # Fence-SC

    def preserved(self, x, y):
        """Proxy-preserved base causality order of two accesses."""
        if x.proxy == y.proxy or x in self.initial:  # (what comes before a launch counts for all)
            return self.base[x, y]
        return z3.Or([z3.And(self.base[x, f], self.base[f, y]) for f in self.events
                      if f.kind == "proxy_fence" and
                      self.program.threads[f.thread] == self.program.threads[x.thread]])

    def causes(self, x, y):
        """Causality order of two accesses that overlap."""
        return z3.Or([self.preserved(x, y)] + [
            z3.And(self.observation[x, z], self.preserved(z, y)) for z in self.reads
            if (x, z) in self.observation and self.overlap(z, y)])

    def reads_before(self, r, w):
        """From-reads: r returns something that w comes after."""
        return z3.Or([z3.And(self.rf[p, v, r], self.co[v, w]) for p in r.parts if p in w.parts
                      for v in self.writes if p in v.parts and v != w])

    def any_part(self, w, r):
        return z3.Or([self.rf[p, w, r] for p in r.parts if p in w.parts])

    def axioms(self):
        add = self.solver.add
        for v, w in self.co:
            add(z3.Implies(self.causes(v, w), self.co[v, w]))  # Coherence
            if self.morally_strong(v, w):
                add(z3.Or(self.co[v, w], self.co[w, v]))
        for r in self.reads:
            for w in self.writes:
                if not self.overlap(r, w):
                    continue
                add(z3.Not(z3.And(self.causes(r, w), self.any_part(w, r))))  # Causality, 1
                add(z3.Not(z3.And(self.causes(w, r), self.reads_before(r, w))))  # and 2
                if self.morally_strong(r, w):  # Single-copy atomicity
                    add(z3.Not(z3.And(self.any_part(w, r), self.reads_before(r, w))))
        for mine in self.writes:  # Atomicity of read-modify-write
            for r in self.reads:
                for w in self.writes:
                    if mine.rmw == r.name and w != mine and self.overlap(w, mine) and \
                            self.morally_strong(w, mine):
                        add(z3.Not(z3.And(self.reads_before(r, w), self.co[w, mine])))
        accesses = self.reads + self.writes
        thin_air = self.relation("thin air", accesses)  # No-Thin-Air
        one_place = self.relation("one place", accesses)  # SC per location
        for e in accesses:
            add(z3.Not(thin_air[e, e]), z3.Not(one_place[e, e]))
        for r, w in itertools.product(self.reads, self.writes):
            if (r.name, w.name) in self.program.dependencies:
                add(thin_air[r, w])
            if not self.overlap(r, w):
                continue
            add(z3.Implies(self.any_part(w, r), thin_air[w, r]))
            if self.morally_strong(r, w):
                add(z3.Implies(self.any_part(w, r), one_place[w, r]))
                add(z3.Implies(self.reads_before(r, w), one_place[r, w]))
        for a, b in itertools.permutations(accesses, 2):
            if self.overlap(a, b) and self.program_order(a, b):
                add(one_place[a, b])
            if (a, b) in self.co and self.morally_strong(a, b):
                add(z3.Implies(self.co[a, b], one_place[a, b]))

    # ---- questions

    def mixed_size_race(self):
        """Whether accesses of different sizes are not ordered: then the axioms promise nothing."""
        return z3.Or([z3.And(z3.Not(self.base[a, b]), z3.Not(self.base[b, a]))
                      for a, b in itertools.combinations(self.reads + self.writes, 2)
                      if "write" in (a.kind, b.kind) and self.overlap(a, b)
                      and set(a.parts) != set(b.parts)])

    def named(self, name):
        """The events of this name: several if the access is torn."""
        return [e for e in self.events if e.name == name or e.name.startswith(name + ".")]

    def returns(self, read, write, part=None):
        """Whether the read returns what the write wrote, in one part, or in all common parts."""
        return z3.And([self.rf[p, w, r] for r in self.named(read) for p in r.parts
                       if part in (None, p) for w in self.named(write) if p in w.parts])

    def possible(self, outcome):
        """Whether the axioms allow an execution in which each (read, write[, part]) of `outcome`
        holds, or in which they promise nothing."""
        *seen, bad = [self.returns(*what) for what in outcome]
        self.solver.push()
        self.solver.add(z3.And(seen), z3.Or(bad, self.mixed_size_race()))
        answer = self.solver.check()
        self.solver.pop()
        if answer == z3.unknown:
            raise RuntimeError("z3 gave up")
        return answer == z3.sat
