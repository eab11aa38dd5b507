import random
from datetime import UTC, date, datetime, timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Player, Round, Season, Submission
from contest.rankings.records import firsts as of_player
from contest.results import rulings
from contest.stats import all_rounds, hall_of_fame, head_to_head, profiles, records, seasons, statistics
from contest.stats.head_to_head import Score
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.outcomes import a_final_round, a_placing, a_player

pytestmark = pytest.mark.django_db

ANYBODY = Viewer()
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def _table(slug="2026", at=NOW):
    season = seasons.season(ANYBODY, slug, at)
    return [(rank, tally.player.nickname, tally.points) for rank, tally in seasons.table(ANYBODY, season, at)]


def hall(**options):
    return [(rank, str(tally.player), tally.points) for rank, tally in hall_of_fame.hall(ANYBODY, NOW, **options)]


def countries():
    return [(country.code, country.points) for country in hall_of_fame.countries(ANYBODY, NOW)]


def test_a_season_adds_up_the_round_totals():
    """Rules 7.10, 9.7, 21.1, and 9.3: half points are added exactly, as long as a round is final."""
    a_final_round(1, "Ann", "Bo")
    last = a_final_round(2, "Bo", "Cy", "Ann")
    assert _table() == [(1, "Bo", "77"), (2, "Ann", "75"), (3, "Cy", "37.5")]
    assert _table(at=last.closes_at) == [(1, "Ann", "39.5"), (2, "Bo", "37.5")]
    assert [row[:2] for row in hall(by="rounds")] == [(1, "Bo"), (1, "Ann"), (3, "Cy")]
    assert [row[:2] for row in hall(by="mpc")] == [(1, "Bo"), (1, "Cy"), (3, "Ann")]
    titles = {str(tally.player): tally.titles for _rank, tally in hall_of_fame.hall(ANYBODY, NOW)}
    assert titles == {"Ann": 1, "Bo": 2, "Cy": 1}
    Round.objects.filter(number=2).update(cancelled_at=NOW)
    Round.objects.filter(number=1).update(finalised_at=None)
    assert _table() == hall() == []


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


@pytest.mark.usefixtures("cache_of_its_own")
def test_changes_of_players_and_rounds_are_visible_at_once():
    """New nicknames and countries, a merge, a round that is published again or no longer final."""
    ann, bo = a_player("Ann", country="nl"), a_player("Bo", country="jp")
    a_final_round(1, "Ann", "Bo")
    second = a_final_round(2, "Ann", "Bo")
    assert (hall()[1], countries()) == ((2, "Bo", "75"), [("NL", "79"), ("JP", "75")])
    Player.objects.filter(pk=bo.pk).update(nickname="Boa", country="tw")
    assert (hall()[1], countries()) == ((2, "Boa", "75"), [("NL", "79"), ("TW", "75")])
    for player, country in ((ann, "tw"), (bo, "nl")):
        Player.objects.filter(pk=player.pk).update(country=country)
    assert countries() == [("TW", "79"), ("NL", "75")]
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    assert (hall(), countries()) == ([(1, "Ann", "79")], [("TW", "79")])
    a_placing(second, "Cy", 80, 80)
    Round.objects.filter(pk=second.pk).update(tabulated_version=7)  # as publishing does
    assert (hall()[0], ("", "80") in countries()) == ((1, "Cy", "80"), True)
    Round.objects.filter(pk=second.pk).update(cancelled_at=NOW)
    assert hall() == [(1, "Ann", "39.5")]


def compare_players(name="Ann", other_name="Bo", at=NOW):
    return head_to_head.compare(ANYBODY, a_player(name), a_player(other_name), at)


def test_players_meet_in_the_final_rounds_both_entered():
    """Rule 9.3."""
    a_final_round(1, "Ann", "Bo", "Cy")
    a_final_round(2, "Bo", "Ann")
    a_final_round(3, "Ann", "Cy")
    a_final_round(4, pointless=("Ann", "Bo"))
    comparison = compare_players()
    assert [(meeting.round.number, meeting.points) for meeting in comparison.rounds] == [
        (4, ("0", "0")),
        (2, ("37.5", "39.5")),
        (1, ("39.5", "37.5")),
    ]
    assert comparison.by_points == Score(1, 1, 1)


def test_levels_are_compared_by_the_whole_sort_key(during_round):
    """Rule 8.4: of equal counts the earlier is better."""
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 50, 20), ("Bo", 60, 10), ("Cy", 9, 9)])
    comparison = compare_players(at=cast.DURING + timedelta(hours=1))
    assert (comparison.by_moves, comparison.by_pushes) == (Score(1, 0, 0), Score(0, 1, 0))
    assert [level.slot for level, _moves, _pushes in comparison.levels] == ["main"]
    assert compare_players(at=cast.OPENS - timedelta(seconds=1)).levels == []  # rule 7.4


def test_rivals_are_the_players_met_most_in_their_league():
    """Rule 16.4."""
    a_final_round(1, "Ann", "Bo", "Cy")
    a_final_round(2, "Cy", "Ann")
    a_player("Bot", league="bot")
    a_final_round(3, "Bot", "Ann")
    rivals = head_to_head.rivals(ANYBODY, a_player("Ann"), NOW)
    assert [(meeting.player.nickname, meeting.rounds, meeting.score) for meeting in rivals] == [
        ("Cy", 2, Score(1, 1, 0)),
        ("Bo", 1, Score(1, 0, 0)),
    ]


def test_the_first_to_reach_an_unbeaten_best_count_is_remembered(during_round):
    """Rule 8.9."""
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 50, 18), ("Ann", 60, 18), ("Bo", 70, 17), ("Ann", 80, 17)])
    at = cast.DURING + timedelta(hours=1)

    def firsts(name):
        reached = of_player(records.levels(ANYBODY, at), a_player(name), most=9)
        return [(meeting.metric, meeting.count) for meeting in reached]

    assert (firsts("Ann"), firsts("Bo")) == ([("moves", 50)], [("pushes", 17)])
    Submission.objects.filter(moves=50, pushes=20).update(voided_at=at)
    assert ("moves", 50) in firsts("Bo")


def test_a_player_with_two_names_in_one_round_meets_others_once():
    """Rule 4.13: with the better of both, whichever row is older."""
    a_final_round(1, "Ann", "Bo", "Annie")
    a_final_round(2, "Annie", "Bo", "Ann")
    Player.objects.filter(nickname="Annie").update(merged_into=a_player("Ann"))
    comparison = compare_players()
    assert [meeting.points for meeting in comparison.rounds] == [("39.5", "37.5")] * 2
    assert [placing.place for placing in comparison.courses[0]] == [1, 1]
    (rival,) = head_to_head.rivals(ANYBODY, a_player("Ann"), NOW)
    assert (rival.rounds, rival.score) == (2, Score(2, 0, 0))
    (rival,) = head_to_head.rivals(ANYBODY, a_player("Bo"), NOW)
    assert (rival.rounds, rival.score) == (2, Score(0, 2, 0))


SENT = [("Ann", 500, 120), ("Cy", 510, 110), ("Bo", 498, 118), ("Ann", 490, 121)]


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, SENT)
    return during_round


def of(round_):
    return statistics.of_round(ANYBODY, round_, clock.now())


def test_the_figures_of_a_round_count_public_data(solved):
    """Rules 7.1, 7.4."""
    figures = of(solved)
    assert (figures.accepted, figures.players, figures.programs) == (4, 3, 0)
    assert figures.days == [statistics.Day(date(2026, 11, 4), 4, 3)]
    main, extra = figures.levels
    assert [(spread.metric, spread.best, spread.median, spread.worst) for spread in main.spreads] == [
        ("moves", 490, 498, 510),
        ("pushes", 110, 118, 120),
    ]
    assert (extra.accepted, extra.spreads, extra.milestones) == (0, [], [])
    cast.enter(solved, "Ann", 999, 999, at=cast.DURING + timedelta(days=3))
    assert [day.accepted for day in of(solved).days] == [4, 0, 0, 1], "quiet days are shown"


def test_void_submissions_do_not_count(solved):
    """Rules 2.10, 15.1, 16.4."""
    rulings.void(solved.submissions.get(moves=490), Reason(zh="x", en="x"), at=cast.DURING, by=None)
    assert of(solved).levels[0].spreads[0].best == 498
    Level.objects.filter(round=solved, slot="main").update(voided_at=cast.DURING)
    assert of(solved).accepted == 0


def test_programs_lead_no_ranking_of_people(solved):
    Player.objects.filter(nickname="Ann").update(league="bot")
    assert (of(solved).programs, of(solved).levels[0].spreads[0].best) == (1, 498)


def test_countries_are_ordered_by_players_and_no_country_is_last(solved):
    """Rule 4.6."""
    Player.objects.filter(nickname="Cy").update(country="cn")
    Player.objects.filter(nickname="Bo").update(country="00")
    assert [(line.code, line.players, line.accepted) for line in of(solved).countries] == [("CN", 1, 1), ("", 2, 3)]


def test_the_site_counts_every_round_and_ranks_closed_levels_by_solvers(solved):
    cast.enter(solved, "Ann", 60, 20, slot="extra", at=cast.DURING)
    during = all_rounds.of_site(ANYBODY, cast.DURING + timedelta(hours=1))
    assert (during.accepted, during.players, [line.accepted for line in during.rounds]) == (5, 3, [5])
    assert during.hardest == []
    hardest = all_rounds.of_site(ANYBODY, cast.AFTER).hardest
    assert [(hardness.level.slot, hardness.solvers, hardness.entrants, hardness.percent) for hardness in hardest] == [
        ("extra", 1, 3, 33),
        ("main", 3, 3, 100),
    ]
