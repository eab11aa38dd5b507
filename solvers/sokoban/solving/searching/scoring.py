"""Features of a state, and the score that orders states by them.

Four searches share this code; each has its own features, most important first:

- REMOVE pulls boxes off the goals and removes them on start squares: boxes left, regions, boxes still on goals,
  connections cut between rooms, distance from the goals. Its order of removal, reversed, is the packing plan.
- PULL pulls without removal: regions, connections cut, boxes stuck, distance. Its best board is the picture.
- PLAN pushes by the plan: steps packed, regions, connections cut, boxes outside (useless to the plan there), boxes in
  the way of others (hotspots), distance.
- PICTURE pushes towards the picture: regions, boxes on their squares, boxes touching something, matching.

After the feature-space search of Shoham and Schaeffer (The FESS Algorithm, IEEE CoG 2020).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.floor.floods import regions
from solvers.sokoban.solving.floor.hotspots import boxes_in_the_way
from solvers.sokoban.solving.floor.macros import Work
from solvers.sokoban.solving.floor.matching import Matching, assign, goal_costs, matching_for, rematch
from solvers.sokoban.solving.floor.rooms import Rooms, cut_ways
from solvers.sokoban.solving.floor.tables import fill
from solvers.sokoban.solving.searching.guides import Guide

REMOVE, PULL, PLAN, PICTURE = 0, 1, 2, 3
LOTS = 22  # last bits of a score, which hold the distance; a search with a seed draws them by lot


class Features(NamedTuple):
    """Features of the current state (*now*) and of the child being scored (*then*): int64[9] each, by F_*."""

    now: Table
    then: Table


F_PACKED, F_REGIONS, F_CUT, F_OUTSIDE, F_PLACED, F_STUCK, F_DISTANCE, F_COUNT, F_HOT = range(9)


class Scoring(NamedTuple):
    """Tables for scoring states; *matching* and *scratch* share their costs."""

    guide: Guide
    rooms: Rooms
    matching: Matching
    scratch: Matching
    features: Features


def scoring_for(guide: Guide, rooms: Rooms, boxes: int) -> Scoring:
    """Allocate the scoring tables of a search with *boxes* boxes."""
    matching = matching_for(boxes)
    scratch = matching_for(boxes)._replace(costs=matching.costs)
    return Scoring(guide, rooms, matching, scratch, Features(np.zeros(9, np.int64), np.zeros(9, np.int64)))


@inner
def score(mode: int, features: Table) -> int:
    """Pack the features into one number, greater for better states."""
    low = np.int64(255)
    far = np.int64((1 << 30) - 1)
    distance = min(max(features[F_DISTANCE], 0), far)
    parts = low - min(features[F_REGIONS], low)
    cut = low - min(features[F_CUT], low)
    if mode == REMOVE:
        left = 1023 - min(features[F_COUNT], 1023)
        on_goals = low - min(features[F_PLACED], low)
        return (left << 53) | (parts << 45) | (on_goals << 37) | ((cut >> 1) << 30) | distance  # type: ignore[no-any-return]
    stuck = low - min(features[F_STUCK], low)
    if mode == PULL:
        return (parts << 46) | (cut << 38) | (stuck << 30) | distance  # type: ignore[no-any-return]
    if mode == PLAN:
        inside = low - min(features[F_OUTSIDE], low)
        packed = min(features[F_PACKED], 511)
        free = low - min(features[F_HOT], low)
        near = np.int64((1 << LOTS) - 1) - min(distance, (1 << LOTS) - 1)
        return (packed << 54) | (parts << 46) | (cut << 38) | (inside << 30) | (free << LOTS) | near  # type: ignore[no-any-return]
    possible = np.int64(features[F_DISTANCE] < FAR)
    placed = min(features[F_PLACED], low)
    return (possible << 60) | (parts << 46) | (placed << 38) | (stuck << 30) | (far - distance)  # type: ignore[no-any-return]


@inner
def cell_key(mode: int, features: Table) -> int:
    """Return the key of the feature-space cell of these features."""
    regions_ = features[F_REGIONS]
    if mode == REMOVE:
        return (features[F_COUNT] << 40) | (regions_ << 20) | (features[F_CUT] << 10) | features[F_PLACED]  # type: ignore[no-any-return]
    if mode == PULL:
        return (regions_ << 20) | features[F_CUT]  # type: ignore[no-any-return]
    if mode == PLAN:
        return (features[F_PACKED] << 40) | (regions_ << 20) | features[F_OUTSIDE]  # type: ignore[no-any-return]
    return (regions_ << 20) | features[F_PLACED]  # type: ignore[no-any-return]


@inner
def measure(board: Board, scoring: Scoring, work: Work, boxes: Table, count: int, mode: int) -> None:
    """Compute all features of the state in `work.blocked` into `features.now`; clear `work.mark`."""
    guide, features, blocked, mark = scoring.guide, scoring.features.now, work.blocked, work.mark
    missing, needed = guide.missing, guide.needed
    features[F_REGIONS] = regions(board.size, board.neighbours, blocked, mark, work.queue)
    fill(mark, 0)
    features[F_CUT] = cut_ways(board.neighbours, blocked, scoring.rooms) if mode != PICTURE else 0
    features[F_COUNT] = count
    features[F_PACKED] = 0
    features[F_OUTSIDE] = 0
    if mode == PLAN:
        steps = missing.shape[0] - 1
        for step in range(steps + 1):
            missing[step] = 0
        for square in range(board.size):
            if blocked[square] == 0:
                for step in range(steps + 1):
                    missing[step] += needed[step, square]
        for step in range(steps + 1):
            if missing[step] == 0:
                features[F_PACKED] = step
        features[F_HOT] = boxes_in_the_way(guide.hotspots, needed[features[F_PACKED]], boxes, count)
    _sums(board.neighbours, board.goal, blocked, guide, boxes, count, mode, features)
    if mode == PICTURE:
        goal_costs(board.distances, boxes, guide.picture, count, False, scoring.matching.costs)  # noqa: FBT003
        features[F_DISTANCE] = assign(scoring.matching, count)


@inner
def _sums(
    neighbours: Table, goal: Table, blocked: Table, guide: Guide, boxes: Table, count: int, mode: int, features: Table
) -> None:  # fmt: skip
    """Compute the features that are sums over the boxes."""
    pictured, outsides, nearest, spread = guide.pictured, guide.outside, guide.nearest, guide.spread
    placed, stuck, distance, outside = 0, 0, 0, 0
    packed = features[F_PACKED]
    for at in range(count):
        box = boxes[at]
        if mode == PICTURE:
            if pictured[box]:
                placed += 1
            else:
                stuck += _touches(neighbours, blocked, box)
        elif mode == PLAN:
            outside += outsides[packed, box]
            distance += nearest[box]
        else:
            distance += spread[box]
            if mode == REMOVE:
                placed += goal[box]
            else:
                stuck += _cannot_be_pulled(neighbours, blocked, box)
    features[F_PLACED] = placed
    features[F_STUCK] = stuck
    features[F_DISTANCE] = distance
    features[F_OUTSIDE] = outside


@inner
def _touches(neighbours: Table, blocked: Table, box: int) -> int:
    for side in range(4):
        if blocked[neighbours[box, side]]:
            return 1
    return 0


@inner
def _cannot_be_pulled(neighbours: Table, blocked: Table, box: int) -> int:
    for side in range(4):
        there = neighbours[box, side]
        if there != neighbours.shape[0] - 1 and blocked[neighbours[there, side]] == 0:
            return 0
    return 1


@inner
def measure_child(
    board: Board, scoring: Scoring, work: Work, boxes: Table, count: int, mode: int, move: int, gone: bool  # noqa: FBT001
) -> None:  # fmt: skip
    """Compute the features after a *move* from those before it; `work.blocked` and the *count* boxes show the child.

    *gone*: the box was removed from the board, so the regions are counted again.
    """
    guide, rooms, now, then = scoring.guide, scoring.rooms, scoring.features.now, scoring.features.then
    blocked, missing, needed = work.blocked, guide.missing, guide.needed
    source, target = work.moves.source[move], work.moves.target[move]
    then[F_COUNT] = count
    then[F_REGIONS] = work.moves.regions[move]
    if gone:
        then[F_REGIONS] = regions(board.size, board.neighbours, blocked, work.mark, work.queue)
        fill(work.mark, 0)
    then[F_CUT] = now[F_CUT]
    if mode != PICTURE and rooms.number and (rooms.border[source] or (rooms.border[target] and not gone)):
        then[F_CUT] = cut_ways(board.neighbours, blocked, rooms)
    then[F_PACKED] = 0
    if mode == PLAN:
        packed = 0
        for step in range(missing.shape[0]):
            if missing[step] + needed[step, source] == needed[step, target]:
                packed = step
        then[F_PACKED] = packed
        then[F_DISTANCE] = now[F_DISTANCE] - guide.nearest[source] + guide.nearest[target]
        then[F_OUTSIDE] = now[F_OUTSIDE] - guide.outside[packed, source] + guide.outside[packed, target]
        then[F_HOT] = boxes_in_the_way(guide.hotspots, needed[packed], boxes, count)
    if mode != PLAN or then[F_PACKED] != now[F_PACKED]:
        _sums(board.neighbours, board.goal, blocked, guide, boxes, count, mode, then)
    if mode == PICTURE:
        then[F_DISTANCE] = _rematch(board.distances, scoring, count, np.int64(work.moves.box[move]), source, target)


@inner
def _rematch(distances: Table, scoring: Scoring, count: int, row: int, source: int, target: int) -> int:
    """Return the least distance from the picture after box number *row* moves from *source* to *target*."""
    picture, matching, costs = scoring.guide.picture, scoring.matching, scoring.matching.costs
    for column in range(count):
        costs[row, column] = distances[target, picture[column]]
    distance = rematch(matching, scoring.scratch, count, row)
    for column in range(count):
        costs[row, column] = distances[source, picture[column]]
    return distance
