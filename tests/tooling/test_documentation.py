"""The documentation loads nothing from other hosts, and its links lead somewhere."""

import contextlib
import pkgutil
import re

from django.conf import settings

from tooling.folders import ROOT
from tooling.lint import documentation, links


def test_files_from_other_hosts_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<link rel="canonical" href="https://leitai.example/a.html"><a href="https://example.org">x</a>'
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/css">'
    )
    (tmp_path / "b.css").write_text("@font-face { src: url('https://fonts.example/f.woff2') }\nurl(own.woff2)")
    assert list(documentation.find_foreign_files(tmp_path)) == [
        "a.html: loads https://cdn.example/x.js from another host",
        "a.html: loads //fonts.example/css from another host",
        "b.css: loads https://fonts.example/f.woff2 from another host",
    ]


def test_broken_links_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "name_of", lambda page: page.name)
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n\n[a](#one) [b](#two) [c](page.md#one) [d](none.md)\n[e](https://example.org/x) [f](/rules/)\n\n"
        "```text\n[g](no.md)\n```\n\n[h](page.md#three)\n"
    )
    assert list(links.find_broken_links([page])) == [
        "page.md:3: the page has no heading #two",
        "page.md:3: none.md does not exist",
        "page.md:10: the page has no heading #three",
    ]


def test_links_are_checked_except_on_pages_of_the_site():
    pages = {page.relative_to(ROOT).as_posix() for page in links.list_pages()}
    assert {"README.md", "client/README.md", "docs/tutorials/first-bot.md"} <= pages
    assert not any(page.startswith("docs/site/") for page in pages)


def rows_of(page: str, header: str) -> list[list[list[str]]]:
    """Return the names in code in each cell of each row of the tables whose header begins with *header*."""
    tables = re.findall(rf"^\| {header} \|.*\n\|[-|]+\n((?:\|.+\n)+)", (ROOT / page).read_text(), re.MULTILINE)
    rows = [row.strip("|").split("|") for table in tables for row in table.splitlines()]
    return [[re.findall(r"`([^`]+)`", cell) for cell in row] for row in rows]


def is_defined(name: str) -> bool:
    """Return whether a module, a part of one or a setting has the *name*, which may leave out `contest.`."""
    setting = re.fullmatch(r"([A-Z_]+)(?:\[\"([\w-]+)\"\])?", name)
    if setting:
        return hasattr(settings, setting[1]) and (not setting[2] or setting[2] in getattr(settings, setting[1]))
    if "/" in name:
        return (ROOT / name).exists() or (ROOT / "contest" / name).exists()
    with contextlib.suppress(ImportError, AttributeError, ValueError):
        pkgutil.resolve_name(name if name.startswith(("contest.", "solvers.")) else f"contest.{name}")
        return True
    return " " in name  # a command


def test_names_and_tests_in_guarantees_exist():
    """Names in `docs/explanation/security.md` and the tests in it and in the table of ASVS."""
    guarantees = rows_of("docs/explanation/security.md", "guarantee")
    enforcing = [name for _guarantee, names, _tests in guarantees for name in names]
    verifying = [name for row in guarantees + rows_of("docs/reference/asvs.md", "section") for name in row[-1]]
    tests = [name for name in verifying if name.startswith(("tests/", "tooling/"))]
    assert (len(enforcing) > 80, len(tests) > 130) == (True, True)
    assert [name for name in enforcing if not is_defined(name)] == []
    assert [name for name in tests if not (ROOT / name).exists()] == []
    assert {name for name in verifying if name not in tests} == {"bench fire", "bench fire_judge", "club"}


def test_two_links_lead_from_the_readme_to_each_rules_code_and_each_recipe():
    page = ROOT / "docs/how-to/extending.md"
    assert page in {target for target, _anchor, _line in links.list_links(ROOT / "README.md")}
    _title, where, *recipes = re.split(r"^(?=## )", page.read_text(), flags=re.MULTILINE)
    rows = re.findall(r"^\| (?!question \|).+", where, re.MULTILINE)
    assert rows
    assert [row for row in rows if not re.search(r"\]\(../../(contest|solvers|tooling)/", row)] == []
    linked = {anchor for target, anchor, _line in links.list_links(page) if target == page}
    assert {anchor for recipe in recipes for anchor in links.list_anchors(recipe.splitlines()[0])} <= linked
