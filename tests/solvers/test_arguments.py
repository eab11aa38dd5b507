"""Public functions refuse a nonsensical argument by an error that names it or shows its value."""

import inspect
from typing import Any

import pytest

from solvers import games, klotski, knights, sokoban

LEVEL = "######|#@$-.#|######"
LAYOUT = klotski.Layout.parse("VCCVVCCVVHHVVooVo..o")
BUDGET = sokoban.Budget()
SQUARES = {"board": knights.Board(8, 8), "start": (0, 0), "target": (1, 2)}
# Valid arguments of each function, without callbacks, labels, flags and seeds.
CALLS: dict[Any, dict[str, Any]] = {
    sokoban.replay: {"level": LEVEL, "moves": "R"},
    sokoban.solve: {"level": LEVEL, "aim": "any", "budget": BUDGET},
    sokoban.prove: {"level": LEVEL, "aim": "moves", "budget": BUDGET},
    sokoban.optimize: {"level": LEVEL, "lurd": "RR", "aim": "moves", "budget": BUDGET},
    sokoban.find: {"boxes": 1, "width": 4, "height": 3, "quality": "moves", "boards": 1, "most": 1, "budget": BUDGET},
    sokoban.read_collection: {"data": LEVEL},
    sokoban.Budget: {"nodes": 1, "cpu_seconds": 1.0, "megabytes": 1},
    sokoban.Game: {"level": LEVEL},
    sokoban.Game.from_lurd: {"level": LEVEL, "lurd": "R"},
    lambda letter: sokoban.Game(LEVEL).step(letter): {"letter": "r"},
    lambda push: sokoban.Game(LEVEL).push(push): {"push": (8, "R")},
    lambda **push: sokoban.Game(LEVEL).push_to(**push): {"box": 8, "square": 9, "fewest": "moves"},
    klotski.question: {"layout": LAYOUT, "goal": "exit"},
    klotski.solve: {"layout": LAYOUT, "goal": "exit"},
    lambda move: klotski.Game(LAYOUT).play(move): {"move": "A5r"},
    lambda move: games.Match([games.Term(games.NIM, 3)]).play(move): {"move": games.Move(0, (1,))},
    klotski.replay: {"question": klotski.question(LAYOUT), "moves": "A5r"},
    knights.path: SQUARES,
    knights.distance: SQUARES,
    knights.case: SQUARES,
}
ARITHMETIC = {knights.lower_bound, knights.open_distance, games.mex, games.winning_bites}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__qualname__)
def test_valid_arguments_pass_and_a_nonsensical_one_is_named(call):
    call(**CALLS[call])
    for name in CALLS[call]:
        for nonsense in (..., -7):
            with pytest.raises((TypeError, ValueError)) as refused:
                call(**CALLS[call] | {name: nonsense})
            assert name in str(refused.value) or str(nonsense) in str(refused.value)


def test_no_public_function_is_left_out():
    public = {getattr(package, name) for package in (sokoban, klotski, knights, games) for name in package.__all__}
    assert set(filter(inspect.isfunction, public)) - ARITHMETIC <= CALLS.keys()
