from datetime import timedelta

import pytest

from contest.models import Best, Board, Disqualification, Metric, Player, Round, Slot, Submission
from contest.models.round import default_settings
from contest.rankings import pareto, personal_bests, standings
from tests import cast

pytestmark = pytest.mark.django_db

# Rule 19.1, in order of receipt.
WORKED_EXAMPLE = [("A", 500, 120), ("C", 510, 110), ("B", 500, 118), ("D", 530, 125), ("E", 500, 120), ("B", 520, 110)]


@pytest.fixture
def example(during_round):
    """The worked example, written as rows: its results, not its moves, are what matters."""
    cast.enter_all(during_round, WORKED_EXAMPLE)
    return during_round.levels.get(slot="main")


def test_the_worked_example_ranks_by_moves_and_by_pushes(example):
    """Rules 8.1, 8.2, 8.3, 8.4, 8.5."""
    by_moves, by_pushes = (standings.standings(example, metric) for metric in Metric)
    assert [(row.rank, row.player.nickname, row.moves, row.pushes) for row in by_moves] == [
        (1, "B", 500, 118),
        (2, "A", 500, 120),
        (3, "E", 500, 120),
        (4, "C", 510, 110),
        (5, "D", 530, 125),
    ]
    assert [row.player.nickname for row in by_pushes] == ["C", "B", "A", "E", "D"]


def test_the_worked_example_has_its_pareto_front(example):
    """Rules 12.1, 19.1."""
    marked = {
        (row.moves, row.pushes) for metric in Metric for row in standings.standings(example, metric) if row.pareto
    }
    assert marked == {(510, 110), (500, 118)}
    assert [(point.holder.moves, point.holder.pushes) for point in pareto.points(example, "human")] == [
        (500, 118),
        (510, 110),
    ]


def test_a_submission_knows_the_ranks_it_holds(example):
    by_moves = Best.objects.get(player__nickname="B", metric="moves").submission
    by_pushes = Best.objects.get(player__nickname="B", metric="pushes").submission
    assert standings.ranks(by_moves) == {"moves": 1, "pushes": None}
    assert standings.ranks(by_pushes) == {"moves": None, "pushes": 2}


def names(rows):
    return [row.player.nickname for row in rows]


def a_player(name):
    return Player.objects.get(nickname=name)


def test_a_player_stands_once_in_each_ranking_by_the_best_of_its_order(example):
    """Rules 8.3, 8.6."""
    by_moves, by_pushes = (standings.standings(example, metric) for metric in Metric)
    assert [
        (row.moves, row.pushes) for rows in (by_moves, by_pushes) for row in rows if row.player.nickname == "B"
    ] == [
        (500, 118),
        (520, 110),
    ]
    extra = example.round.levels.get(slot="extra")
    assert standings.standings(extra, "moves") == []


def test_the_same_microsecond_leaves_it_to_the_smaller_number(during_round):
    """Rules 3.9, 8.4, 8.5, 19.5."""
    for name in ("first", "second"):
        cast.enter(during_round, name, 10, 5, at=cast.DURING)
    rows = standings.standings(during_round.levels.get(slot="main"), "moves")
    assert [(row.rank, row.player.nickname) for row in rows] == [(1, "first"), (2, "second")]


def test_a_void_result_closes_the_ranks_up(example):
    """Rules 8.8, 15.1, 19.5."""
    best = Submission.objects.get(player__nickname="B", moves=500)
    Submission.objects.filter(pk=best.pk).update(voided_at=cast.DURING)
    personal_bests.recount(example, [best.player])
    assert names(standings.standings(example, "moves")) == ["A", "E", "C", "B", "D"]
    assert [row.rank for row in standings.standings(example, "moves")] == [1, 2, 3, 4, 5]


def test_a_disqualified_player_is_in_no_ranking_and_on_no_front(example):
    """Rules 1.7, 12.1, 15.2."""
    player = a_player("C")
    Disqualification.objects.create(round=example.round, player=player, ruled_at=cast.DURING)
    personal_bests.recount(example, [player])
    assert names(standings.standings(example, "pushes")) == ["B", "A", "E", "D"]
    assert {(point.holder.moves, point.holder.pushes) for point in pareto.points(example, "human")} == {
        (500, 118),
        (520, 110),
    }


def test_a_void_level_ranks_nobody(example):
    """Rule 2.10."""
    example.voided_at = cast.DURING
    example.save()
    assert standings.standings(example, "moves") == []
    assert (standings.count(example, "moves"), pareto.points(example, "human")) == (0, [])
    assert standings.ranks(Submission.objects.first()) == {"moves": None, "pushes": None}


def test_a_result_that_is_neither_best_may_hold_a_point_of_the_front(during_round):
    """Rule 12.1."""
    cast.enter_all(during_round, [("A", 100, 50), ("A", 200, 20), ("A", 150, 30), ("A", 160, 30)])
    points = pareto.points(during_round.levels.get(slot="main"), "human")
    assert [(point.holder.moves, point.holder.pushes) for point in points] == [(100, 50), (150, 30), (200, 20)]


def test_of_equal_points_the_earliest_holds_it_and_the_others_equalled_it(during_round):
    """Rule 12.2."""
    cast.enter_all(during_round, [("A", 9, 3), ("B", 9, 3), ("A", 9, 3), ("C", 9, 3), ("B", 9, 3)])
    (point,) = pareto.points(during_round.levels.get(slot="main"), "human")
    assert point.holder.player.nickname == "A"
    assert names(point.equalled) == ["B", "C"]


@pytest.fixture
def with_bot(example):
    """The worked example with a bot that leads both rankings."""
    best = cast.enter(example.round, "bot", 400, 100, at=cast.DURING + timedelta(hours=1))
    Player.objects.filter(pk=best.player.pk).update(league="bot")
    personal_bests.recount(example, [a_player("bot")])
    return example


def test_humans_and_bots_are_ranked_apart_unless_the_round_says_otherwise(with_bot):
    """Rules 16.2, 16.4."""
    assert names(standings.standings(with_bot, "moves")) == ["B", "A", "E", "C", "D"]
    assert names(standings.standings(with_bot, "moves", league="bot")) == ["bot"]
    assert names(standings.standings(with_bot, "moves", league="all"))[:2] == ["bot", "B"]
    assert standings.ranks(Submission.objects.get(player__nickname="bot")) == {"moves": 1, "pushes": 1}
    assert standings.rank_of(with_bot, "moves", a_player("B")) == 1
    assert [point.holder.moves for point in pareto.points(with_bot, "all")] == [400]


def test_a_round_may_rank_all_together(with_bot):
    """Rule 16.4."""
    Round.objects.update(settings={**default_settings(), "leagues": "together"})
    level = type(with_bot).objects.select_related("round").get(pk=with_bot.pk)
    assert names(standings.standings(level, "moves")) == ["bot", "B", "A", "E", "C", "D"]
    assert standings.ranks(Submission.objects.get(player__nickname="B", moves=500)) == {"moves": 2, "pushes": None}
    assert standings.rank_of(level, "moves", a_player("B")) == 2


def test_the_rows_around_a_player(example):
    assert names(standings.around(example, "moves", a_player("E"), reach=1)) == ["A", "E", "C"]
    assert [row.rank for row in standings.around(example, "moves", a_player("E"), reach=1)] == [2, 3, 4]
    assert names(standings.around(example, "moves", a_player("B"))) == ["B", "A", "E"]
    assert names(standings.around(example, "moves", a_player("D"))) == ["E", "C", "D"]
    stranger = cast.enter(example.round, "F", 1, 1, slot=Slot.EXTRA, at=cast.DURING).player
    assert standings.around(example, "moves", stranger) == []


@pytest.mark.parametrize(
    ("metric", "moves", "pushes", "rank"),
    [
        ("moves", 500, 118, 2),  # equal: the earlier stays ahead
        ("moves", 500, 117, 1),
        ("moves", 505, 500, 4),
        ("moves", 999, 999, 6),
        ("pushes", 999, 109, 1),
        ("pushes", 515, 110, 2),
    ],
)
def test_the_rank_a_result_would_take(example, metric, moves, pushes, rank):
    """Rule 7.7."""
    assert standings.would_take(example, metric, moves, pushes) == rank


def test_a_worse_result_would_leave_the_player_where_they_are(example):
    """Rules 5.7, 7.7."""
    player = a_player("A")
    assert standings.would_take(example, "moves", 999, 999, player=player) == 2
    assert standings.would_take(example, "moves", 500, 119, player=player) == 2
    assert standings.would_take(example, "moves", 499, 400, player=player) == 1


def needed(level, metric, player):
    return standings.next_gain(level, metric, player, standings.around(level, metric, player))


def test_what_gains_a_rank_is_told_from_public_numbers(example):
    """Rule 7.7."""
    assert needed(example, "moves", a_player("D")) == standings.NextRank(4, 21, 4, 510, 109)
    assert needed(example, "moves", a_player("E")) == standings.NextRank(1, 1, 2, 500, 119)
    assert needed(example, "pushes", a_player("A")) == standings.NextRank(1, 11, 2, 110, 519)
    assert needed(example, "moves", a_player("B")) is None


def test_who_passes_one_of_many_equal_results_passes_them_all(during_round):
    """Rule 7.7."""
    cast.enter_all(during_round, [(f"player {number}", 30, 9) for number in range(16)])
    level = during_round.levels.get(slot="main")
    assert needed(level, "moves", a_player("player 15")) == standings.NextRank(1, 1, 1, 30, 8)


def test_all_time_takes_contest_and_practice_together_each_marked(example):
    """Rule 20.1."""
    later = cast.AFTER + timedelta(days=9)
    for name, moves in (("A", 450), ("D", 900), ("F", 505)):
        practice = cast.enter(example.round, name, moves, 120, at=later)
        Submission.objects.filter(pk=practice.pk).update(is_practice=True)
        personal_bests.recount(example, [practice.player])
    rows = standings.standings(example, "moves", board=standings.ALL_TIME)
    assert [(row.rank, row.player.nickname, row.moves, row.is_practice) for row in rows] == [
        (1, "A", 450, True),
        (2, "B", 500, False),
        (3, "E", 500, False),
        (4, "F", 505, True),
        (5, "C", 510, False),
        (6, "D", 530, False),
    ]
    assert standings.count(example, "moves", board=standings.ALL_TIME) == 6
    assert [row.player.nickname for row in rows if row.pareto] == ["A", "B", "C"]
    assert names(standings.standings(example, "moves")) == ["B", "A", "E", "C", "D"]
    assert standings.ranks(Submission.objects.get(moves=450)) == {"moves": 1, "pushes": 3}
    assert standings.ranks(Submission.objects.get(moves=900)) == {"moves": None, "pushes": 6}


def test_the_spectator_board_is_apart(example):
    """Rule 13.5."""
    answer = cast.enter(example.round, "F", 3, 1, at=cast.DURING)
    Submission.objects.filter(pk=answer.pk).update(verdict="spectator")
    personal_bests.recount(example, [answer.player])
    assert "F" not in names(standings.standings(example, "moves"))
    assert names(standings.standings(example, "moves", board=Board.SPECTATOR)) == ["F"]
    assert not standings.standings(example, "moves", board=Board.SPECTATOR)[0].pareto
    assert standings.ranks(answer) == {"moves": 1, "pushes": 1}
    assert 3 not in {point.holder.moves for point in pareto.points(example, "human")}
