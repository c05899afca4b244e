"""What ./dev docs changes in the pages of docs/ for the site (hooks of MkDocs).

The pages are written to be read in the repository. On the site, README.md, HACKING.md and
CHANGELOG.md are pages too. A link to a public header leads to its page in the C++ reference, which
Doxygen makes. A link to any other file or folder of the repository leads to a copy of it, under
source/. Anchors are made as code hosts make them, so that a link to a section works in both places.
"""
import html
import os
import pathlib
import re
import shutil
import sys

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link, Section
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from links import anchor_of, outside_code  # noqa: E402

ROOT_PAGES = {"README.md": "index.md", "HACKING.md": "HACKING.md", "CHANGELOG.md": "CHANGELOG.md"}
LINK = re.compile(r'(\]\(|src="|href="|src=)([^()\s"#:]*)(#[^()\s"]*)?(?=[)"])')
HERE = "x-site:///"  # in front of a path from the site's root, which MkDocs leaves alone

copied = set()  # paths of the repository that pages link to


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = lambda text, _: anchor_of(text)
    config["mdx_configs"]["toc"]["permalink"] = True
    nav = []
    for part in config["nav"]:
        [(title, inside)] = part.items()
        if isinstance(inside, list):
            inside = [entry for entry in inside for path in entry.values()
                      if not path.endswith(".md") or path in ROOT_PAGES.values()
                      or (ROOT / "docs" / path).exists()]
            inside = [{name: path if path.endswith(".md") else HERE + path}
                      for entry in inside for name, path in entry.items()]
        nav.append({title: inside})
    config["nav"] = nav
    return config


def on_files(files, config):
    folder = pathlib.Path(config["site_dir"]).parent / "site_pages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source, page in ROOT_PAGES.items():
        shutil.copy(ROOT / source, folder / page)
        files.append(File(page, str(folder), config["site_dir"], config["use_directory_urls"]))
    here = str(pathlib.Path(__file__).parent)
    files.append(File("site.css", here, config["site_dir"], config["use_directory_urls"]))
    return files


def on_nav(nav, config, files):
    def settle(items):
        for item in items:
            if isinstance(item, Section):
                settle(item.children)
            elif isinstance(item, Link) and item.url.startswith(HERE):
                item.url = item.url[len(HERE):]
    settle(nav.items)
    return nav


def place_of(path):
    """The address on the site of a file or folder of the repository."""
    inside = path.relative_to(ROOT)
    if str(inside) in ROOT_PAGES:
        return ROOT_PAGES[str(inside)].replace(".md", ".html")
    if inside.parts[0] == "docs":
        return str(inside.relative_to("docs")).replace(".md", ".html")
    if inside.parts[:2] == ("include", "lookback") and "detail" not in inside.parts:
        if inside.suffix == ".hpp":
            return "reference/" + inside.name.replace("_", "__").replace(".", "_8") + ".html"
    copied.add(inside)
    if path.is_dir():
        return f"source/{inside}/index.html"
    return f"source/{inside}" + ("" if path.suffix == ".json" else ".html")


def on_page_markdown(markdown, page, config, files):
    name = next((s for s, p in ROOT_PAGES.items() if p == page.file.src_path), None)
    base = ROOT if name else ROOT / "docs"

    def rewritten(found):
        before, target, anchor = found.groups()
        path = pathlib.Path(os.path.normpath(base / target))
        if not target or not path.exists():
            return found[0]
        return f"{before}{HERE}{place_of(path)}{anchor or ''}"

    return outside_code(markdown, lambda text: LINK.sub(rewritten, text))


def on_page_content(content, page, config, files):
    return content.replace(HERE, "")  # all pages lie in the site's root


def written(path, site):
    """Copies a file or folder that a page links to; for a folder it writes a list of its files."""
    to = site / "source" / path
    to.parent.mkdir(parents=True, exist_ok=True)
    style = HtmlFormatter(full=True, title=html.escape(str(path)), style="xcode")
    if (ROOT / path).is_dir():
        to.mkdir(exist_ok=True)
        lines = []
        for inner in sorted((ROOT / path).iterdir()):
            if inner.name.startswith((".", "__")):
                continue
            link = place_of(inner)
            written(inner.relative_to(ROOT), site)
            up = os.path.relpath(site / link, to)
            lines.append(f'<li><a href="{up}">{html.escape(inner.name)}</a></li>')
        (to / "index.html").write_text(
            f'<!doctype html><meta charset="utf-8"><title>{path}</title><h1>{path}</h1>'
            f'<ul>{"".join(lines)}</ul>')
    elif path.suffix == ".json":
        shutil.copy(ROOT / path, to)
    else:
        try:
            text = (ROOT / path).read_text()
        except UnicodeDecodeError:
            shutil.copy(ROOT / path, to)
            return
        try:
            lexer = get_lexer_for_filename(path.name.replace(".cuh", ".hpp"))
        except ClassNotFound:
            lexer = TextLexer()
        pathlib.Path(f"{to}.html").write_text(highlight(text, lexer, style))


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    (site / "404.html").unlink()  # its links assume that the site is at the root of a host
    for path in sorted(copied):
        written(path, site)
