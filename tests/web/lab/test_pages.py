import re
from collections import defaultdict
from urllib.parse import urlencode

import pytest

from contest.web.lab import covers

pytestmark = pytest.mark.django_db
TWO_ROOMS = "#######\n#--#--#\n#@---$#\n#--#-.#\n#######"
CORRIDOR = "#######\n#@$---#\n#####.#\n#######"


def test_a_knights_path_is_computed_without_a_script(client):
    names = ("rows", "columns", "start_row", "start_column", "target_row", "target_column")
    for squares, text in {
        (8, 8, 1, 1, 8, 8): "Moves: 6",
        (8, 8, 1, 1, 2, 2): "the border is in the way",
        (3, 3, 1, 1, 2, 2): "No knight gets there on this board.",
        (10**7, 10**7 + 1, 1, 1, 9_999_999, 10_000_001): "Moves: 6666666",
    }.items():
        assert text in client.get("/en/lab/knight/", dict(zip(names, squares, strict=True))).text


def test_the_heaps_on_the_picture_of_the_games_are_centred():
    rows = defaultdict(list)
    for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', covers.games()):
        rows[y].append(float(x))
    assert [len(row) for row in rows.values()] == [1, 3, 5, 7]
    assert {sum(row) / len(row) for row in rows.values()} == {3.5}


def page(client, **fields):
    return client.get(f"/en/lab/pictures/?{urlencode(fields)}").content.decode()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"level": TWO_ROOMS, "picture": "tree-depth"}, "13 squares, 4 back edges, 4 blocks. Cut squares: C3, D3, E3."),
        ({"level": CORRIDOR, "picture": "pushes", "box": "c2"}, "3 states on 3 squares, at most 3 pushes."),
        ({"game": "nim", "position": "3 1"}, "Grundy value of the first position: 2."),
    ],
)
def test_a_picture_of_ones_own_has_its_facts_as_a_description(client, fields, text):
    assert f"<desc>{text}</desc>" in page(client, **fields)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"level": CORRIDOR, "box": "D2"}, "There is no box on D2."),
        ({"game": "nim", "position": "9 9 9"}, "The picture would have more than 150 parts; draw something smaller."),
        ({"game": "nim", "position": "nine"}, "Write numbers with spaces, such as 3 2."),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(client, fields, text):
    answer = page(client, **fields)
    assert text in answer
    assert answer.count('class="teach"') == 1  # the other picture is the example
