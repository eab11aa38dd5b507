import pytest

from contest.models import LibraryLevel
from solvers import sokoban
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_opening")]


def a_level(title: str, length: int = 1, **fields) -> None:
    board = sokoban.Level.parse(f"{'#' * (length + 5)}|#@{'-' * length}$.#|{'#' * (length + 5)}")
    facts = {"text": board.published_text, "width": board.width, "height": 3, "boxes": 1, "added_at": cast.OPENS}
    LibraryLevel.objects.create(title=title, sha256=board.sha256, key=board.key, **{**facts, **fields})


def test_levels_are_found_by_their_properties(organiser):
    a_level("long", 9, author="Ann", tags="classic, corridor", difficulty=1)
    a_level("small", difficulty=5)
    a_level("used", boxes=2, state="used", rights="Ben, 2026", difficulty=3)
    for asked, expected in (
        ({"q": "classic lo"}, ["long"]),
        ({"rights": "given", "difficulty": "3"}, ["used"]),
        ({"difficulty": "1"}, ["long"]),
        ({"difficulty": "5"}, ["small"]),
        ({"rights": "none", "state": "draft"}, ["small", "long"]),
        ({"width__lte": "7"}, ["used", "small"]),
        ({"boxes__lte": "1", "by": "title"}, ["long", "small"]),
        ({"boxes__gte": "many"}, ["used", "small", "long"]),
    ):
        shown = organiser.get("/en/desk/library/", asked).context["shown"]
        assert [row["level"].title for row in shown] == expected, asked
