from datetime import timedelta

import pytest

from contest.infra import clock
from contest.levels.alike import similar_levels
from contest.models import CollectedLevel, Level
from contest.visibility import Viewer
from solvers.sokoban import Level as Board
from tests import cast

pytestmark = pytest.mark.django_db

LONGER = "########|#@-$-.-#|########"


def titles_and_percents(board: str, at=cast.DURING) -> list[tuple[str, int]]:
    return [(similar.level.title, similar.percent) for similar in similar_levels(Viewer(), at, Board.parse(board))]


def test_the_same_level_is_found_in_any_orientation(db):
    cast.a_collection(boards=(cast.CORRIDOR, LONGER))
    turned = Board.parse(LONGER).transform(5).published_text
    assert titles_and_percents(turned)[0] == ("corridors 2", 100)


def test_the_most_similar_come_first_and_dissimilar_ones_are_omitted(db):
    cast.a_collection(boards=("#########|#@-$---.#|#########", LONGER, "#####|#@$.#|#####", "####|#@$|#-.|#--|####"))
    near = titles_and_percents("########|#@-$--.#|########")
    assert [title for title, _percent in near] == ["corridors 2", "corridors 1"]
    assert near[0][1] > near[1][1]


@pytest.mark.parametrize(
    ("at", "is_there"),
    [(cast.OPENS - timedelta(seconds=1), False), (cast.OPENS, True), (cast.DURING, True), (cast.AFTER, True)],
)
def test_levels_of_rounds_are_found_once_they_are_public(db, at, is_there):
    """Rule 7.4: a level of a round that has not opened is never found."""
    with clock.set_to(cast.OPENS - timedelta(days=1)):
        cast.a_round()
    assert bool(titles_and_percents(Level.objects.get(slot="main").text, at)) is is_there


def test_withdrawn_levels_and_levels_without_a_player_are_not_compared(db):
    cast.a_collection(boards=(LONGER, LONGER))
    first, second = CollectedLevel.objects.order_by("place")
    CollectedLevel.objects.filter(pk=first.pk).update(is_public=False)
    CollectedLevel.objects.filter(pk=second.pk).update(key="", text=LONGER.replace("@", "-"))
    assert titles_and_percents(LONGER) == []
