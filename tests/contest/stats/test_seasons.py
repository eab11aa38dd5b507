import random
from datetime import UTC, datetime

import pytest

from contest.models import Player, Round, Season
from contest.stats import hall_of_fame, profiles, seasons
from contest.visibility import Viewer
from tests.contest.outcomes import a_final_round, a_placing, a_player

pytestmark = pytest.mark.django_db

ANYBODY = Viewer()
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def _table(slug="2026", at=NOW):
    season = seasons.season(ANYBODY, slug, at)
    return [(rank, tally.player.nickname, tally.points) for rank, tally in seasons.table(ANYBODY, season, at)]


def hall():
    return [(rank, str(tally.player), tally.points) for rank, tally in hall_of_fame.hall(ANYBODY, NOW)]


def countries():
    return [(country.code, country.points) for country in hall_of_fame.countries(ANYBODY, NOW)]


def _hall(**options):
    return [(rank, tally.player.nickname) for rank, tally in hall_of_fame.hall(ANYBODY, NOW, **options)]


def test_a_season_adds_up_the_round_totals():
    """Rules 7.10, 9.7, 21.1, and 9.3: half points are added exactly, as long as a round is final."""
    a_final_round(1, "Ann", "Bo")
    last = a_final_round(2, "Bo", "Cy", "Ann")
    assert _table() == [(1, "Bo", "77"), (2, "Ann", "75"), (3, "Cy", "37.5")]
    assert _table(at=last.closes_at) == [(1, "Ann", "39.5"), (2, "Bo", "37.5")]
    assert _hall(by="rounds") == [(1, "Bo"), (1, "Ann"), (3, "Cy")]
    assert _hall(by="mpc") == [(1, "Bo"), (1, "Cy"), (3, "Ann")]
    titles = {str(tally.player): tally.titles for _rank, tally in hall_of_fame.hall(ANYBODY, NOW)}
    assert titles == {"Ann": 1, "Bo": 2, "Cy": 1}
    Round.objects.filter(number=2).update(cancelled_at=NOW)
    Round.objects.filter(number=1).update(finalised_at=None)
    assert _table() == _hall() == []


def test_the_year_of_a_round_is_that_of_its_close_in_beijing():
    a_final_round(1, "Ann", closes_at=datetime(2025, 12, 31, 15, 59, tzinfo=UTC))
    a_final_round(2, "Bo", closes_at=datetime(2025, 12, 31, 16, tzinfo=UTC))
    assert [name for _rank, name, _points in _table("2025")] == ["Ann"]
    assert [name for _rank, name, _points in _table("2026")] == ["Bo"]
    assert [season.slug for season in seasons.seasons(ANYBODY, NOW)] == ["2026", "2025"]


def test_ties_are_broken_by_firsts_by_moves_then_by_pushes_then_by_the_earlier_first_point():
    """Rule 21.1: taking part without points is not a first point; players equal in everything share the place."""
    first, second = a_final_round(1, pointless=("Di",)), a_final_round(2)
    a_placing(first, "Ann", 20, 20, firsts_by_pushes=1)
    a_placing(first, "Bo", 20, 20, firsts_by_moves=1)
    a_placing(first, "Cy", 20, 20, firsts_by_pushes=2)
    a_placing(second, "Di", 20)
    a_placing(first, "Ed", 20)
    for name in ("Fe", "Gus"):
        a_placing(first, name)
    ranked = [(1, "Bo"), (2, "Cy"), (3, "Ann"), (4, "Ed"), (5, "Di"), (6, "Fe"), (6, "Gus")]
    assert [(rank, name) for rank, name, _points in _table()] == ranked


def test_a_named_season_has_the_rounds_that_close_between_its_dates():
    for number in (1, 2, 3):
        a_final_round(number, "Ann")
    span = [Round.objects.get(number=number).closes_at for number in (2, 3)]
    Season.objects.create(slug="spring", title_en="Spring", begins_at=span[0], ends_at=span[1])
    assert _table("spring") == [(1, "Ann", "39.5")]


@pytest.mark.parametrize("slug", ["1999", "2031", "autumn", "99999"])
def test_a_season_without_public_rounds_is_unknown(slug):
    a_final_round(1, "Ann")
    Season.objects.create(slug="autumn", begins_at=NOW.replace(year=2030), ends_at=NOW.replace(year=2031))
    with pytest.raises(Season.DoesNotExist):
        seasons.season(ANYBODY, slug, NOW)


@pytest.mark.parametrize("leader", ["Ann", "Annie", "Anna"])
def test_a_profile_has_the_sums_of_the_hall_of_fame_and_the_season(leader):
    """Rules 4.13, 9.7: the same number everywhere, however many names of a player a round has."""
    names, chance = ["Ann", "Annie", "Anna", "Bo"], random.Random(leader)
    for number in range(1, 13):
        round_, entered = a_final_round(number), chance.sample(names, chance.randint(0, 4))
        titles = dict.fromkeys(["is_mmc", "is_mpc", "is_second", "is_lucky"])
        winner = {title: chance.choice(entered) for title in titles} if entered else {}
        for name in entered:
            won = {title: holder == name for title, holder in winner.items()}
            a_placing(round_, name, chance.randint(0, 2), 1, firsts_by_moves=chance.randint(0, 1), **won)
    for name in ("Ann", "Annie", "Anna"):
        player = a_player(name)
        Player.objects.exclude(nickname=leader).filter(pk=player.pk).update(merged_into=a_player(leader))
    in_hall = {tally.player.nickname: tally for _rank, tally in hall_of_fame.hall(ANYBODY, NOW)}
    in_season = {tally.player.nickname: tally for _rank, tally in seasons.table(ANYBODY, seasons.year(2026), NOW)}
    for name in (leader, "Bo"):
        profile = profiles.profile(ANYBODY, a_player(name), NOW)
        assert profile.tally == in_hall[name] == in_season[name]
        numbers = [entered.placing.round.number for entered in profile.rounds]
        assert numbers == sorted(set(numbers), reverse=True)
        assert sum(entered.placing.total for entered in profile.rounds) == profile.tally.half_points


def test_countries_are_the_sums_of_their_players():
    """Rules 4.6, 9.7: codes are compared in capitals; empty and 00 are not given."""
    for name, country in (("Ann", "cn"), ("Bo", "CN"), ("Cy", "de"), ("Di", "00"), ("Ed", "ZZ9")):
        a_player(name, country=country)
    a_final_round(1, "Ann", "Bo", "Cy", "Di")
    a_final_round(2, "Ed")
    listed = [(line.code, line.players, line.points) for line in hall_of_fame.countries(ANYBODY, NOW)]
    assert listed == [("CN", 2, "77"), ("ZZ9", 1, "39.5"), ("DE", 1, "35.5"), ("", 1, "33.5")]


@pytest.fixture
def two_rounds():
    a_player("Ann", country="nl")
    a_player("Bo", country="jp")
    a_final_round(1, "Ann", "Bo")
    return a_final_round(2, "Ann", "Bo")


@pytest.mark.usefixtures("cache_of_its_own")
def test_publishing_a_round_again_changes_hall_and_countries(two_rounds):
    before = hall(), countries()
    a_placing(two_rounds, "Cy", 80, 80)
    Round.objects.filter(pk=two_rounds.pk).update(tabulated_version=7)  # as publishing does
    assert (hall(), countries()) != before
    assert "Cy" in {name for _rank, name, _points in hall()}


@pytest.mark.usefixtures("cache_of_its_own")
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
