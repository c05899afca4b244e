"""Checks that ptx.py is the model of PTX: the litmus tests of the PTX ISA's own chapter, and of
Lustig, Sahasrabuddhe & Giroux 2019, with the outcomes that these forbid and allow.
"""
import dataclasses

from litmus import (HERE, OTHER_BLOCK, RELAXED, RELEASE, Test, Weaker, add, changed, fence,
                    left_out, read, write)
from ptx import Program

ISA = "PTX ISA"
THREADS = {"T1": HERE, "T2": OTHER_BLOCK}
SYS = dict(order="relaxed", scope="sys")


def message_passing():
    p = Program(THREADS, [
        write("W1", "T1", "data"), fence("F1", "T1", scope="sys"), write("W2", "T1", "flag", **SYS),
        read("R1", "T2", "flag", **SYS), fence("F2", "T2", scope="sys"), read("R2", "T2", "data")])
    return Test("message passing", ISA, p, [("R1", "W2"), ("R2", "initial data")], [
        left_out(p, "first fence left out", "F1"), left_out(p, "second fence left out", "F2")])


def message_passing_by_reduction():
    p = Program(THREADS, [
        write("W1", "T1", "x"), write("W2", "T1", "flag", **RELEASE),
        *add("add", "T2", "flag", **RELAXED), fence("F2", "T2", "acq_rel"),
        read("R2", "T2", "x")])
    return Test("message passing by an atomic", ISA, p,
                [("add_old", "W2"), ("R2", "initial x")], [
        changed(p, "red instead of atom", "add_old", reduction=True)])


def store_buffering():
    p = Program(THREADS, [
        write("W1", "T1", "x"), fence("F1", "T1"), read("R1", "T1", "y"),
        write("W2", "T2", "y"), fence("F2", "T2"), read("R2", "T2", "x")])
    return Test("store buffering", ISA, p, [("R1", "initial y"), ("R2", "initial x")], [
        changed(p, "one fence acq_rel", "F1", order="acq_rel"),
        Weaker("both acq_rel", p.replace("F1", order="acq_rel").replace("F2", order="acq_rel")),
        changed(p, "one fence .cta", "F1", scope="cta")])


def load_buffering():
    p = Program(THREADS, [
        read("R1", "T1", "x"), write("W1", "T1", "y"),
        read("R2", "T2", "y"), write("W2", "T2", "x")], (("R1", "W1"), ("R2", "W2")))
    return Test("load buffering with dependencies", ISA, p, [("R1", "W2"), ("R2", "W1")], [
        Weaker("without dependencies", dataclasses.replace(p, dependencies=()))])


def coherence():
    p = Program(THREADS, [
        write("W1", "T1", "x", **SYS),
        read("R1", "T2", "x", **SYS), read("R2", "T2", "x", **SYS)])
    return Test("two reads of one place", ISA, p, [("R1", "W1"), ("R2", "initial x")], [
        changed(p, "first read weak", "R1", order="weak"),
        changed(p, "second read weak", "R2", "what the first has observed comes before it (2019)",
                order="weak")])


def atomicity():
    p = Program(THREADS, [*add("A1", "T1", "x", **SYS), *add("A2", "T2", "x", **SYS)])
    narrow = p.replace("A1_old", scope="cta").replace("A1", scope="cta")
    return Test("two atomic additions", ISA, p,
                [("A1_old", "initial x"), ("A2_old", "initial x")], [
        Weaker("one of them .cta", narrow)])


def tests():
    return [message_passing(), message_passing_by_reduction(), store_buffering(), load_buffering(),
            coherence(), atomicity()]
