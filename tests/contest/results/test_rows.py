import pytest

from contest import results
from tests import cast

pytestmark = pytest.mark.django_db


def test_every_ranks_points_are_shown_and_add_up(during_round):
    """Rules 9.1, 9.2, 9.4: what a row is made of, level by level."""
    during_round.settings |= {"scoring_levels": ["main", "extra"], "push_points": [19.5, 18.5]}
    during_round.save()
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 21)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Ann", 10, 2)], slot="extra")
    rows = results.table(results.live(during_round, cast.AFTER)).rows
    for row in rows:
        assert sum(score.half_points for score in row.scores if score.metric == "moves") == row.by_moves
        assert sum(score.half_points for score in row.scores if score.metric == "pushes") == row.by_pushes
    assert [(score.slot, score.metric, score.rank, score.points) for score in rows[0].scores] == [
        ("main", "moves", 2, "19"),
        ("main", "pushes", 1, "19.5"),
        ("extra", "moves", 2, "19"),
        ("extra", "pushes", 1, "19.5"),
    ]
    bo = next(row for row in rows if row.player.nickname == "Bo")
    assert [(score.rank, score.points) for score in bo.scores] == [(1, "20"), (3, "0"), (None, "0"), (None, "0")]
