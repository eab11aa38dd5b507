import re
from collections import defaultdict

import pytest

from contest.web.lab import covers

pytestmark = pytest.mark.django_db


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


def test_the_heaps_on_the_picture_of_the_games_are_centred():
    rows = defaultdict(list)
    for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', covers.games()):
        rows[y].append(float(x))
    assert [len(row) for row in rows.values()] == [1, 3, 5, 7]
    assert {sum(row) / len(row) for row in rows.values()} == {3.5}
