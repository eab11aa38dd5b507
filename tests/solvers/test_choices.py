"""Functions of the library accept a choice by member or by value, and name any other value in an error."""

import inspect
import pickle
from typing import Any

import pytest

from solvers import games, klotski, knights, sokoban
from solvers.errors import NotWhole, TooLong
from solvers.klotski import Goal, Layout, Mirror
from solvers.klotski import solve as solve_layout
from solvers.logic import Formula, Quantifier
from solvers.sokoban import Level
from solvers.sokoban.coaching.coach import coach
from solvers.sokoban.coaching.stretches import Stretch
from solvers.sokoban.formats import Attempt, Kind
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.reading.readers import Reader, judge
from solvers.sokoban.solving import Aim, Budget, Solved, exact
from solvers.sokoban.solving.finding import FoundLevel, Quality
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.solver import prove, solve

# The fewest pushes (3) need 11 moves, the fewest moves (9) need 5 pushes.
TWO_OPTIMA = Level.parse("#######|#-----#|#-#---#|#@$---#|#-.---#|#######")
(BOX,) = TWO_OPTIMA.boxes
LONG = "RluurrdDrdL"
LAYOUT = Layout.parse("VCCVVCCVVHHVVooVo..o")
FOUND = FoundLevel(TWO_OPTIMA, Solved(LONG, 11, 3), 1, None)
LEVEL = "######|#@$-.#|######"
TWO_PIECES = klotski.Layout.parse("VCCVVCCVVHHVVooVo..o")
BUDGET = sokoban.Budget()
SQUARES = {"board": knights.Board(8, 8), "start": (0, 0), "target": (1, 2)}
ARITHMETIC = {knights.lower_bound, knights.open_distance, games.mex, games.winning_bites}


@pytest.mark.parametrize("ask", [prove, exact.prove_exactly, solve, lambda level, aim: optimize(level, LONG, aim)])
@pytest.mark.parametrize(("aim", "counts"), [("moves", (9, 5)), ("pushes", (11, 3))])
def test_a_proof_is_of_the_aim_that_a_string_names(ask, aim, counts):
    answer = ask(TWO_OPTIMA, aim)
    assert (answer.moves, answer.pushes, answer.proven) == (*counts, Aim(aim))


DOORS = [
    (lambda value: exact.prove_exactly(TWO_OPTIMA, value).lurd, Aim.MOVES),
    (lambda value: coach(TWO_OPTIMA, LONG, value, budget=Budget(nodes=0)).stretches, Aim.MOVES),
    (FOUND.worth, Quality.CHANGES),
    (Stretch(0, 1, 0, 1, 2, -1, "").lost, Aim.MOVES),
    (lambda value: judge(TWO_OPTIMA, "2(r)", value), Reader.RUN_LENGTH),
    (lambda value: push_paths(TWO_OPTIMA, Position.start(TWO_OPTIMA), BOX, fewest=value).to(BOX + 7), Fewest.MOVES),
    (lambda value: Attempt(value, "R", 1, 1), Kind.SOLUTION),
    (lambda value: Formula(((value, 1),), ((1,),)), Quantifier.FORALL),
    (lambda value: solve_layout(LAYOUT, value), Goal.MIRROR),
    (LAYOUT.reflect, Mirror.UPSIDE_DOWN),
]


@pytest.mark.parametrize(("ask", "member"), DOORS)
def test_a_value_asks_the_same_as_its_member(ask, member):
    assert repr(ask(member.value)) == repr(ask(member))


@pytest.mark.parametrize(("ask", "member"), DOORS)
def test_an_invalid_value_is_refused_and_the_allowed_values_are_named(ask, member):
    with pytest.raises(ValueError, match=rf"^'foo' is no [a-z]+; allowed: .*'{member}'"):
        ask("foo")


def test_an_error_survives_the_way_to_another_process():
    error = pickle.loads(pickle.dumps(TooLong(size=7, limit=5, index=1)))
    assert isinstance(error, TooLong)
    assert (str(error), error.index, error.values["size"]) == ("This is 7 long; the limit is 5. (character 2)", 1, 7)


def test_a_value_that_cannot_be_written_is_named_by_its_kind():
    itself = []
    itself.append(itself)
    assert str(NotWhole(name="rows", value=itself)) == "rows must be a whole number, not this list."
    assert str(NotWhole(name="rows", value=10**5000)) == "rows must be a whole number, not this int."


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
    klotski.question: {"layout": TWO_PIECES, "goal": "exit"},
    klotski.solve: {"layout": TWO_PIECES, "goal": "exit"},
    lambda move: klotski.Game(TWO_PIECES).play(move): {"move": "A5r"},
    lambda move: games.Match([games.Term(games.NIM, 3)]).play(move): {"move": games.Move(0, (1,))},
    klotski.replay: {"question": klotski.question(TWO_PIECES), "moves": "A5r"},
    knights.path: SQUARES,
    knights.distance: SQUARES,
    knights.case: SQUARES,
}


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
