from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.models import Round
from contest.rules.phases import Phase
from contest.rules.scoring import Rankings, totals
from tests.cast import CLOSES, OPENS


def scored(moves, pushes, tables):
    ranked = totals({"main": Rankings(moves, pushes)}, tables[0], tables[1], ["main"])
    return {total.player: total.half_points for total in ranked}


def test_a_rank_with_the_number_0_holds_no_points():
    """Rules 9.4 to 9.6: nor does a rank beyond the table."""
    assert scored([1, 2, 3], [1, 2, 3], ((4, 0), (2,))) == {1: 6}
    assert scored([1, 2], [2, 1], ((4,), (3,))) == {1: 4, 2: 3}


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
    before = scored(moves, pushes, (by_moves, by_pushes))
    moves[place - 1], moves[place] = moves[place], moves[place - 1]
    after = scored(moves, pushes, (by_moves, by_pushes))
    assert after.get(player, 0) >= before.get(player, 0)


TICK, HOUR = timedelta(microseconds=1), timedelta(hours=1)
ANNOUNCED = OPENS - timedelta(days=7)


@pytest.mark.parametrize(
    ("at", "phase"),
    [
        (ANNOUNCED - TICK, Phase.DRAFT),
        (ANNOUNCED, Phase.SCHEDULED),
        (OPENS - TICK, Phase.SCHEDULED),
        (OPENS, Phase.OPEN),
        (CLOSES - TICK, Phase.OPEN),
        (CLOSES, Phase.CLOSED),
        (CLOSES + HOUR, Phase.OPEN),
        (CLOSES + 2 * HOUR, Phase.CLOSED),
        (CLOSES + 3 * HOUR, Phase.FINAL),
    ],
)
def test_the_phase_is_a_function_of_the_times(at, phase):
    """Rules 1.12, 3.2, 3.6, 3.10: the opening instant is inside, the closing one outside; also of a make-up window."""
    window = {"make_up_opens_at": CLOSES + HOUR, "make_up_closes_at": CLOSES + 2 * HOUR}
    times = {"announced_at": ANNOUNCED, "opens_at": OPENS, "closes_at": CLOSES, "finalised_at": CLOSES + 3 * HOUR}
    assert Round(number=1, **times, **window).phase(at) == phase


def test_a_round_never_announced_never_opens_and_a_cancellation_takes_effect_at_its_instant():
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES).phase(OPENS) == Phase.DRAFT
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES, cancelled_at=OPENS).phase(CLOSES) == Phase.CANCELLED
    round_ = Round(number=1, announced_at=ANNOUNCED, opens_at=OPENS, closes_at=CLOSES, cancelled_at=CLOSES)
    assert [round_.phase(at) for at in (CLOSES - TICK, CLOSES)] == [Phase.OPEN, Phase.CANCELLED]
