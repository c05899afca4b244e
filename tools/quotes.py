#!/usr/bin/env python3
"""Copies compiled examples into documents, or checks that the copies equal the examples.

    tools/quotes.py [--write] DOCUMENT.md...

A quote is a line <!-- quote: FILE NAME --> and the code block after it. The block equals the lines
between // [NAME] and // [/NAME] in FILE, a path from the repository's root.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUOTE = re.compile(r"(<!-- quote: (\S+) (\S+) -->\n```cpp\n)(.*?)(```\n)", re.DOTALL)


def quoted(file: str, name: str) -> str:
    text = (ROOT / file).read_text()
    found = re.search(rf"^ *// \[{name}\]\n(.*?)^ *// \[/{name}\]\n", text, re.DOTALL | re.MULTILINE)
    if not found:
        sys.exit(f"quotes: {file} has no lines // [{name}] and // [/{name}]")
    return textwrap.dedent(found.group(1))


def renew(document: pathlib.Path, write: bool) -> None:
    text = document.read_text()
    now, count = QUOTE.subn(lambda m: m[1] + quoted(m[2], m[3]) + m[5], text)
    if count == 0:
        sys.exit(f"quotes: {document} quotes nothing")
    if write:
        document.write_text(now)
    elif now != text:
        sys.exit(f"quotes: {document} is not what its examples say; run tools/quotes.py --write {document}")
    print(f"{document}: {count} quotes")


def main() -> None:
    write = "--write" in sys.argv[1:]
    documents = [argument for argument in sys.argv[1:] if argument != "--write"]
    if not documents:
        sys.exit("quotes: name a document")
    for document in documents:
        renew(pathlib.Path(document), write)


main()
