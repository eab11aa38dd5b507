"""Every rule of docs/reference/rules.md is cited by a test, or listed here with the reason why it cannot be tested."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = re.findall(r"^- \*\*(\d+\.\d+)\*\*", (ROOT / "docs/reference/rules.md").read_text(), re.MULTILINE)
_CITED = re.compile(r"Rules? ((?:\d+\.\d+(?:, | and | to )?)+)")

# Rules that no code implements.
NOTHING_TO_TEST = {
    "2.4": "originality is the organisers' business; the warning is rule 2.7's",
    "11.12": "not implemented: its text is lost",
    "13.1": "history",
    "16.1": "the site cannot know the program",
    **{f"28.{number}": "nobody knows it" for number in range(1, 10)},
}


def cited(text: str) -> list[str]:
    """Return the numbers of the rules that a docstring cites; "8.1 to 8.3" means all three."""
    numbers: list[str] = []
    for found in _CITED.findall(text):
        for part in re.split(r", | and ", found.rstrip(", ")):
            first, _to, last = part.partition(" to ")
            section, start = first.split(".")
            end = last.split(".")[1] if last else start
            numbers += [f"{section}.{rule}" for rule in range(int(start), int(end) + 1)]
    return numbers


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """Return the rules that tests cite."""
    trees = [ast.parse(file.read_text()) for file in (ROOT / "tests").rglob("test_*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    of_tests = [ast.get_docstring(node) or "" for node in functions if node.name.startswith("test_")]
    return {number for docstring in of_tests for number in cited(docstring)}


def test_a_range_of_rules_contains_all_between_its_ends():
    assert cited("Rules 8.1 to 8.3, 9.2.") == ["8.1", "8.2", "8.3", "9.2"]


def test_each_rule_decided_by_code_has_a_test(tests):
    assert set(RULES) - set(NOTHING_TO_TEST) == set(tests)


def test_code_cites_only_rules_that_exist():
    sources = [*(ROOT / "contest").rglob("*.py"), *(ROOT / "solvers").rglob("*.py")]
    assert {number for file in sources for number in cited(file.read_text())} <= set(RULES)


def test_rules_are_numbered_in_order_and_once():
    sections = defaultdict(list)
    for number in RULES:
        section, rule = number.split(".")
        sections[int(section)].append(int(rule))
    assert all(rules == list(range(1, len(rules) + 1)) for rules in sections.values())
