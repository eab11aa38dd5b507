from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.infra import clock
from contest.models import Level, Player
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


def test_a_rounds_figures_are_counts_of_what_is_public(solved):
    """Rules 7.1, 7.4."""
    found = of(solved)
    assert (found.accepted, found.players, found.programs) == (4, 3, 0)
    assert found.days == [statistics.Day(date(2026, 11, 4), 4, 3)]
    main, extra = found.levels
    assert [(one.metric, one.best, one.median, one.worst) for one in main.spreads] == [
        ("moves", 490, 498, 510),
        ("pushes", 110, 118, 120),
    ]
    assert (extra.accepted, extra.spreads, extra.milestones) == (0, [], [])
    cast.enter(solved, "Ann", 999, 999, at=cast.DURING + timedelta(days=3))
    assert [day.accepted for day in of(solved).days] == [4, 0, 0, 1], "quiet days are shown"


def test_what_is_void_does_not_count(solved):
    """Rules 2.10, 15.1, 16.4."""
    rulings.void(solved.submissions.get(moves=490), Reason(zh="x", en="x"), at=cast.DURING, by=None)
    assert of(solved).levels[0].spreads[0].best == 498
    Level.objects.filter(round=solved, slot="main").update(voided_at=cast.DURING)
    assert of(solved).accepted == 0


def test_programs_lead_no_ranking_of_people(solved):
    Player.objects.filter(nickname="Ann").update(league="bot")
    assert (of(solved).programs, of(solved).levels[0].spreads[0].best) == (1, 498)


def test_milestones_name_who_reached_a_best_first(solved):
    """Rule 8.9."""
    moves, pushes = of(solved).levels[0].milestones
    assert [(one.count, one.player.nickname) for one in moves[1]] == [(500, "Ann"), (498, "Bo"), (490, "Ann")]
    assert [(one.count, one.player.nickname) for one in pushes[1]] == [(120, "Ann"), (110, "Cy")]


def test_countries_stand_by_their_players_and_who_gave_none_last(solved):
    """Rule 4.6."""
    Player.objects.filter(nickname="Cy").update(country="cn")
    Player.objects.filter(nickname="Bo").update(country="00")
    assert [(line.code, line.players, line.accepted) for line in of(solved).countries] == [("CN", 1, 1), ("", 2, 3)]


def test_the_site_counts_every_round_and_ranks_closed_levels_by_who_solved_them(solved):
    cast.enter(solved, "Ann", 60, 20, slot="extra", at=cast.DURING)
    during = all_rounds.of_site(NOBODY, cast.DURING + timedelta(hours=1))
    assert (during.accepted, during.players, [line.accepted for line in during.rounds]) == (5, 3, [5])
    assert during.hardest == []
    hardest = all_rounds.of_site(NOBODY, cast.AFTER).hardest
    assert [(one.level.slot, one.solvers, one.entrants, one.percent) for one in hardest] == [
        ("extra", 1, 3, 33),
        ("main", 3, 3, 100),
    ]


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60))
def test_bins_hold_every_player_once_and_leave_no_gap(counts):
    found = statistics.bins(sorted(counts))
    assert sum(one.players for one in found) == len(counts)
    assert len(found) <= statistics.MOST_BINS
    assert found[0].least == min(counts)
    assert found[-1].most >= max(counts)
    assert all(before.most + 1 == after.least for before, after in pairwise(found))
    for one in found:
        assert one.players == sum(one.least <= count <= one.most for count in counts)


def test_who_comes_while_the_figures_are_made_is_named_or_not_there(solved, monkeypatch):
    as_before = statistics._lowering

    def lowering(*words):
        cast.enter(solved, "Dee", 480, 100, at=cast.DURING + timedelta(hours=1))
        return as_before(*words)

    monkeypatch.setattr(statistics, "_lowering", lowering)
    moves, _pushes = of(solved).levels[0].milestones
    assert moves[1][-1].player.nickname == "Dee"
