"""Links in Markdown files to other files and headings; `python -m tooling.lint.links` lists those that lead nowhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from tooling.folders import ROOT
from tooling.lint.house_rules import name_of
from tooling.terminal import print_line

FOLDERS = ("bench", "client", "docs", "extension", "gym", "solvers", "tests", "tooling")
_BLOCK = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!\w+:|/)([^)#\s]*)(?:#([^)\s]*))?\)")


def find_broken_links(pages: list[Path]) -> Iterator[str]:
    """Yield each relative link of *pages* to a missing file, or to a heading that its page does not have."""
    for page in pages:
        for target, anchor, line in list_links(page):
            named = os.path.relpath(target, page.parent)
            if not target.exists():
                yield f"{name_of(page)}:{line}: {named} does not exist"
            elif anchor and target.suffix == ".md" and anchor not in list_anchors(target.read_text("utf-8")):
                yield f"{name_of(page)}:{line}: {'the page' if target == page else named} has no heading #{anchor}"


def list_links(page: Path) -> Iterator[tuple[Path, str, int]]:
    """Yield the file, the heading's anchor or "", and the line of each relative link of *page*."""
    text = page.read_text("utf-8")
    for match in _LINK.finditer(_BLOCK.sub(lambda block: block[0].replace("](", "  "), text)):
        target = (page.parent / unquote(match[1])).resolve() if match[1] else page
        yield target, match[2] or "", text.count("\n", 0, match.start()) + 1


def list_anchors(text: str) -> set[str]:
    """Return the anchors of the headings in *text*, as code hosts and the documentation site make them.

    >>> sorted(list_anchors("# A `b`, c\\n## Twice\\n## Twice\\n"))
    ['a-b-c', 'twice', 'twice-1']
    """
    anchors: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.+)$", _BLOCK.sub("", text), re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number = sum(known == anchor or known.removeprefix(f"{anchor}-").isdecimal() for known in anchors)
        anchors.add(f"{anchor}-{number}" if number else anchor)
    return anchors


def list_pages() -> list[Path]:
    """Return the Markdown files, except the site's own pages, whose links are URLs of the site."""
    found = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
    return [page for page in found if not page.is_relative_to(ROOT / "docs/site") and "node_modules" not in page.parts]


if __name__ == "__main__":
    problems = list(find_broken_links(list_pages()))
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
