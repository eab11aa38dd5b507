"""docs/glossary.md: every word is somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| English"))
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_word_lives_where_the_glossary_says(row):
    english, chinese, meaning, place = row
    assert english
    assert meaning
    assert re.search("[\u4e00-\u9fff]", chinese)
    file, *names = re.findall(r"`([^`]+)`", place)
    text = (ROOT / file).read_text("utf-8")
    assert all(re.search(rf"\b{name}\b", text) for name in names)


def test_it_says_each_word_once():
    words = [row[0] for row in ROWS]
    assert len(set(words)) == len(words)
