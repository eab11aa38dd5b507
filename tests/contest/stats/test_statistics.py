from datetime import date, timedelta

import pytest

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
    during = all_rounds.of_site(NOBODY, cast.DURING + timedelta(hours=1))
    assert (during.accepted, during.players, [line.accepted for line in during.rounds]) == (5, 3, [5])
    assert during.hardest == []
    hardest = all_rounds.of_site(NOBODY, cast.AFTER).hardest
    assert [(hardness.level.slot, hardness.solvers, hardness.entrants, hardness.percent) for hardness in hardest] == [
        ("extra", 1, 3, 33),
        ("main", 3, 3, 100),
    ]
