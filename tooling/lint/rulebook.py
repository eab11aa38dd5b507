"""The rulebook: tests cite every rule, and both languages agree; `python -m tooling.lint.rulebook` lists violations."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, zip_longest

from tooling.folders import ROOT
from tooling.terminal import print_line

ENGLISH, CHINESE = "docs/reference/rules.md", "docs/reference/rules.zh-hans.md"
EXAMPLES = "contest/static/contest/rules/examples.json"
# Rules that no code implements.
NOTHING_TO_TEST = {
    "2.4": "originality is the organisers' business; the warning is rule 2.7's",
    "11.12": "not implemented: its text is lost",
    "13.1": "history",
    "16.1": "the site cannot know the program",
    **{f"28.{number}": "nobody knows it" for number in range(1, 10)},
}
MARKS = {"*(ours)*": "ours", "*(inferred)*": "inferred", "*（本站）*": "ours", "*（推断）*": "inferred"}
TERMS = {
    "never": "绝不", "yes": "是", "–": "–", "provisional": "暂定", "own": "自己的", "7.3": "见 7.3",
    "points as preview": "得分预览",
}  # fmt: skip
_CITED = re.compile(r"Rules? ((?:\d+\.\d+(?:, | and | to )?)+)")
_BEHIND = re.compile(r"^- .*[(（]([^()（）]+)[)）][.。]$", re.MULTILINE)
_RULE = re.compile(r"^- \*\*(\d+\.\d+)\*\* (.*?)(?=^- \*\*|^#|^\||\Z)", re.MULTILINE | re.DOTALL)


def find_breaches() -> Iterator[str]:
    for check in (check_numbers, check_citations, check_languages, check_tables, check_short_rules, check_examples):
        yield from check()


def cited(text: str) -> list[str]:
    """Return the numbers of the rules that *text* cites.

    >>> cited("Rules 8.1 to 8.3, 9.2.")
    ['8.1', '8.2', '8.3', '9.2']
    """
    numbers: list[str] = []
    for found in _CITED.findall(text):
        for part in re.split(r", | and ", found.rstrip(", ")):
            first, _to, last = part.partition(" to ")
            section, start = first.split(".")
            end = last.split(".")[1] if last else start
            numbers += [f"{section}.{rule}" for rule in range(int(start), int(end) + 1)]
    return numbers


def check_numbers() -> Iterator[str]:
    """Check that the rules of each section are numbered from 1 on, in order and once."""
    for section, numbers in groupby(_rules(ENGLISH), lambda number: number.split(".")[0]):
        found = list(numbers)
        if found != [f"{section}.{rule}" for rule in range(1, len(found) + 1)]:
            yield f"{ENGLISH}: section {section} is not numbered in order"


def check_citations() -> Iterator[str]:
    """Check that a docstring of a test cites each rule that code decides, and that code cites only existing rules."""
    rules = set(_rules(ENGLISH))
    trees = [ast.parse(file.read_text("utf-8")) for file in (ROOT / "tests").rglob("test_*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    docstrings = [ast.get_docstring(node) or "" for node in functions if node.name.startswith("test_")]
    by_tests = {number for docstring in docstrings for number in cited(docstring)}
    yield from (f"{ENGLISH}: no test cites rule {number}" for number in rules - by_tests - NOTHING_TO_TEST.keys())
    yield from (f"{ENGLISH}: rule {number} has a test now" for number in by_tests & NOTHING_TO_TEST.keys())
    code = (file.read_text("utf-8") for folder in ("contest", "solvers") for file in (ROOT / folder).rglob("*.py"))
    by_code = {number for text in code for number in cited(text)}
    yield from (f"{ENGLISH}: there is no rule {number}, which is cited" for number in (by_tests | by_code) - rules)


def check_languages() -> Iterator[str]:
    """Check that both languages have the same rules with the same marks, code and, in examples, figures."""
    english, chinese = _rules(ENGLISH), _rules(CHINESE)
    for number, other in zip_longest(english, chinese):
        if number != other:
            yield f"{CHINESE}: rule {other} where {ENGLISH} has {number}"
            return
    if _headings(ENGLISH) != _headings(CHINESE):
        yield f"{CHINESE}: other sections than {ENGLISH}"
    for number, text in english.items():
        other_text = chinese[number]
        if _mark(text) != _mark(other_text):
            yield f"{CHINESE}: rule {number} has another mark"
        if number != "11.2" and {part.replace("ROUND", "期号") for part in _code(text)} != _code(other_text):
            yield f"{CHINESE}: rule {number} has other settings, fields or formulas"
        if number.startswith("19.") and (_figures(text) != _figures(other_text) or not _figures(text)):
            yield f"{CHINESE}: example {number} has other figures"


def check_tables() -> Iterator[str]:
    """Check that the tables of sections 7 and 17 have the same rows, and that both pages say which one prevails."""
    settings = [[row[0] for row in _table(page, 17)[1:]] for page in (ENGLISH, CHINESE)]
    if settings[0] != settings[1]:
        yield f"{CHINESE}: the settings of section 17 are others"
    shown = [[TERMS.get(cell, cell) for cell in row[1:]] for row in _table(ENGLISH, 7)[1:]]
    if shown != [row[1:] for row in _table(CHINESE, 7)[1:]]:
        yield f"{CHINESE}: the table of section 7 says something else"
    for page, sentence in ((ENGLISH, "this English page prevails"), (CHINESE, "以英文版为准")):
        if _text(page) and sentence not in _text(page):
            yield f"{page}: say that the English page prevails"


def check_short_rules() -> Iterator[str]:
    """Check that the rules in short are thirty lines, each with the same existing rules behind it in both languages."""
    pages = [_text(f"docs/site/short-rules.{language}.md") for language in ("en", "zh-hans")]
    english, chinese = ([re.split(", |、", numbers) for numbers in _BEHIND.findall(page)] for page in pages)
    if english != chinese:
        yield "docs/site/short-rules.zh-hans.md: other rules behind its lines than in English"
    if pages[0] and not len(english) == pages[0].count("\n- ") == 30:
        yield "docs/site/short-rules.en.md: thirty lines, each with its rules in brackets at the end"
    for number in {number for numbers in english for number in numbers} - _rules(ENGLISH).keys():
        yield f"docs/site/short-rules.en.md: there is no rule {number}"


def check_examples() -> Iterator[str]:
    """Check that the rules write out the results and hashes of their examples, which name only existing rules."""
    examples, rules = json.loads(_text(EXAMPLES) or "{}"), _rules(ENGLISH)
    for entry in (entry for kind in ("rounds", "seasons", "draws", "hashes") for entry in examples.get(kind, ())):
        yield from (f"{EXAMPLES}: there is no rule {number}" for number in entry["rules"] if number not in rules)
    for entry in examples.get("hashes", ()):
        if hashlib.sha256(entry["text"].encode()).hexdigest() != entry["sha256"]:
            yield f"{EXAMPLES}: {entry['text']} has another hash"
    for entry in (entry for entry in examples.get("rounds", ()) if entry["name"] in ("19.1", "19.2", "19.3")):
        results = [f"{player} {moves + pushes:g}" for player, moves, pushes in entry["expected"]["points"]]
        results.append(", ".join(entry["expected"]["candidates"]))
        if entry["name"] == "19.1":
            results += [f"{sent['player']} {sent['moves']}/{sent['pushes']}" for sent in entry["submissions"]]
        written = " ".join(rules[entry["name"]].split())
        yield from (f"{ENGLISH}: rule {entry['name']} lacks {part}" for part in results if part not in written)


def _text(page: str) -> str:
    return (ROOT / page).read_text("utf-8") if (ROOT / page).is_file() else ""


def _rules(page: str) -> dict[str, str]:
    """Return the text of every rule by number."""
    return dict(_RULE.findall(_text(page)))


def _headings(page: str) -> list[str]:
    return re.findall(r"^## (\d+)\.", _text(page), re.MULTILINE)


def _mark(text: str) -> str | None:
    return next((meaning for mark, meaning in MARKS.items() if text.startswith(mark)), None)


def _code(text: str) -> set[str]:
    """Return the text in code style, which is the same in every language, without examples of moves."""
    return {part for part in re.findall(r"`([^`]+)`", text) if not re.fullmatch(r"[A-Z|]+", part)}


def _figures(text: str) -> Counter[str]:
    """Return players, counts, totals and hashes."""
    return Counter(re.findall(r"\b[A-F]\b|[0-9a-f]{32,}|\d+(?:\.\d+)?", re.sub("([\u4e00-\u9fff])", " ", text)))


def _table(page: str, section: int) -> list[list[str]]:
    part = _text(page).partition(f"\n## {section}.")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


if __name__ == "__main__":
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
