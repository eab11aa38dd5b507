"""Rebuild a level from a solution."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers.errors import Contradiction, NoPush, TooLarge, WalksIntoBox
from solvers.sokoban.level import Level
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.replay import play


def test_a_contradiction_behind_a_count_points_at_the_written_letter():
    with pytest.raises(WalksIntoBox) as caught:
        level_of("5R r")
    assert (caught.value.values["step"], caught.value.index) == (6, 3)


def test_a_level_has_at_most_200_columns():
    assert level_of("196R").width == 200
    with pytest.raises(TooLarge):
        level_of("197R")


@pytest.mark.exhaustive
def test_a_plane_of_two_million_steps_is_wide_enough():
    with pytest.raises(TooLarge) as caught:
        level_of("R999999u999999L")
    assert caught.value.values["height"] == 1_000_002


@given(st.text("lurdLURD", max_size=60))
def test_rebuilt_levels_make_the_moves_legal_and_refusals_have_a_code(text):
    try:
        level = level_of(text)
    except (NoPush, Contradiction):
        return
    course = play(level.arena, text)
    assert level.is_closed
    assert course.blocked is None


ROOM = Level.parse("########|#--#---#|#-$--$-#|#.-@#--#|#-$--.-#|#--.---#|########")


@given(st.text("lurd", min_size=1, max_size=80))
def test_a_game_is_rebuilt_from_what_it_touched(text):
    """The oracle plays on the real level, leaves out steps into walls, and records the touched cells."""
    level = ROOM
    text, touched, started, standing = played_in(level, text)
    assume(any(letter.isupper() for letter in text))
    rebuilt = level_of(text)
    shift = min(touched) // level.width, min(cell % level.width for cell in touched)
    assert cells_from(shift, level.width, touched) == corner(rebuilt, rebuilt.reach)
    assert cells_from(shift, level.width, started) == corner(rebuilt, rebuilt.boxes)
    assert cells_from(shift, level.width, standing) == corner(rebuilt, rebuilt.goals)


def played_in(level, text):
    """Return the legal steps of *text* in exact case, the touched cells, and the pushed boxes' first and last cells."""
    delta_of = {"l": -1, "r": 1, "u": -level.width, "d": level.width}
    man, home_of, started, touched, steps = level.player, {box: box for box in level.boxes}, set(), {level.player}, ""
    for letter in text:
        ahead = man + delta_of[letter]
        beyond = ahead + delta_of[letter]
        if ahead not in level.reach:
            continue
        if ahead in home_of:
            if beyond not in level.reach or beyond in home_of:
                continue
            started.add(home_of[ahead])
            home_of[beyond] = home_of.pop(ahead)
            touched.add(beyond)
            steps += letter.upper()
        else:
            steps += letter
        touched.add(ahead)
        man = ahead
    return steps, touched, started, {now for now, home in home_of.items() if home in started}


def cells_from(shift, width, cells):
    return {(cell // width - shift[0], cell % width - shift[1]) for cell in cells}


def corner(level, cells):
    return cells_from((1, 1), level.width, cells)
