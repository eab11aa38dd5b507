"""Slow, obvious search through every position of a small level: the oracle of all searches."""

import heapq
import random
from typing import NamedTuple

from solvers.sokoban import Level
from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL


class Best(NamedTuple):
    moves_then_pushes: tuple[int, int] | None
    pushes_then_moves: tuple[int, int] | None

    @property
    def is_solvable(self) -> bool:
        return self.moves_then_pushes is not None


def best(level: Level) -> Best:
    moves_first = cheapest(level, lambda pushed: (1, int(pushed)))
    if moves_first is None:
        return Best(None, None)
    return Best(moves_first, cheapest(level, lambda pushed: (int(pushed), 1)))


def cheapest(level, price, start=None, is_home=None):
    """Dijkstra's search with one step per edge: a state is the player's cell and the set of cells with boxes.

    Search from *start*, by default that of the level, to the first state after a push that *is_home*.
    """
    goals = frozenset(level.goals)
    start = start or (level.player, frozenset(level.boxes))
    is_home = is_home or (lambda state, pushed: pushed and state[1] == goals)
    known = {start: (0, 0)}
    todo = [((0, 0), 0, start)]
    number = 0  # so that the heap never compares states
    home = None
    while todo:
        cost, _, state = heapq.heappop(todo)
        if home is not None and cost >= home:
            return home
        if cost > known[state]:
            continue
        for after, pushed in steps(level, *state):
            extra = price(pushed)
            reach = cost[0] + extra[0], cost[1] + extra[1]
            if is_home(after, pushed) and (home is None or reach < home):
                home = reach
            if after not in known or reach < known[after]:
                known[after] = reach
                number += 1
                heapq.heappush(todo, (reach, number, after))
    return home


def is_solvable(level, player, boxes):
    """Return whether all boxes can reach goals from other positions than the level's; they may be there already."""
    goals = frozenset(level.goals)
    return goals == frozenset(boxes) or cheapest(level, lambda _: (1, 0), (player, frozenset(boxes))) is not None


def can_get_home(level, player, boxes):
    """Return whether these boxes, alone on the board, can be on goals at the same time."""
    goals = frozenset(level.goals)
    start = player, frozenset(boxes)
    return goals >= start[1] or cheapest(level, lambda _: (1, 0), start, lambda state, _: goals >= state[1]) is not None


def steps(level, man, boxes):
    for to in level.neighbours(man):
        if level.cells[to] & WALL:
            continue
        if to not in boxes:
            yield (to, boxes), False
            continue
        beyond = to + to - man
        if beyond in level.neighbours(to) and not level.cells[beyond] & WALL and beyond not in boxes:
            yield (to, boxes - {to} | {beyond}), True


def random_level(chance: random.Random, *, max_side: int = 5, max_boxes: int = 3) -> Level:
    width, height = chance.randint(2, max_side), chance.randint(2, max_side)
    places = chance.sample(range(width * height), width * height)
    boxes = chance.randint(1, min(max_boxes, width * height - 2))
    content = [0] * (width * height)
    content[places[0]] = PLAYER
    for place in places[1 : 1 + boxes]:
        content[place] = BOX
    for place in chance.sample(places, boxes):
        content[place] |= GOAL
    for place in places[1 + boxes : 1 + boxes + chance.randint(0, width * height // 4)]:
        content[place] = content[place] or WALL
    rows = [[WALL, *content[at : at + width], WALL] for at in range(0, len(content), width)]
    return Level.from_cells([[WALL] * (width + 2), *rows, [WALL] * (width + 2)])


def pulled_level(chance: random.Random, *, max_side: int = 6, max_boxes: int = 3) -> Level:
    """Return a solvable level like those of `random_level`: its boxes have been pulled away from their goals."""
    while True:
        level = pull_about(chance, random_level(chance, max_side=max_side, max_boxes=max_boxes))
        if level:
            return level


def pull_about(chance: random.Random, level: Level) -> Level | None:
    """Return the level with its boxes pulled away from their goals, or None if none has moved."""
    man, boxes = level.player, frozenset(level.goals) - {level.player}
    if len(boxes) < len(level.goals):
        return None
    for _ in range(chance.randint(5, 200)):
        man, boxes = chance.choice([*_pulls(level, man, boxes), (man, boxes)])
    if boxes == frozenset(level.goals):
        return None
    content = [cell & ~(BOX | PLAYER) for cell in level.cells]
    for box in boxes:
        content[box] |= BOX
    content[man] |= PLAYER
    return Level(level.width, level.height, bytes(content))


def _pulls(level, man, boxes):
    for to in level.neighbours(man):
        if level.cells[to] & WALL or to in boxes:
            continue
        yield to, boxes
        behind = man + man - to
        if behind in boxes and behind in level.neighbours(man):
            yield to, boxes - {behind} | {man}


def small_level(chance: random.Random) -> Level:
    return pulled_level(chance, max_side=5) if chance.random() < 0.6 else random_level(chance)
