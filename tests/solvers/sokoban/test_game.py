from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import IllegalPush, IllegalStep, PuzzleError
from solvers.sokoban import Game, Level, Moves, Push, replay
from solvers.sokoban.formats import read_file
from solvers.sokoban.making.series import ladder, rooms
from solvers.sokoban.playback import Playback
from tests import sizes
from tests.solvers.shared_data import SHARED_DATA, json_lines
from tests.solvers.sokoban.boards import levels, step
from tests.solvers.sokoban.solving import full_search

ROOM = "######|#----#|#-$.-#|#-@--#|######"
GRADED = Path(__file__).resolve().parents[3] / "contest/library/own/graded.sok"
moves = st.text("lurdLURD", max_size=60)


@given(levels(), moves)
def test_a_game_equals_the_replay_of_its_steps(level, text):
    game, expected = Game(level), replay(level, Moves.parse(text))
    error = failure(lambda: [game.step(letter) for letter in text if not game.is_solved()])
    assert (game.lurd, game.moves, game.pushes) == (expected.lurd, expected.moves, expected.pushes)
    assert game.is_solved() == expected.is_solved
    assert game.position == Playback(level, expected.lurd)[expected.moves]
    assert (error and (error.values["step"], error.values["why"])) == (expected.step and (expected.step, expected.why))
    whole = failure(lambda: Game.from_lurd(level, text))
    assert (whole and (whole.index, whole.values)) == (error and (expected.index, error.values))


def failure(act):
    try:
        act()
    except IllegalStep as error:
        return error


@given(levels(), moves)
def test_legal_steps_and_pushes_are_exactly_what_the_rules_allow(level, text):
    game = walked(level, text)
    over, position = game.is_solved(), game.position
    allowed = [letter for letter in "lurd" if not over and not isinstance(step(level, position, letter), str)]
    assert [letter.lower() for letter in game.legal_steps] == allowed
    assert {push_from(game, push) for push in game.legal_pushes} == (set() if over else pushed_states(game))


def walked(level, text):
    game = Game(level)
    for letter in text:
        if letter in map(str.lower, game.legal_steps):
            game.step(letter)
    return game


def push_from(game, push):
    twin = game.copy()
    twin.push(push)
    assert twin.lurd.startswith(game.lurd)
    assert twin.pushes == game.pushes + 1
    return twin.player, frozenset(twin.boxes)


def pushed_states(game):
    queue, pushed = [(game.player, frozenset(game.boxes))], set()
    for state in queue:
        for after, is_push in full_search.steps(game.level, *state):
            if is_push:
                pushed.add(after)
            elif after not in queue:
                queue.append(after)
    return pushed


@given(levels(), st.lists(st.integers(0, 99), max_size=12))
def test_undo_takes_back_one_turn_and_all_turns_restore_the_start(level, choices):
    game, before = Game(level), []
    for number in choices:
        acts = [(game.step, letter) for letter in game.legal_steps] + [(game.push, push) for push in game.legal_pushes]
        if acts:
            before.append((game.copy(), game.lurd))
            act, value = acts[number % len(acts)]
            act(value)
    assert Level.parse(str(game)).boxes == tuple(sorted(game.boxes))
    assert [earlier.lurd for earlier, _lurd in before] == [lurd for _earlier, lurd in before], "copies are independent"
    for earlier, lurd in reversed(before):
        undone = game.undo()
        assert (game, hash(game), game.lurd) == (earlier, hash(earlier), lurd)
        assert undone
    assert (game, game.moves, game.pushes, game.to_level()) == (Game(level), 0, 0, level)
    with pytest.raises(IndexError):
        game.undo()


def test_push_to_takes_the_shortest_path_and_undo_takes_back_all_of_it():
    game = Game("#######|#-----#|#-$---#|#-@-.-#|#-----#|#######")
    game.push_to(16, 25)
    assert (game.pushes, game.boxes, game.is_solved()) == (3, (25,), True)
    game.undo()
    assert game == Game(game.level)


def test_only_a_push_ends_a_game_that_begins_solved():
    game = Game("######|#@*--#|######")
    assert not game.is_solved()
    assert game.legal_steps == ["R"]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda game: game.step("d"), "Move 1 (d) walks into a wall."),
        (lambda game: game.push(Push(14, "X")), "direction must be one of l, u, r, d, L, U, R, D, not 'X'"),
        (lambda game: game.push_to(14, 99), "cannot be pushed to cell 99 (moves so far: 0): no path leads there."),
        (lambda game: Game.from_lurd(game.level, "2l r"), "Move 2 (l) walks into a wall. (character 2)"),
    ],
)
def test_an_impossible_act_says_why_and_changes_nothing(act, message):
    game = Game(ROOM)
    with pytest.raises((PuzzleError, ValueError, TypeError)) as caught:
        act(game)
    assert message in str(caught.value)
    assert (game, game.moves) == (Game(ROOM), 0)


@pytest.mark.parametrize(
    ("game", "push", "reason"),
    [
        (Game("######|#-@$-#|#--.-#|######"), (9, "U"), "that pushes a box against a wall"),
        (Game("######|#@$-.#|######"), (8, "L"), "the player cannot walk to its other side"),
        (Game.from_lurd("######|#@$.-#|######", "R"), (9, "R"), "the level is solved"),
    ],
)
def test_an_impossible_push_has_its_reason(game, push, reason):
    with pytest.raises(IllegalPush, match=reason):
        game.push(push)


def shipped():
    series = [(ladder(5).level, ladder(5).solution), (rooms(2).level, rooms(2).solution)]
    return [*series, *((entry.level, solution.lurd) for entry in read_file(GRADED) for solution in entry.solutions)]


@pytest.mark.parametrize("every", sizes.cases([20], [1]))
def test_no_position_of_a_real_solution_is_called_dead(every):
    names = [f"pairs/{name}.jsonl" for name in ("microban1", "xsokoban")]
    rows = [row for name in names if (SHARED_DATA / name).exists() for row in json_lines(name)]
    solutions = [*shipped(), *((Level.parse(row["xsb"]), row["lurd"]) for row in rows[::every])]
    for level, lurd in solutions:
        game = Game(level)
        for letter in replay(level, Moves.parse(str(lurd))).lurd:
            game.step(letter)
            assert letter in "lurd" or not game.is_dead()
        assert game.is_solved()
    assert len(solutions) > 20


def test_a_dead_position_has_the_name_of_its_test():
    game = Game.from_lurd(ROOM, "U")
    assert game.is_dead() == "dead_square"


def test_a_game_has_a_picture():
    game = Game(ROOM)
    assert game._repr_svg_() == game.svg()


def test_a_game_that_is_over_equals_none_that_goes_on():
    """A push away and back solves a level that begins solved: the position is the same, but the game is over."""
    start = Game("#######|#-----#|#-@*--#|#-----#|#######")
    game = Game.from_lurd(start.level, "urrdLulldR")
    assert (game.player, game.boxes, game.is_solved()) == (start.player, start.boxes, True)
    assert game != start
    assert len({game, start}) == 2
