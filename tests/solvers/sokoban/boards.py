"""Random small boards, and a second, slow and obvious implementation of the rules, for oracles."""

from hypothesis import strategies as st

from solvers.sokoban.level import WALL
from solvers.sokoban.position import Position
from tests.solvers.sokoban.solving.full_search import random_level


def levels(**sizes):
    return st.randoms(use_true_random=False).map(lambda chance: random_level(chance, **sizes))


def step(level, position, letter):
    delta = {"l": -1, "u": -level.width, "r": 1, "d": level.width}[letter.lower()]
    target, beyond, boxes = position.player + delta, position.player + 2 * delta, position.boxes
    if level.cells[target] & WALL:
        return "wall"
    if target in boxes:
        if level.cells[beyond] & WALL:
            return "box_against_wall"
        if beyond in boxes:
            return "box_against_box"
        boxes = tuple(beyond if box == target else box for box in boxes)
    return Position(position.number + 1, target, boxes)


def obvious_replay(level, steps):
    """Return (lurd, "solved" or why the next step is impossible or None, boxes home)."""
    position, goals, lurd, end = Position.start(level), set(level.goals), "", None
    for letter in steps.lower():
        after = step(level, position, letter)
        if isinstance(after, str):
            end = after
            break
        is_push = after.boxes != position.boxes
        position, lurd = after, lurd + (letter.upper() if is_push else letter)
        if is_push and set(position.boxes) == goals:
            end = "solved"
            break
    return lurd, end, len(goals.intersection(position.boxes))
