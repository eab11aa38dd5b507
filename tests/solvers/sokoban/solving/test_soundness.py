"""No deadlock test may call a state on a real solution lost: the rest of the solution solves it."""

import numpy as np
import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.making.series import ladder, rooms
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.board import FAR, Board, make_board
from solvers.sokoban.solving.deadlocks import corral_search, dead_pairs, freezing
from solvers.sokoban.solving.deadlocks import corrals as closing
from solvers.sokoban.solving.deadlocks.corral_search import corral_memory_for
from solvers.sokoban.solving.deadlocks.corrals import LOST, corrals_for
from solvers.sokoban.solving.deadlocks.freezing import walls_for
from solvers.sokoban.solving.floor import floods
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
from solvers.sokoban.solving.floor.matching import assign, goal_costs, matching_for
from solvers.sokoban.solving.floor.pushes import positions_of, pushes_of
from solvers.sokoban.solving.floor.squares import live_squares
from solvers.sokoban.solving.proving import lower_bounds
from solvers.sokoban.solving.proving import pairs as pairing
from solvers.sokoban.solving.proving.heights import raise_costs
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.symmetries import symmetries
from tests import sizes
from tests.solvers.shared_data import json_lines, needs_shared_data
from tests.solvers.sokoban.solving.doors import door

is_dead_corral = door(corral_search.is_dead_corral)
choose_corral = door(closing.choose_corral)
flood = door(floods.flood)
has_lost_pair = door(dead_pairs.has_lost_pair)
freeze = door(freezing.freeze)
has_unmatched = door(freezing.has_unmatched)
fill_costs = door(lower_bounds.fill_costs)
more_pushes = door(pairing.more_pushes)


MOST_STATES = pytest.mark.parametrize("most", sizes.cases([400], [3_000]))  # in each set of real solutions
LIMIT = 50


def states_along(board: Board, lurd: str):
    boxes = np.sort(positions_of(board, lurd)[1:], axis=1).astype(np.int16)
    return zip(boxes, (push.box for push in pushes_of(board, lurd)), strict=True)


def false_alarms(level: Level, lurd: str) -> list[str]:
    board = make_board(level)
    count = len(board.boxes)
    work, walls, memory = work_for(board, count), walls_for(board), corral_memory_for(board, 1 << 14)
    corrals, matching, pairs = corrals_for(board.size), matching_for(count), dead_pairs.dead_pairs_for(board)
    alarms = []
    for boxes, player in states_along(board, lurd):
        work.mark[:] = 0  # as scoring does between two states: no test may rely on its own marks remaining
        put_boxes(board.size, work.blocked, boxes, count)
        if board.dead[boxes].any():
            alarms.append("dead square")
        if freeze(board.neighbours, board.dead, board.goal, boxes, count, walls.frozen) < 0:
            alarms.append("frozen")
        elif has_unmatched(board.neighbours, board.goals, work.mark, work.queue, boxes, count, walls):
            alarms.append("unmatched")
        goal_costs(board.distances, boxes, board.goals, count, False, matching.costs)
        if assign(matching, count) >= FAR:
            alarms.append("matching")
        if has_lost_pair(pairs, pairs.alive, boxes, count, player):
            alarms.append("dead pair")
        if has_lost_pair(pairs, pairs.born, boxes, count, player):
            alarms.append("unborn pair")
        if is_dead_corral(board, work, memory, boxes, count, player, LIMIT):
            alarms.append("corral")
        zone = np.zeros(board.size + 1, np.int32)
        flood(board.neighbours, work.blocked, player, zone, 1, work.queue)
        if choose_corral(board, work.blocked, zone, 1, corrals) == LOST:
            alarms.append("closed corral")
    return alarms


def high_bounds(level: Level, lurd: str) -> list[str]:
    board = make_board(level)
    count, squares, plain = len(board.boxes), live_squares(board.dead), costs_to(board, board.goals, pull=False)
    matching, pairs = matching_for(count), pairing.pairs_of(board, squares)
    high = raise_costs(board, symmetries(board), plain)
    ends = [at + 1 for at, letter in enumerate(lurd) if letter.isupper()]
    alarms = []
    for number, (boxes, player) in enumerate(states_along(board, lurd), 1):
        fill_costs(board, plain, boxes, count, player, matching)
        pushes = assign(matching, count)
        pushes += more_pushes(pairs, squares.bit, boxes, count, player, matching)
        if pushes > len(ends) - number:
            alarms.append("pushes")
        fill_costs(board, high, boxes, count, player, matching)
        if assign(matching, count) + high.heights[player] > ends[-1] - ends[number - 1]:
            alarms.append("moves")
    return alarms


def check(pairs, most: int) -> int:
    states = 0
    for name, level, lurd in pairs:
        if states >= most:
            break
        played = replay(level, Moves.parse(lurd))
        assert played.is_solved, name
        assert false_alarms(level, played.lurd) == [], name
        assert high_bounds(level, played.lurd) == [], name
        states += played.pushes
    return states


def test_no_deadlock_is_seen_along_our_own_solutions():
    members = (ladder(7), rooms(3))
    assert check([(member.moves, member.level, member.solution) for member in members], 1_000) > 100


@needs_shared_data
@MOST_STATES
@pytest.mark.parametrize("name", ["microban1", "xsokoban"])
def test_no_deadlock_is_seen_along_a_real_solution(name, most):
    pairs = [
        (pair["level"], level, pair["lurd"])
        for pair in json_lines(f"pairs/{name}.jsonl")
        if not (level := Level.parse(pair["xsb"])).unjudgeable
    ]
    step = 7  # spread over the set: solutions of one level are adjacent
    assert check(pairs[::step], most) >= most // 2
