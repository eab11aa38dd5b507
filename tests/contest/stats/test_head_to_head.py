from datetime import UTC, date, datetime, timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Player, Submission
from contest.rankings.records import firsts as of_player
from contest.results import rulings
from contest.stats import all_rounds, head_to_head, records, statistics
from contest.stats.head_to_head import Score
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.outcomes import a_final_round, a_player

pytestmark = pytest.mark.django_db
NOBODY = Viewer()
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def compare_players(name="Ann", other_name="Bo", at=NOW):
    return head_to_head.compare(NOBODY, a_player(name), a_player(other_name), at)


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
    rivals = head_to_head.rivals(NOBODY, a_player("Ann"), NOW)
    assert [(meeting.player.nickname, meeting.rounds, meeting.score) for meeting in rivals] == [
        ("Cy", 2, Score(1, 1, 0)),
        ("Bo", 1, Score(1, 0, 0)),
    ]


def test_the_first_to_reach_an_unbeaten_best_count_is_remembered(during_round):
    """Rule 8.9."""
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 50, 18), ("Ann", 60, 18), ("Bo", 70, 17), ("Ann", 80, 17)])
    at = cast.DURING + timedelta(hours=1)

    def firsts(name):
        reached = of_player(records.levels(NOBODY, at), a_player(name), most=9)
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
    (rival,) = head_to_head.rivals(NOBODY, a_player("Ann"), NOW)
    assert (rival.rounds, rival.score) == (2, Score(2, 0, 0))
    (rival,) = head_to_head.rivals(NOBODY, a_player("Bo"), NOW)
    assert (rival.rounds, rival.score) == (2, Score(0, 2, 0))


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
