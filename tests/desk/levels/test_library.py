"""The library is found through by what a level is."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.library import shelf
from contest.models import LibraryLevel, Slot
from solvers import sokoban
from tests import cast
from tests.desk.conftest import member

pytestmark = pytest.mark.django_db

LIBRARY = "/en/desk/library/"


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(cast.OPENS):
        yield


def a_level(title: str, length: int = 1, **fields) -> LibraryLevel:
    board = sokoban.Level.parse(f"{'#' * (length + 5)}|#@{'-' * length}$.#|{'#' * (length + 5)}")
    facts = {"text": board.published_text, "width": board.width, "height": 3, "boxes": 1, "added_at": cast.OPENS}
    return LibraryLevel.objects.create(title=title, sha256=board.sha256, key=board.key, **{**facts, **fields})


def titles(client, **asked) -> list[str]:
    return [one["level"].title for one in client.get(LIBRARY, asked).context["shown"]]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"q": "ann"}, ["long"]),
        ({"q": "classic lo"}, ["long"]),
        ({"state": "used"}, ["used"]),
        ({"rights": "given"}, ["used"]),
        ({"rights": "none", "state": "draft"}, ["small", "long"]),
        ({"difficulty": "3"}, ["used"]),
        ({"width__lte": "7"}, ["used", "small"]),
        ({"boxes__gte": "2"}, ["used"]),
        ({"boxes__lte": "1", "by": "title"}, ["long", "small"]),
        ({"boxes__gte": "many"}, ["used", "small", "long"]),
        ({"q": "nothing"}, []),
    ],
)
def test_levels_are_found_by_what_they_are(organiser, asked, expected):
    a_level("long", 9, author="Ann", tags="classic, corridor")
    a_level("small")
    a_level("used", boxes=2, state="used", rights="Ben, 2026", difficulty=3)
    assert titles(organiser, **asked) == expected


def test_staff_authors_see_their_own_levels_only(author):
    a_level("hidden")
    assert titles(author) == []


@pytest.mark.parametrize(("role", "state"), [("author", "ready"), ("organiser", "draft")])
def test_only_who_may_see_a_twin_learns_of_it_from_what_becomes_of_a_level(role, state):
    """Rules 2.7, 7.4: a level of a round that has not opened."""
    round_ = cast.a_round(opens_at=cast.OPENS + timedelta(days=9))
    board, user = round_.levels.get(slot=Slot.MAIN).board, member(role)
    level = LibraryLevel(title="Mine", author="Ann")
    shelf.keep(level, board, "rR", at=cast.OPENS, by=user, is_confirmed=False)
    assert level.state == state


def test_an_author_learns_of_a_twin_once_its_round_has_opened():
    """Rules 2.7, 7.4."""
    board = cast.a_round().levels.get(slot=Slot.MAIN).board
    level = LibraryLevel(title="Mine", author="Ann")
    at = cast.OPENS + timedelta(hours=1)
    shelf.keep(level, board, "rR", at=at, by=member("author"), is_confirmed=False)
    assert level.state == "draft"


def test_a_page_of_the_library_asks_little(organiser, django_assert_max_num_queries):
    for number in range(3):
        a_level(f"first {number}")
    with django_assert_max_num_queries(8):
        organiser.get(LIBRARY, {"q": "first", "by": "boxes"})
