import sqlite3
from datetime import date, timedelta
from itertools import pairwise

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from contest.infra import clock
from contest.models import Level, Player, Round
from contest.results import rulings
from contest.stats import all_rounds, statistics
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast

NOBODY = Viewer()
SENT = [("Ann", 500, 120), ("Cy", 510, 110), ("Bo", 498, 118), ("Ann", 490, 121)]


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, SENT)
    return during_round


def of(round_):
    return statistics.of_round(NOBODY, round_, clock.now())


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


def test_milestones_name_the_first_player_with_each_best(solved):
    """Rule 8.9."""
    moves, pushes = of(solved).levels[0].milestones
    assert [(milestone.count, milestone.player.nickname) for milestone in moves[1]] == [
        (500, "Ann"),
        (498, "Bo"),
        (490, "Ann"),
    ]
    assert [(milestone.count, milestone.player.nickname) for milestone in pushes[1]] == [(120, "Ann"), (110, "Cy")]


def test_countries_are_ordered_by_players_and_no_country_is_last(solved):
    """Rule 4.6."""
    Player.objects.filter(nickname="Cy").update(country="cn")
    Player.objects.filter(nickname="Bo").update(country="00")
    assert [(line.code, line.players, line.accepted) for line in of(solved).countries] == [("CN", 1, 1), ("", 2, 3)]


def test_the_site_counts_every_round_and_ranks_closed_levels_by_solvers(solved):
    cast.enter(solved, "Ann", 60, 20, slot="extra", at=cast.DURING)
    during = all_rounds.of_site(NOBODY, cast.DURING + timedelta(hours=1))
    assert (during.accepted, during.players, [line.accepted for line in during.rounds]) == (5, 3, [5])
    assert during.hardest == []
    hardest = all_rounds.of_site(NOBODY, cast.AFTER).hardest
    assert [(hardness.level.slot, hardness.solvers, hardness.entrants, hardness.percent) for hardness in hardest] == [
        ("extra", 1, 3, 33),
        ("main", 3, 3, 100),
    ]


def test_of_levels_solved_by_equal_shares_the_one_with_more_moves_is_harder(solved):
    for name in ("Ann", "Bo", "Cy"):
        cast.enter(solved, name, 60, 20, slot="extra", at=cast.DURING)
    hardest = all_rounds.of_site(NOBODY, cast.AFTER).hardest
    assert [(hardness.level.slot, hardness.percent, hardness.moves) for hardness in hardest] == [
        ("main", 100, 490),
        ("extra", 100, 60),
    ]


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60))
def test_bins_contain_every_player_once_without_gaps(counts):
    bins = statistics.bins(sorted(counts))
    assert sum(bin_.players for bin_ in bins) == len(counts)
    assert len(bins) <= statistics.MOST_BINS
    assert bins[0].least == min(counts)
    assert bins[-1].most >= max(counts)
    assert all(before.most + 1 == after.least for before, after in pairwise(bins))
    for bin_ in bins:
        assert bin_.players == sum(bin_.least <= count <= bin_.most for count in counts)


def test_a_changed_round_is_counted_again_although_the_others_are_cached(solved, cache_of_its_own):
    assert all_rounds.of_site(NOBODY, cast.DURING + timedelta(hours=1)).accepted == 4
    cast.enter(solved, "Dee", 520, 130, at=cast.DURING)
    Round.objects.update(title_en="Corridors")
    again = all_rounds.of_site(NOBODY, cast.DURING + timedelta(hours=1))
    assert (again.accepted, again.players, again.rounds[0].round.title_en) == (5, 4, "Corridors")


@pytest.mark.one_database  # only SQLite can be given a lower number
def test_more_players_than_statement_parameters_are_possible(db, cache_of_its_own, monkeypatch):
    round_ = cast.a_round(2)
    for number in range(25):
        cast.enter(round_, f"player {number}", 5 + number, 2, at=cast.DURING)
    monkeypatch.setattr(type(connection.features), "max_query_params", 20)
    connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 20)
    try:
        assert all_rounds.of_site(NOBODY, cast.DURING).players == 25
    finally:
        connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
