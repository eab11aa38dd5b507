import json
import re

import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving import savitch

pytestmark = pytest.mark.django_db

PAGES = ["lab/", "lab/solver/", "lab/klotski/", "lab/sokoban/", "lab/knight/", "lab/games/", "lab/logic/"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_and_its_script_are_in_the_readers_language(client, page):
    english, chinese = (client.get(f"/{language}/{page}").content.decode() for language in ("en", "zh-hans"))
    for text in (english, chinese):
        assert "%(" not in re.sub(r'<script type="application/json">.*?</script>', "", text)
    if page in PAGES[2:]:
        assert '"sentences"' in english
        sentences = re.search(r'"sentences": (\{.*?\})', chinese)[1].encode().decode("unicode_escape")
        assert re.search(r"[\u4e00-\u9fff]", sentences)


def test_every_klotski_goal_has_a_message(client):
    text = client.get("/en/lab/klotski/").content.decode()
    goals = re.findall(r'value="([^"]+)"', re.search(r"<select data-goal>(.*?)</select>", text, re.DOTALL)[1])
    assert set(goals) <= json.loads(re.search(r'"sentences": (\{.*?\})', text)[1]).keys()
    assert len(goals) == text.count('class="soldier"') == 4
    assert "横刀立马 · 81" in client.get("/zh-hans/lab/klotski/").content.decode()


def knight_page(client, squares):
    names = ("rows", "columns", "start_row", "start_column", "target_row", "target_column")
    return client.get("/en/lab/knight/", dict(zip(names, squares, strict=True))).content.decode()


def test_a_knights_path_is_computed_without_a_script(client):
    for squares, text in {
        (8, 8, 1, 1, 8, 8): "Moves: 6",
        (8, 8, 1, 1, 2, 2): "the border is in the way",
        (3, 3, 1, 1, 2, 2): "No knight gets there on this board.",
        (10**7, 10**7 + 1, 1, 1, 9_999_999, 10_000_001): "Moves: 6666666",
    }.items():
        assert text in knight_page(client, squares)


def test_a_square_outside_the_board_is_reported_at_its_field(client):
    for squares in ((0, 8, 1, 1, 1, 1), (8, 8, 9, 1, 1, 1), (8, 8, 1, -1, 1, 1), (10**30, 8, 1, 1, 1, 1), "x8111\1"):
        text = knight_page(client, squares)
        assert "errorlist" in text
        assert "Moves:" not in re.sub(r'<script type="application/json">.*?</script>', "", text)


def savitch_rows(client, language):
    """Return the numbers of each row: squares, states, questions, memory, and memory of breadth-first search."""
    text = client.get(f"/{language}/lab/logic/").content.decode()
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)]
    return {tuple(cell_number(cell) for cell in row[1:6]) for row in rows if len(row) == 7}


def test_the_table_of_savitchs_search_matches_the_search(client):
    rows, names = savitch_rows(client, "en"), dict(savitch.EXAMPLES)
    assert len(rows) == 6
    assert savitch_rows(client, "zh-hans") == rows
    for name in ("corridor of 3, not solvable", "corridor of 4", "corridor of 4, not solvable"):
        level = Level.parse(names[name])
        found = savitch.decide(level, halvings=savitch.least_halvings(level))
        assert (*board_size(level), found.questions, found.bits, savitch.breadth_first_bits(level)) in rows
    for name in ("room of 6", "room of 9, two boxes"):
        level = Level.parse(names[name])
        row = next(row for row in rows if row[:2] == board_size(level))
        assert (row[2], row[4]) == (1_000_000, savitch.breadth_first_bits(level))


def board_size(level):
    return len(level.reach), savitch.count_states(level)


def cell_number(cell):
    return int("0" + "".join(re.findall(r"\d", cell)))
