"""The names that the games in play share (docs/reference/library/index.md); Sokoban's own are in test_game.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import klotski
from solvers.errors import PuzzleError
from solvers.games import CHOMP, NIM, WYTHOFF, Match, Player, Term
from solvers.games import Move as Turn

LAYOUT = "VHHV VooV VCCV VCCV o..o"
GAMES = {
    "klotski": (lambda: klotski.Game(LAYOUT, "mirror"), lambda game, act: game.play(act)),
    "match": (lambda: Match([Term(NIM, 3), Term(CHOMP, (3, 3)), Term(WYTHOFF, (1, 2))]), Match.play),
}
IMPOSSIBLE = {"klotski": klotski.Move.parse("A1d"), "match": Turn(0, (4,))}


def is_over(game):
    return game.is_over() if isinstance(game, Match) else game.is_solved()


@pytest.mark.parametrize("name", GAMES)
@given(choices=st.lists(st.integers(0, 999), max_size=25))
def test_undo_restores_each_position_and_copies_are_independent(name, choices):
    new, play = GAMES[name]
    game, before = new(), []
    for choice in choices:
        if acts := list(game.legal_moves):
            before.append((game.copy(), str(game)))
            play(game, acts[choice % len(acts)])
            assert (game.moves, game == before[-1][0]) == (len(before), False)
    assert any(game.legal_moves) != is_over(game)
    for earlier, text in reversed(before):
        game.undo()
        assert (game, hash(game), str(game), game.moves) == (earlier, hash(earlier), text, earlier.moves)
    assert game == new()
    with pytest.raises(IndexError):
        game.undo()


@pytest.mark.parametrize("name", GAMES)
def test_an_impossible_act_names_the_move_and_changes_nothing(name):
    new, play = GAMES[name]
    game = new()
    before = game.copy()
    with pytest.raises(PuzzleError, match=f"Move {game.moves + 1}"):
        play(game, IMPOSSIBLE[name])
    assert (game, game.moves) == (before, before.moves)


@given(st.lists(st.integers(0, 999), max_size=40))
def test_a_game_of_klotski_equals_the_replay_of_its_moves(choices):
    game = klotski.Game(LAYOUT)
    for choice in choices:
        if acts := game.legal_moves:
            game.play(acts[choice % len(acts)])
    result = klotski.replay(game.question, game.text)
    assert (game.layout, game.moves, game.is_solved()) == (result.layouts[-1], result.moves, result.is_solved)


@pytest.mark.parametrize("misere", [False, True])
def test_the_perfect_player_wins_a_match_from_a_won_position(misere):
    match, player = Match([Term(NIM, 10**15), Term(NIM, 3), Term(NIM, 4)], misere=misere), Player()
    while not match.is_over():
        wins = match.turn == 0
        match.play(next(player.winning_moves(match.terms, misere=misere)) if wins else next(match.legal_moves))
    assert match.winner == 0
