from hypothesis import given
from hypothesis import strategies as st

from contest.models import Slot
from contest.rules.scoring import SLOTS, Champions, Rankings, Total, champions, totals
from contest.rules.settings import RoundSettings

TABLES = RoundSettings().move_points, RoundSettings().push_points
A, B, C, D, E, F = range(6)


def scored(main, extra=None, *, scoring=("main",), tables=TABLES):
    levels = {"main": Rankings(*main)} | ({"extra": Rankings(*extra)} if extra else {})
    return [(total.player, total.half_points / 2) for total in totals(levels, tables[0], tables[1], scoring)]


def test_the_worked_example():
    """Rules 9.1, 9.2, 9.3, 19.1."""
    assert scored(([B, A, E, C, D], [C, B, A, E, D])) == [(B, 38.5), (A, 36.5), (C, 36.5), (E, 34.5), (D, 31.5)]


def test_the_worked_example_of_a_double_winner():
    """Rules 10.2, 10.3, 19.2."""
    main = Rankings([B, A, E, C, D], [B, C, A, E, D])
    assert scored((main.moves, main.pushes)) == [(B, 39.5), (A, 36.5), (C, 35.5), (E, 34.5), (D, 31.5)]
    assert champions(main) == Champions(B, B, A)
    assert champions(main).seats == {A, B}


def test_the_worked_example_of_two_scoring_levels():
    """Rules 9.4, 11.7, 19.3: F and C have the same total, F more move points."""
    found = scored(([B, A, E, C, D], [C, B, A, E, D]), ([D, A, F], [A, F, D]), scoring=("main", "extra"), tables=TABLES)
    assert found == [(A, 75), (D, 69), (B, 38.5), (F, 36.5), (C, 36.5), (E, 34.5)]


def test_a_level_that_does_not_score_gives_no_points():
    """Rules 9.4, 9.6."""
    assert scored(([A], [A]), ([B], [B])) == [(A, 39.5)]
    assert scored(([A], [A]), scoring=()) == []


def test_the_length_of_a_table_is_the_number_of_eligible_ranks():
    """Rules 9.5, 11.6: rank 21 and below hold no points; so do ranks whose number is 0."""
    players = list(range(45))
    assert {player for player, _points in scored((players, players))} == set(range(20))
    assert scored(([A, B, C], [A, B, C]), tables=((4, 0), (2,))) == [(A, 3.0)]


def test_at_most_forty_scores_are_given():
    """Rule 9.1."""
    found = totals({"main": Rankings(range(30), range(29, -1, -1))}, *TABLES, ["main"])
    assert sum(bool(total.by_moves) + bool(total.by_pushes) for total in found) == 40
    assert sum(total.half_points for total in found) == sum(map(sum, TABLES)) == 820


def test_equal_totals_with_equal_move_points_go_by_the_rank_on_main_then_extra():
    """Rule 11.7: A and B swap their ranks on two levels, so totals and move points agree."""
    swapped = ([A, B], [A, B]), ([B, A], [B, A])
    assert [player for player, _ in scored(*swapped, scoring=("main", "extra"))] == [A, B]
    assert [player for player, _ in scored(*swapped[::-1], scoring=("main", "extra"))] == [B, A]


def test_no_rank_is_worse_than_any_rank():
    """Rule 11.7: both score only on extra; B alone is ranked on main, which gives nothing."""
    found = totals({"main": Rankings([B], [B]), "extra": Rankings([A, B], [A, B])}, (2, 2), (2, 2), ["extra"])
    assert [total.player for total in found] == [B, A]


def test_one_player_is_the_only_champion_and_nobody_is_none():
    """Rule 10.4."""
    assert champions(Rankings([A], [A])) == Champions(A, A, None)
    assert champions(Rankings()) == Champions()
    assert Champions().seats == set()


def test_two_firsts_are_two_champions():
    """Rule 10.1."""
    assert champions(Rankings([A, B, C], [B, A, C])) == Champions(A, B, None)


def test_the_second_champion_is_a_setting():
    """Rule 10.5."""
    main = Rankings([A, B, C], [A, C, B])
    assert champions(main, "move_rank_2").second == B
    assert champions(main, "push_rank_2").second == C
    assert champions(main, "none").second is None


def test_points_are_whole_half_points():
    """Rule 9.3."""
    assert Total(A, 40, 39).half_points == 79
    assert all(isinstance(points, int) for table in TABLES for points in table)


RANKINGS = st.integers(0, 50).flatmap(
    lambda count: st.tuples(st.permutations(range(count)), st.permutations(range(count)))
)
POINTS = st.lists(st.integers(0, 80), max_size=30).map(lambda table: tuple(sorted(table, reverse=True)))


@given(RANKINGS, RANKINGS, POINTS, POINTS)
def test_the_points_given_are_those_of_the_tables(main, extra, by_moves, by_pushes):
    """Rules 9.1, 9.2."""
    levels = {"main": Rankings(*main), "extra": Rankings(*extra)}
    given_ = sum(total.half_points for total in totals(levels, by_moves, by_pushes, levels))
    assert given_ == sum(sum(by_moves[: len(ranked[0])]) + sum(by_pushes[: len(ranked[0])]) for ranked in (main, extra))


@given(RANKINGS, POINTS, POINTS, st.data())
def test_a_better_rank_never_scores_less(main, by_moves, by_pushes, data):
    """Rule 9.1: tables do not rise."""
    moves, pushes = (list(ranked) for ranked in main)
    if len(moves) < 2:
        return
    place = data.draw(st.integers(1, len(moves) - 1))
    player = moves[place]
    before = dict(_points({"main": Rankings(moves, pushes)}, by_moves, by_pushes))
    moves[place - 1], moves[place] = moves[place], moves[place - 1]
    after = dict(_points({"main": Rankings(moves, pushes)}, by_moves, by_pushes))
    assert after.get(player, 0) >= before.get(player, 0)


def _points(levels, by_moves, by_pushes):
    return [(total.player, total.half_points) for total in totals(levels, by_moves, by_pushes, ["main"])]


def test_the_slots_of_the_rules_are_those_of_the_levels():
    """Rule 1.2."""
    assert tuple(Slot.values) == SLOTS
