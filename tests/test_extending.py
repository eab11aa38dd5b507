"""docs/extending.md: every rule is where it says, and every test it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "extending.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and "](" in line]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_a_rule_is_where_the_table_says(row):
    places = re.findall(r"\[`([^`]+)`\]\(\.\./([^)]+)\) `(\w+)`(?:, `(\w+)`)?", row)
    assert places
    for shown, file, *names in places:
        assert shown == file
        text = (ROOT / file).read_text("utf-8")
        assert all(re.search(rf"^ *(?:def |class )?{name}(?=[(:\[]| =)", text, re.MULTILINE) for name in names if name)


def test_links_within_the_page_lead_to_its_sections():
    heads = {
        re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= heads


def test_files_that_the_page_names_are_there():
    named = re.findall(r"`((?:contest|solvers|tests|docs|client|templates)/[\w/.-]+)`", TEXT)
    named += re.findall(r"\]\(\.\./([^)]+)\)", TEXT)
    assert [path for path in named if not (ROOT / path).exists()] == []


# What a stranger asks first: how docs/extending.md calls it, a row or a section, and the file that answers.
QUESTIONS = {
    "who wins a tie": "contest/rules/tabulation.py",
    "A third ranking": "contest/models/result.py",
    "what a nickname may be": "contest/players/names.py",
    "A page": "contest/web/urls.py",
    "A level format": "solvers/sokoban/formats/",
    "how much may be sent, the quotas": "contest/submissions/limits.py",
    "when a round has opened": "contest/visibility/of_rounds.py",
    "who sees what": "contest/visibility/of_rounds.py",
    "what an organiser sees and may do, with drafts": "contest/staff/track_owners.py",
    "A round setting": "contest/rules/settings.py",
    "An event, and a webhook that tells it": "contest/outreach/webhooks.py",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_stranger_finds_the_answer_in_two_steps_from_the_readme(question):
    assert "](docs/extending.md)" in README
    rows = [row for row in ROWS if row.startswith(f"| {question} |")]
    sections = [section for section in TEXT.split("\n## ") if section.startswith(f"{question}\n")]
    (answer,) = rows + sections
    assert f"`{QUESTIONS[question]}" in answer
