"""The list of levels that can be played on any day, checked against a slow calculation."""

import pytest

from contest.levels import catalogue
from contest.levels.catalogue import Selection
from contest.models import Best, Level, Metric, Player, Submission
from contest.rankings import personal_bests
from contest.rankings.standings import SOLVED_ON
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db
LATER = cast.AFTER


@pytest.fixture
def played(db):
    """Two closed rounds. Ann is first on main 1 and second on extra 1; Bo solved three levels; main 2 only he."""
    first, second = cast.a_round(1, **cast.earlier(3)), cast.a_round(2)
    for round_, slot, name, moves, pushes in (
        (first, "main", "Ann", 10, 5),
        (first, "main", "Bo", 12, 5),
        (first, "main", "Cy", 12, 7),
        (first, "extra", "Ann", 30, 9),
        (first, "extra", "Bo", 30, 8),
        (second, "main", "Bo", 40, 4),
    ):
        cast.enter(round_, name, moves, pushes, slot=slot, at=round_.opens_at)
    return first, second


def ann() -> Viewer:
    return Viewer(proved=frozenset({Player.objects.get(nickname="Ann").pk}))


def names(viewer: Viewer, **wanted) -> list[str]:
    return [level.title for level in catalogue.levels(viewer, LATER, Selection(**wanted))]


@pytest.mark.parametrize(
    ("show", "listed"),
    [
        (catalogue.ALL, ["main of 2", "extra of 2", "main of 1", "extra of 1"]),
        (catalogue.NEW, ["main of 2", "extra of 2"]),
        (catalogue.SOLVED, ["main of 1", "extra of 1"]),
        (catalogue.BETTER, ["extra of 1"]),
    ],
)
def test_a_reader_can_list_new_solved_and_improvable_levels(played, show, listed):
    assert names(ann(), show=show) == listed
    everything_is_new = ("main of 2", "extra of 2", "main of 1", "extra of 1") if show in ("", catalogue.NEW) else ()
    assert names(Viewer(), show=show) == list(everything_is_new)


@pytest.mark.parametrize(
    ("by", "listed"),
    [
        ("newest", ["main of 2", "extra of 2", "main of 1", "extra of 1"]),
        ("boxes", ["main of 1", "main of 2", "extra of 2", "extra of 1"]),
        ("size", ["main of 2", "main of 1", "extra of 2", "extra of 1"]),
        ("most", ["main of 1", "extra of 1", "main of 2", "extra of 2"]),
        ("least", ["extra of 2", "main of 2", "extra of 1", "main of 1"]),
    ],
)
def test_the_list_has_the_requested_order_or_else_the_newest_first(played, by, listed):
    played[0].levels.filter(slot="extra").update(boxes=2)
    played[0].levels.filter(slot="main").update(boxes=0)  # so that the order by boxes differs from that by time
    assert names(Viewer(), by=by) == listed


@pytest.mark.parametrize(
    ("wanted", "slots"),
    [
        ({"boxes_from": 2}, {"extra"}),
        ({"boxes_to": 1}, {"main"}),
        ({"boxes_from": 1, "boxes_to": 2}, {"main", "extra"}),
        ({"boxes_from": 3}, set()),
        ({"longest": 6}, {"main", "extra"}),
        ({"longest": 5}, set()),
        ({"text": "EXTRA of"}, {"extra"}),
        ({"text": "auth"}, {"main", "extra"}),
        ({"text": "%"}, set()),
    ],
)
def test_the_list_is_filtered_by_boxes_size_and_text(played, wanted, slots):
    Level.objects.filter(slot="extra").update(boxes=2)
    assert {level.slot for level in catalogue.levels(Viewer(), LATER, Selection(**wanted))} == slots


def test_a_player_with_a_contest_and_a_practice_solution_counts_once(played):
    first = played[0]
    practice = cast.enter(first, "Ann", 9, 5, at=LATER)
    Submission.objects.filter(pk=practice.pk).update(is_practice=True)
    spectator = cast.enter(first, "Dee", 8, 5, at=LATER)
    level = first.levels.get(slot="main")
    personal_bests.recount(level, Player.objects.all())
    Best.objects.filter(submission=spectator).update(board="spectator")
    assert Best.objects.filter(level=level, player__nickname="Ann", metric=Metric.MOVES).count() == 2
    listed = list(catalogue.levels(ann(), LATER, Selection()))
    assert (
        [listed_level.solvers for listed_level in listed]
        == [_counted(listed_level) for listed_level in listed]
        == [1, 0, 3, 2]
    )
    assert listed[2].own_moves == 9  # from practice


def _counted(level) -> int:
    return len({best.player_id for best in Best.objects.filter(level=level) if best.board in SOLVED_ON})
