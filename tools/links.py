#!/usr/bin/env python3
"""Checks that relative links, to files and to sections, lead somewhere.

    tools/links.py FILE...         Markdown documents, or folders of them
    tools/links.py --site FOLDER   all pages of a built site, which may fetch nothing from other
                                   hosts; Doxygen's pages, in reference/, have a few dead links
"""
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

CODE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[ \t]*$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r'\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]*)"')
HEADING = re.compile(r"^#+[ \t]+(.*?)[ \t#]*$", re.MULTILINE)


def outside_code(text, change):
    """The document, with change(text) applied to each part that is not code."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [change(text[end:code.start()]), code[0]]
        end = code.end()
    return "".join(parts) + change(text[end:])


def anchor_of(heading):
    """The anchor that code hosts give a heading: lower case, hyphens for spaces."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


def anchors_of_document(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in HEADING.findall(text):
        anchor, again = anchor_of(heading), 0
        while (name := anchor + (f"-{again}" if again else "")) in found:
            again += 1
        found.add(name)
    return found


class Page(html.parser.HTMLParser):
    """The links of a page, its anchors, and the addresses that a browser fetches for it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.fetched = [], {""}, []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value is not None:
                self.links.append(value)
                if tag not in ("a", "base"):
                    self.fetched.append(value)


def broken(path, links, anchors_of):
    """A message for each wrong link of one file; anchors_of(path) are the anchors of a file."""
    for link in links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = path
        if parts.path:
            target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
        if not target.exists():
            yield f"{path}: {link}: no such file"
        elif parts.fragment and urllib.parse.unquote(parts.fragment) not in anchors_of(target):
            yield f"{path}: {link}: no such section"


def check_documents(paths):
    files = [f for p in paths for f in (sorted(p.glob("**/*.md")) if p.is_dir() else [p])]
    known, count, wrong = {}, 0, []

    def anchors_of(path):
        if path not in known:
            known[path] = anchors_of_document(path) if path.suffix == ".md" else set()
        return known[path]

    for path in files:
        links = []

        def collect(text):
            links.extend(a or b for a, b in LINK.findall(text))
            return text

        outside_code(path.read_text(), collect)
        count += len(links)
        wrong += broken(path, links, anchors_of)
    return len(files), count, wrong


def check_site(folder):
    pages = {path: Page(path) for path in sorted(folder.glob("**/*.html"))}
    wrong, count = [], 0

    def anchors_of(path):
        path = path / "index.html" if path.is_dir() else path
        return pages[path].anchors if path in pages else set()

    for path, page in pages.items():
        if path.relative_to(folder).parts[0] != "reference":
            count += len(page.links)
            wrong += broken(path, page.links, anchors_of)
        wrong += [f"{path}: {link}: from another host" for link in page.fetched
                  if urllib.parse.urlsplit(link).netloc]
    return len(pages), count, wrong


def main():
    if sys.argv[1:2] == ["--site"]:
        files, count, wrong = check_site(pathlib.Path(sys.argv[2]).resolve())
    else:
        files, count, wrong = check_documents([pathlib.Path(p) for p in sys.argv[1:]])
    if files == 0 or count == 0:
        sys.exit("links: nothing to check")
    if wrong:
        sys.exit("\n".join(wrong) + f"\nlinks: {len(wrong)} of {count} lead nowhere")
    print(f"{count} links in {files} files")


if __name__ == "__main__":
    main()
