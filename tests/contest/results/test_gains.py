import random

import pytest

from contest import results
from contest.models import Level, Metric, Player
from contest.rankings import standings
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.django_db


def rows(round_):
    return results.preview(round_, round_.levels.all(), cast.DURING).rows


def nearest(round_, *names, least=None):
    players = Player.objects.filter(nickname__in=names).values_list("pk", flat=True)
    gain = results.nearest_gain(rows(round_), set(players), least or {})
    return gain and (gain.slot, gain.metric, gain.fewer, gain.rank)


def test_the_smallest_improvement_that_gains_a_rank_is_named(during_round):
    """Rule 7.7."""
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 24)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Cy", 30, 8)], slot="extra")
    assert nearest(during_round, "Cy") == ("main", "pushes", 3, 2)
    assert nearest(during_round, "Ann", "Cy") == ("main", "pushes", 3, 2)
    assert nearest(during_round, "Dee") is None
    assert nearest(during_round, "Nobody") is None
    assert nearest(during_round, "Cy", least={"main": 22}) == ("main", "moves", 11, 2)


@pytest.mark.parametrize("seed", cases(range(2), range(2, 8)))
def test_the_nearest_gain_agrees_with_the_rankings(during_round, seed):
    """With many equal results; the oracle queries each ranking separately."""
    random_ = random.Random(seed)
    names = [f"Player {number}" for number in range(7)]
    entered = [(name, moves := random_.randint(20, 26), random_.randint(5, min(9, moves))) for name in names]
    cast.enter_all(during_round, entered)
    level = Level.objects.get(round=during_round, slot="main")
    for player in Player.objects.filter(nickname__in=names):
        needed = [
            (next_gain.fewer, next_gain.rank)
            for metric in Metric
            if (next_gain := standings.next_gain(level, metric, player, standings.rows_around(level, metric, player)))
        ]
        gain = results.nearest_gain(rows(during_round), {player.pk}, {})
        assert (gain and (gain.fewer, gain.rank)) == min(needed, default=None)
