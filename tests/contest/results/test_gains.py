import pytest

from contest import results
from contest.models import Player
from tests import cast

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
