"""Techniques that a small level needs, proved by exhausting its positions.

A technique is necessary if the level cannot be solved without it: all positions that a solution without the technique
could reach are searched, and none is solved. `facts` returns everything that is proved of a level.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import permutations
from typing import Any, NamedTuple

from solvers.sokoban.checks.deadlocks import dead_squares, lone_pushes
from solvers.sokoban.level import WALL, Level

MOST_POSITIONS = 300_000


class TooManyPositions(Exception):
    """The level has more positions than `MOST_POSITIONS`, so nothing is proved."""


class Push(NamedTuple):
    """One push: the box's squares before and after it, and all boxes after it."""

    box: int
    target: int
    after: frozenset[int]


# Return the notes of the position after a push, given a note of the position before it; none forbids the push.
Rule = Callable[[Hashable, Push], Iterable[Hashable]]


@dataclass(frozen=True)
class Facts:
    """Proved facts about a level; a False technique may still be useful, but it is not necessary.

    *floor*, *corners* and *walls* count squares: all, dead ones in corners, and other dead ones. *first_pushes* and
    *good_first_pushes* count the possible first pushes, and those that leave the level solvable. *direct* is the
    number of pushes if each box went to its goal alone; all solutions need an even number more.
    """

    floor: int
    corners: int
    walls: int
    first_pushes: int
    good_first_pushes: int
    direct: int
    needs_parking: bool
    needs_order: bool
    needs_corral: bool


def facts(level: Level) -> Facts:
    """Return what is proved of a level. Raise TooManyPositions if it is too large.

    >>> facts(Level.parse("#######|#-----#|#@$-.-#|#######")).walls
    3

    Time and memory O(positions).
    """
    dead, boxes = dead_squares(level), frozenset(level.boxes)
    corners = sum(_is_corner(level, cell) for cell in dead)
    first = list(_pushes(level, boxes, level.player))
    return Facts(
        floor=len(level.reach),
        corners=corners,
        walls=len(dead) - corners,
        first_pushes=len(first),
        good_first_pushes=sum(
            push.target not in dead and _search(level, push.after, push.box, _permit_all, (None,)) for push in first
        ),
        direct=direct_pushes(level),
        needs_parking=needs_parking(level),
        needs_order=find_first_goal(level) is not None,
        needs_corral=needs_corral(level),
    )


def needs_parking(level: Level) -> bool:
    """Return whether every solution moves some box in more than one run. Raise TooManyPositions."""
    return not is_solvable(level, permit_one_run, (-1, frozenset()))


def needs_corral(level: Level) -> bool:
    """Return whether every solution cuts the player off from a part of the floor that is open at first.

    Raise TooManyPositions.
    """
    is_open = level.region == level.reach.difference(level.boxes)
    return is_open and not is_solvable(level, partial(permit_open, level))


def is_solvable(level: Level, rule: Rule | None = None, *notes: Hashable) -> bool:
    """Return True if a solution exists all of whose pushes *rule* permits; *notes* are those of the start position."""
    return _search(level, frozenset(level.boxes), level.player, rule or _permit_all, notes or (None,))


def permit_one_run(note: Any, push: Push) -> Iterable[Hashable]:
    """Permit each box one run of pushes, that is, no parking. A note is the box of the run, and the finished boxes."""
    running, finished = note
    if push.box == running:
        yield push.target, finished
    elif push.box not in finished:
        yield push.target, finished | {running}


def permit_open(level: Level, note: Hashable, push: Push) -> Iterable[Hashable]:
    """Permit pushes after which the pusher can walk to every free square, or all boxes are on goals."""
    is_open = len(_zone(level, push.after, push.box)) == len(level.reach) - len(push.after)
    return (note,) if is_open or push.after == frozenset(level.goals) else ()


def find_first_goal(level: Level) -> int | None:
    """Return the goal that receives its last box before every other goal does, in every solution; None if none does."""
    for first in level.goals:
        others = [goal for goal in level.goals if goal != first]
        if others and not any(_may_precede(level, other, first) for other in others):
            return first
    return None


def _may_precede(level: Level, other: int, first: int) -> bool:
    """Return True if *other* can receive its last box before *first* does."""
    rule = partial(_permit_preceding, frozenset(level.goals), other, first)
    return is_solvable(level, rule, "open", *(["filled"] if other in level.boxes else []))


def _permit_preceding(goals: frozenset[int], other: int, first: int, note: Any, push: Push) -> Iterable[Hashable]:
    """Permit solutions in which *other* is filled for good ("filled"), and then a box arrives on *first* ("after")."""
    if note == "open":
        notes = ["open", "filled"] if push.target == other else ["open"]
    elif push.box == other:
        notes = []
    else:
        notes = ["after"] if push.target == first else [note]
    return [note for note in notes if push.after != goals or note == "after"]


def direct_pushes(level: Level) -> int:
    """Return the fewest pushes to bring the boxes to the goals if each were alone. Time O(goals!)."""
    far = len(level.cells) * len(level.boxes)
    ways = [_lone_distances(level, box) for box in level.boxes]
    return min(
        sum(way.get(goal, far) for way, goal in zip(ways, goals, strict=True)) for goals in permutations(level.goals)
    )


def _lone_distances(level: Level, box: int) -> dict[int, int]:
    """Return the pushes from *box* to every square that a lone box can reach."""
    distances, queue = {box: 0}, [box]
    for cell in queue:
        for target in lone_pushes(level, cell):
            if target not in distances:
                distances[target] = distances[cell] + 1
                queue.append(target)
    return distances


def _permit_all(note: Hashable, _push: Push) -> Iterable[Hashable]:
    return (note,)


def _search(level: Level, boxes: frozenset[int], stand: int, rule: Rule, notes: Iterable[Hashable]) -> bool:
    """Search all permitted positions; those with a box on a dead square cannot be solved and are left out."""
    goals, dead = frozenset(level.goals), dead_squares(level)
    if boxes == goals:
        return True
    start = min(_zone(level, boxes, stand))
    seen: set[Hashable] = {(boxes, start, note) for note in notes}
    queue = [(boxes, start, note) for note in notes]
    for boxes, stand, note in queue:
        for push in _pushes(level, boxes, stand):
            if push.target in dead:
                continue
            for after in rule(note, push):
                if push.after == goals:
                    return True
                position = push.after, min(_zone(level, push.after, push.box)), after
                if position not in seen:
                    seen.add(position)
                    queue.append(position)
        if len(seen) > MOST_POSITIONS:
            raise TooManyPositions
    return False


def _pushes(level: Level, boxes: frozenset[int], stand: int) -> Iterator[Push]:
    zone = _zone(level, boxes, stand)
    for box in boxes:
        for cell in level.neighbours(box):
            target = 2 * box - cell
            if cell in zone and target not in boxes and not level.cells[target] & WALL:
                yield Push(box, target, boxes - {box} | {target})


@lru_cache(maxsize=1 << 16)
def _zone(level: Level, boxes: frozenset[int], stand: int) -> frozenset[int]:
    """Return the squares to which the pusher can walk from *stand*."""
    seen, todo = {stand}, [stand]
    while todo:
        for cell in level.neighbours(todo.pop()):
            if cell not in seen and cell not in boxes and not level.cells[cell] & WALL:
                seen.add(cell)
                todo.append(cell)
    return frozenset(seen)


def _is_corner(level: Level, cell: int) -> bool:
    """Return True if walls meet at the square: above or below it, and on its left or right."""
    above, below, left, right = (level.cells[cell + step] & WALL for step in (-level.width, level.width, -1, 1))
    return bool((above or below) and (left or right))
