from hypothesis import given
from hypothesis import strategies as st

from contest.rules.scoring import Champions, Rankings, champions, totals
from contest.rules.settings import RoundSettings

TABLES = RoundSettings().move_points, RoundSettings().push_points
A, B, C, D, E, F = range(6)


def scored(main, extra=None, *, scoring=("main",), tables=TABLES):
    levels = {"main": Rankings(*main)} | ({"extra": Rankings(*extra)} if extra else {})
    return [(total.player, total.half_points / 2) for total in totals(levels, tables[0], tables[1], scoring)]


def test_a_double_champion_leaves_a_seat_to_a_second_champion():
    """Rules 10.1 to 10.5, 19.2."""
    assert champions(Rankings([A, B, C], [B, A, C])) == Champions(A, B, None)
    double = Rankings([B, A, E, C, D], [B, C, A, E, D])
    assert scored((double.moves, double.pushes)) == [(B, 39.5), (A, 36.5), (C, 35.5), (E, 34.5), (D, 31.5)]
    assert champions(double) == Champions(B, B, A)
    assert champions(double).seats == {A, B}
    seconds = [champions(double, which).second for which in ("move_rank_2", "push_rank_2", "none")]
    assert seconds == [A, C, None]
    assert champions(Rankings([A], [A])) == Champions(A, A, None)
    assert champions(Rankings()).seats == set()


def test_the_length_of_a_table_is_the_number_of_eligible_ranks():
    """Rules 9.4 to 9.6, 11.6: rank 21 and below hold no points, nor do ranks whose number is 0, nor other levels."""
    players = list(range(45))
    assert {player for player, _points in scored((players, players))} == set(range(20))
    assert scored(([A, B, C], [A, B, C]), tables=((4, 0), (2,))) == [(A, 3.0)]
    assert scored(([A], [A]), ([B], [B])) == [(A, 39.5)]
    assert scored(([A], [A]), scoring=()) == []


def test_equal_totals_with_equal_move_points_are_ordered_by_rank_on_main_then_extra():
    """Rule 11.7: A and B swap their ranks on two levels, so totals and move points agree."""
    swapped = ([A, B], [A, B]), ([B, A], [B, A])
    assert [player for player, _ in scored(*swapped, scoring=("main", "extra"))] == [A, B]
    assert [player for player, _ in scored(*swapped[::-1], scoring=("main", "extra"))] == [B, A]


def test_no_rank_is_worse_than_any_rank():
    """Rule 11.7: both score only on extra; only B is ranked on main, which gives no points."""
    found = totals({"main": Rankings([B], [B]), "extra": Rankings([A, B], [A, B])}, (2, 2), (2, 2), ["extra"])
    assert [total.player for total in found] == [B, A]


RANKINGS = st.integers(0, 50).flatmap(
    lambda count: st.tuples(st.permutations(range(count)), st.permutations(range(count)))
)
POINTS = st.lists(st.integers(0, 80), max_size=30).map(lambda table: tuple(sorted(table, reverse=True)))


@given(RANKINGS, RANKINGS, POINTS, POINTS)
def test_points_are_the_tables_entries(main, extra, by_moves, by_pushes):
    """Rules 9.1, 9.2."""
    levels = {"main": Rankings(*main), "extra": Rankings(*extra)}
    given_ = sum(total.half_points for total in totals(levels, by_moves, by_pushes, levels))
    assert given_ == sum(sum(by_moves[: len(ranked[0])]) + sum(by_pushes[: len(ranked[0])]) for ranked in (main, extra))


@given(RANKINGS, POINTS, POINTS, st.data())
def test_a_better_rank_never_scores_less(main, by_moves, by_pushes, data):
    """Rule 9.1: tables never increase."""
    moves, pushes = (list(ranked) for ranked in main)
    if len(moves) < 2:
        return
    place = data.draw(st.integers(1, len(moves) - 1))
    player = moves[place]
    before = dict(scored((moves, pushes), tables=(by_moves, by_pushes)))
    moves[place - 1], moves[place] = moves[place], moves[place - 1]
    after = dict(scored((moves, pushes), tables=(by_moves, by_pushes)))
    assert after.get(player, 0) >= before.get(player, 0)
