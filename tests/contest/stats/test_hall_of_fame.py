"""The hall of fame and the countries are computed once, and again when their inputs change."""

from datetime import UTC, datetime

import pytest

from contest.models import Player, Round
from contest.stats import hall_of_fame
from contest.visibility import Viewer
from tests.contest.outcomes import a_final_round, a_placing, a_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_of_its_own")]
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def hall():
    return [(rank, str(tally.player), tally.points) for rank, tally in hall_of_fame.hall(Viewer(), NOW)]


def countries():
    return [(country.code, country.points) for country in hall_of_fame.countries(Viewer(), NOW)]


@pytest.fixture
def two_rounds():
    a_player("Ann", country="nl")
    a_player("Bo", country="jp")
    a_final_round(1, "Ann", "Bo")
    return a_final_round(2, "Ann", "Bo")


def test_publishing_a_round_again_changes_both(two_rounds):
    before = hall(), countries()
    a_placing(two_rounds, "Cy", 80, 80)
    Round.objects.filter(pk=two_rounds.pk).update(tabulated_version=7)  # as publishing does
    assert (hall(), countries()) != before
    assert "Cy" in {name for _rank, name, _points in hall()}


def test_changes_of_players_and_rounds_are_visible_at_once(two_rounds):
    """New nicknames and countries, a merge, a round that is no longer final."""
    assert (hall()[1], countries()) == ((2, "Bo", "75"), [("NL", "79"), ("JP", "75")])
    ann, bo = Player.objects.order_by("pk")
    Player.objects.filter(pk=bo.pk).update(nickname="Boa", country="tw")
    assert (hall()[1], countries()) == ((2, "Boa", "75"), [("NL", "79"), ("TW", "75")])
    for player, country in ((ann, "tw"), (bo, "nl")):
        Player.objects.filter(pk=player.pk).update(country=country)
    assert countries() == [("TW", "79"), ("NL", "75")]
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    assert (hall(), countries()) == ([(1, "Ann", "79")], [("TW", "79")])
    Round.objects.filter(pk=two_rounds.pk).update(cancelled_at=NOW)
    assert hall() == [(1, "Ann", "39.5")]
