from datetime import timedelta

import pytest

from contest import bests, standings
from contest.models import Best, Board, Metric, Submission
from tests import cast

pytestmark = pytest.mark.django_db

# Rule 19.1, in order of receipt.
WORKED_EXAMPLE = [("A", 500, 120), ("C", 510, 110), ("B", 500, 118), ("D", 530, 125), ("E", 500, 120), ("B", 520, 110)]


@pytest.fixture
def example(during_round):
    """The worked example, written as rows: its results, not its moves, are what matters."""
    level = during_round.levels.get(slot="main")
    claims: dict[str, str] = {}
    for place, (name, moves, pushes) in enumerate(WORKED_EXAMPLE):
        receipt = cast.send(name, "r" * (place + 1), claim=claims.get(name, ""))
        claims.setdefault(name, receipt.claim or "")
        submission = receipt.submission
        received_at = cast.DURING + timedelta(minutes=place)
        Submission.objects.filter(pk=submission.pk).update(received_at=received_at)
        submission.received_at = received_at
        submission.level, submission.moves, submission.pushes = level, moves, pushes
        bests.keep([(Board.CONTEST, submission)])
    return level


def test_the_worked_example_ranks_by_moves_and_by_pushes(example):
    """Rules 8.1 to 8.5."""
    by_moves, by_pushes = (standings.standings(example, metric) for metric in Metric)
    assert [(row.rank, row.player.nickname, row.moves, row.pushes) for row in by_moves] == [
        (1, "B", 500, 118),
        (2, "A", 500, 120),
        (3, "E", 500, 120),
        (4, "C", 510, 110),
        (5, "D", 530, 125),
    ]
    assert [row.player.nickname for row in by_pushes] == ["C", "B", "A", "E", "D"]


def test_the_worked_example_has_its_pareto_front(example):
    """Rule 12.1."""
    front = {(row.moves, row.pushes) for row in standings.standings(example, "moves") if row.pareto}
    front |= {(row.moves, row.pushes) for row in standings.standings(example, "pushes") if row.pareto}
    assert front == {(510, 110), (500, 118)}


def test_a_submission_knows_the_ranks_it_holds(example):
    by_moves = Best.objects.get(player__nickname="B", metric="moves").submission
    by_pushes = Best.objects.get(player__nickname="B", metric="pushes").submission
    assert standings.ranks(by_moves) == {"moves": 1, "pushes": None}
    assert standings.ranks(by_pushes) == {"moves": None, "pushes": 2}
