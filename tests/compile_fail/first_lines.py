#!/usr/bin/env python3
"""The first error of each case of wrong_calls.cpp names the reason that stands beside it.

usage: first_lines.py COMPILER... (compiles one file, prints to stderr)
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(__file__).with_name("wrong_calls.cpp")
reasons = {int(n): reason for n, reason in
           re.findall(r"CASE == (\d+)(?:\s+// (.*))?$", source.read_text(), re.MULTILINE)}


def complaint(case, headers):
    made = subprocess.run([*sys.argv[1:], "-include", headers, f"-DCASE={case}", str(source)],
                          capture_output=True, text=True)
    lines = made.stderr.splitlines()
    if not reasons[case]:
        return made.returncode and f"case {case} does not compile:\n{made.stderr}"
    if made.returncode == 0:
        return f"case {case} compiles; expected {reasons[case]}"
    # If clang reports a deleted function, the note after the error gives the reason.
    begin = next(i for i, line in enumerate(lines) if "error:" in line)
    told = lines[begin]
    if "call to deleted function" in told:
        told = next(line for line in lines[begin:] if "note:" in line)
        told = told.replace("unsigned long>", "long unsigned int>")
    reason = re.escape(reasons[case])
    wanted = reason if " " in reasons[case] else rf"refused::{reason}[];,]"
    if not re.search(wanted, told.replace("’", "]")):
        return f"case {case}: expected {reasons[case]} in\n  {told}"
    if len(lines) > 60:
        return f"case {case}: {len(lines)} lines; expected at most 60"


# The headers are parsed once for all cases.
with tempfile.TemporaryDirectory() as folder:
    headers = pathlib.Path(folder, "headers.hpp")
    headers.write_text("\n".join(re.findall(r"^#include .*", source.read_text(), re.MULTILINE)))
    flags = [flag for flag in sys.argv[1:] if flag != "-fsyntax-only"]
    subprocess.run([*flags, "-x", "c++-header", headers, "-o", f"{headers}.gch"], check=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [text for text in pool.map(lambda case: complaint(case, headers), sorted(reasons))
                 if text]
for text in found:
    print(text)
sys.exit(1 if found or len(reasons) < 2 else 0)
