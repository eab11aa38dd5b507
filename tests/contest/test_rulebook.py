"""Every rule of docs/rules.md is covered by a test that cites it, or is listed here with the reason why none can be."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = re.findall(r"^- \*\*(\d+\.\d+)\*\*", (ROOT / "docs/rules.md").read_text(), re.MULTILINE)
_CITED = re.compile(r"Rules? ((?:\d+\.\d+(?:, | and | to )?)+)")

# Rules that no code decides.
NOTHING_TO_TEST = {
    "2.4": "originality is the organisers' business; the warning is rule 2.7's",
    "11.12": "not implemented: its text is lost",
    "13.1": "history",
    "16.1": "the site cannot know the program",
    **{f"28.{number}": "nobody knows it" for number in range(1, 10)},
}


def cited(text: str) -> list[str]:
    """The numbers of rules that a docstring cites; "8.1 to 8.3" are all three."""
    numbers: list[str] = []
    for found in _CITED.findall(text):
        for part in re.split(r", | and ", found.rstrip(", ")):
            first, _to, last = part.partition(" to ")
            section, start = first.split(".")
            end = last.split(".")[1] if last else start
            numbers += [f"{section}.{rule}" for rule in range(int(start), int(end) + 1)]
    return numbers


@pytest.fixture(scope="module")
def tests() -> dict[str, list[str]]:
    """The tests that cite each rule."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in cited(ast.get_docstring(node) or ""):
                    found[number].append(f"{file.relative_to(ROOT).as_posix()}::{node.name}")
    return found


def test_a_range_of_rules_is_all_between_its_ends():
    assert cited("Rules 8.1 to 8.3, 9.2.") == ["8.1", "8.2", "8.3", "9.2"]


@pytest.mark.parametrize("number", RULES)
def test_the_rule_has_a_test(tests, number):
    if number in NOTHING_TO_TEST:
        assert number not in tests, f"rule {number} has a test by now: {tests[number]}"
    else:
        assert number in tests, f"no test cites rule {number}"


def test_tests_cite_only_rules_that_exist(tests):
    assert set(tests) <= set(RULES)


def test_code_cites_only_rules_that_exist():
    sources = [*(ROOT / "contest").rglob("*.py"), *(ROOT / "solvers").rglob("*.py")]
    assert {number for file in sources for number in cited(file.read_text())} <= set(RULES)


def test_rules_are_numbered_in_order_and_once():
    sections = defaultdict(list)
    for number in RULES:
        section, rule = number.split(".")
        sections[int(section)].append(int(rule))
    assert all(rules == list(range(1, len(rules) + 1)) for rules in sections.values())
