"""Generator of the course of deadlocks: lost positions of the site's own levels, with the boxes that are lost.

Games at random lose soon; the tutor of the puzzle library finds the boxes. The result depends only on the seed.
`manage.py make_levels --deadlocks` runs it.
"""

import json
import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict
from itertools import combinations

from contest.library.own import graded
from contest.library.own.deadlocks import Exercise
from solvers.sokoban.checks.deadlocks import deadlock
from solvers.sokoban.coaching.tutor import Tutor, explain_loss
from solvers.sokoban.game import Game
from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.deadlocks.dead_ends import MOST_STATES

GAMES, PUSHES = 6, 30  # per level, and at most per game
# Exercises of each kind, easiest first: the check without search that finds the deadlock, and how many boxes it takes.
WANTED = (
    ("dead_square", (1,), 2),
    ("frozen", (2,), 2),
    ("frozen", (3, 4), 2),
    ("unmatched", (2, 3), 2),
    ("closed", (1,), 1),
    ("closed", (2,), 2),
    ("closed", (3, 4), 1),
)


def make(_known: Collection[str], report: Callable[[int], object]) -> str:
    """Return the exercises as JSON, a line each; *report* is called with their number so far."""
    candidates = sorted(_candidates(), key=lambda one: (len(one.level.boxes), len(one.text), one.text))
    chosen: list[Exercise] = []
    walls: set[str] = set()
    for kind, sizes, most in WANTED:
        found = 0
        for one in candidates:
            room = one.text.translate({ord(letter): "-" for letter in "@+$*."})
            has_others = len(one.boxes) == 1 or len(one.boxes) < len(one.level.boxes)
            is_wanted = one.kind == kind and len(one.boxes) in sizes and has_others and room not in walls
            if is_wanted and found < most:
                chosen.append(one)
                walls.add(room)
                found += 1
                report(len(chosen))
    return "[\n" + ",\n".join(json.dumps(asdict(one)) for one in chosen) + "\n]\n"


def _candidates() -> Iterator[Exercise]:
    chance = random.Random(1)  # noqa: S311 - no secret: the same seed gives the same file
    for entry in graded.read():
        for _ in range(GAMES):
            if one := _lose(entry.level, chance):
                yield one


def _lose(level: Level, chance: random.Random) -> Exercise | None:
    """Return the position in which a game at random is lost, unless it is won or goes on."""
    game = Game(level)
    for _ in range(PUSHES):
        pushes = game.legal_pushes
        if not pushes:
            return None
        game.push(chance.choice(pushes))
        loss = explain_loss(level, game.lurd, Budget(cpu_seconds=1.0))
        if loss:
            position = game.to_level()
            static = deadlock(level, position.boxes)
            kind = str(static.kind) if static and set(loss.boxes) <= set(static.boxes) else "closed"
            is_new = loss.push == game.pushes and (static is None or kind != "closed")
            if not loss.reach or not is_new or _others_are_lost(position, loss.boxes):
                return None
            return Exercise(position.published_text, kind, loss.boxes, loss.reach)
    return None


def _others_are_lost(position: Level, boxes: tuple[int, ...]) -> bool:
    """Return whether as few boxes other than *boxes* are lost, too."""
    tutor = Tutor(position, "", make_board(position), Meter(Budget()))
    sets = (others for size in range(1, len(boxes) + 1) for others in combinations(position.boxes, size))
    return any(tutor.prove_lost(list(others), position.player, MOST_STATES) for others in sets if others != boxes)
