"""Both languages of the rules agree: numbers, marks, references, settings and worked examples."""

import re
from collections import Counter
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs/reference"
ENGLISH, CHINESE = ((DOCS / name).read_text("utf-8") for name in ("rules.md", "rules.zh-hans.md"))
MARKS = {"*(ours)*": "ours", "*(inferred)*": "inferred", "*（本站）*": "ours", "*（推断）*": "inferred"}
_RULE = re.compile(r"^- \*\*(\d+\.\d+)\*\* (.*?)(?=^- \*\*|^#|^\||\Z)", re.MULTILINE | re.DOTALL)


def rules(text):
    """Return every rule by number: its mark and its text."""
    found = {}
    for number, rule_text in _RULE.findall(text):
        mark = next((mark for mark in MARKS if rule_text.startswith(mark)), "")
        found[number] = MARKS.get(mark), rule_text.removeprefix(mark).strip()
    return found


IN_ENGLISH, IN_CHINESE = rules(ENGLISH), rules(CHINESE)


def test_both_have_the_same_rules_in_the_same_order():
    assert list(IN_ENGLISH) == list(IN_CHINESE)
    assert re.findall(r"^## (\d+)\.", ENGLISH, re.MULTILINE) == re.findall(r"^## (\d+)\.", CHINESE, re.MULTILINE)


def code(rule_text):
    """Return the text in code style, which is the same in every language: settings, fields and formulas."""
    return {part for part in re.findall(r"`([^`]+)`", rule_text) if not re.fullmatch(r"[A-Z|]+", part)}


def figures(rule_text):
    """Return players, counts, totals and hashes."""
    return Counter(re.findall(r"\b[A-F]\b|[0-9a-f]{32,}|\d+(?:\.\d+)?", re.sub("([\u4e00-\u9fff])", " ", rule_text)))


def test_a_rule_has_the_same_mark_settings_and_figures():
    """Rules 19.1 to 19.6."""
    for number, (mark, english) in IN_ENGLISH.items():
        other_mark, chinese = IN_CHINESE[number]
        assert mark == other_mark, number
        assert {part.replace("ROUND", "期号") for part in code(english)} == code(chinese) or number == "11.2", number
        if number.startswith("19."):
            assert figures(english) == figures(chinese) != Counter(), number


def test_tables_have_the_same_rows_and_defaults():
    """Rules 7.4, 17.1."""

    def table(text, section):
        part = text.split(f"\n## {section}.")[1].split("\n## ")[0]
        return [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in part.splitlines()
            if line.startswith("|") and not line.startswith("|---")
        ]

    assert [row[0] for row in table(ENGLISH, 17)[1:]] == [row[0] for row in table(CHINESE, 17)[1:]]
    terms = {"never": "绝不", "yes": "是", "–": "–", "provisional": "暂定", "own": "自己的", "7.3": "见 7.3"}
    terms["points as preview"] = "得分预览"
    shown = [[terms[cell] for cell in row[1:]] for row in table(ENGLISH, 7)[1:]]
    assert shown == [row[1:] for row in table(CHINESE, 7)[1:]]


def test_both_say_that_english_prevails_and_what_the_marks_mean():
    assert "this English page prevails" in ENGLISH
    assert "以英文版为准" in CHINESE
    assert all(mark in ENGLISH or mark in CHINESE for mark in MARKS)
    assert {mark for mark, _text in IN_ENGLISH.values()} == {None, "ours", "inferred"}
