"""No test that calls a state lost may do so along a real solution: the state is not lost, for the rest solves it."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving import corral_search, floods, freezing
from solvers.sokoban.solving import corrals as closing
from solvers.sokoban.solving.board import FAR, Board, make_board
from solvers.sokoban.solving.corral_search import corral_memory_for
from solvers.sokoban.solving.corrals import LOST, corrals_for
from solvers.sokoban.solving.freezing import walls_for
from solvers.sokoban.solving.macros import put_boxes, work_for
from solvers.sokoban.solving.matching import assign, goal_costs, matching_for
from tests.solvers.shared_data import json_lines, needs_shared_data
from tests.solvers.sokoban.solving.doors import door

is_dead_corral = door(corral_search.is_dead_corral)
choose_corral = door(closing.choose_corral)
flood = door(floods.flood)
freeze = door(freezing.freeze)
unmatched = door(freezing.unmatched)

OWN = Path(__file__).parents[3] / "data" / "replays.json"
MOST_STATES = int(os.environ.get("SOUNDNESS_STATES", "3000"))  # of each set of real solutions
LIMIT = 50


def states_along(board: Board, lurd: str):
    """The boxes and the player's square after every push of a solution."""
    boxes, player = set(board.boxes.tolist()), board.player
    for letter in lurd:
        direction = "lurd".index(letter.lower())
        player = int(board.neighbours[player, direction])
        if player in boxes:
            boxes.remove(player)
            boxes.add(int(board.neighbours[player, direction]))
            yield np.array(sorted(boxes), np.int16), player


def false_alarms(level: Level, lurd: str) -> list[str]:
    """The tests that call a state of the solution lost."""
    board = make_board(level)
    count = len(board.boxes)
    work, walls, memory = work_for(board, count), walls_for(board), corral_memory_for(board, 1 << 14)
    corrals, matching = corrals_for(board.size), matching_for(count)
    alarms = []
    for boxes, player in states_along(board, lurd):
        put_boxes(board.size, work.blocked, boxes, count)
        if board.dead[boxes].any():
            alarms.append("dead square")
        if freeze(board, boxes, count, walls.frozen) < 0:
            alarms.append("frozen")
        elif unmatched(board, work, boxes, count, walls):
            alarms.append("unmatched")
        goal_costs(board.distances, boxes, board.goals, count, False, matching.costs)
        if assign(matching, count) >= FAR:
            alarms.append("matching")
        if is_dead_corral(board, work, boxes, count, player, LIMIT, memory):
            alarms.append("corral")
        zone = np.zeros(board.size + 1, np.int32)
        flood(board.neighbours, work.blocked, player, zone, 1, work.queue)
        if choose_corral(board, work.blocked, zone, 1, corrals) == LOST:
            alarms.append("closed corral")
    return alarms


def check(pairs, most: int) -> int:
    """Look at solutions until *most* states have been seen; return how many were."""
    states = 0
    for name, level, lurd in pairs:
        if states >= most:
            break
        played = replay(level, Moves.parse(lurd))
        assert played.is_solved, name
        assert false_alarms(level, played.lurd) == [], name
        states += played.pushes
    return states


def test_no_deadlock_is_seen_along_our_own_solutions():
    cases = json.loads(OWN.read_text(encoding="utf-8"))
    solved = [case for case in cases if case.get("expected", {}).get("verdict") == "solved"]
    pairs = [(case["name"], Level.parse(case["level"]), case["expected"]["lurd"]) for case in solved]
    assert check(pairs, MOST_STATES) > len(pairs) / 2


@needs_shared_data
@pytest.mark.parametrize("name", ["microban1", "xsokoban"])
def test_no_deadlock_is_seen_along_a_real_solution(name):
    pairs = [
        (pair["level"], level, pair["lurd"])
        for pair in json_lines(f"pairs/{name}.jsonl")
        if not (level := Level.parse(pair["xsb"])).unjudgeable
    ]
    step = 7  # spread over the set: solutions of one level stand together
    assert check(pairs[::step], MOST_STATES) >= MOST_STATES // 2
