"""The hall of fame and the countries are added up once, and anew when what they hang on changes."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

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


def read_placings(ask):
    with CaptureQueriesContext(connection) as asked:
        ask()
    return [one["sql"] for one in asked if "contest_placing" in one["sql"]]


@pytest.fixture
def two_rounds():
    a_player("Ann", country="nl")
    a_player("Bo", country="jp")
    a_final_round(1, "Ann", "Bo")
    return a_final_round(2, "Ann", "Bo")


@pytest.mark.parametrize("ask", [hall, countries])
def test_who_comes_later_reads_no_placing(two_rounds, ask):
    before = ask()
    assert read_placings(ask) == []
    assert ask() == before


def test_a_round_that_is_published_anew_changes_both(two_rounds):
    before = hall(), countries()
    a_placing(two_rounds, "Cy", 80, 80)
    Round.objects.filter(pk=two_rounds.pk).update(tabulated_version=7)  # as publishing does
    assert (hall(), countries()) != before
    assert "Cy" in {name for _rank, name, _points in hall()}


def test_a_round_that_is_final_no_longer_is_left_out(two_rounds):
    hall()
    Round.objects.filter(pk=two_rounds.pk).update(cancelled_at=NOW)
    assert hall() == [(1, "Ann", "39.5"), (2, "Bo", "37.5")]


def test_a_name_that_is_merged_counts_for_its_player_at_once(two_rounds):
    hall(), countries()
    ann, bo = Player.objects.order_by("pk")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    assert hall() == [(1, "Ann", "79")]
    assert countries() == [("NL", "79")]


def test_a_new_nickname_is_read_at_once(two_rounds):
    hall()
    Player.objects.filter(nickname="Bo").update(nickname="Boa")
    assert [name for _rank, name, _points in hall()] == ["Ann", "Boa"]


def test_a_new_country_is_read_at_once(two_rounds):
    assert countries() == [("NL", "79"), ("JP", "75")]
    Player.objects.filter(nickname="Bo").update(country="tw")
    assert countries() == [("NL", "79"), ("TW", "75")]
    one, other = Player.objects.order_by("pk")
    Player.objects.filter(pk=one.pk).update(country="tw")
    Player.objects.filter(pk=other.pk).update(country="nl")
    assert countries() == [("TW", "79"), ("NL", "75")]
