"""Read and judge a submission of 500 moves in a warm process, compared with the most obvious implementation."""

import sys
from collections.abc import Iterator

from bench.figures import Figure, cpu_seconds
from bench.games import pushing_game
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.level import BOX, GOAL, WALL

MOVES = 500

STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}


def measure() -> Iterator[Figure]:
    """Yield the CPU time of one judgement. The level is parsed before in both methods, and numba is not loaded."""
    level, lurd = pushing_game(20, 8, MOVES)
    text = lurd.lower()
    outcome = replay(level, Moves.parse(text))
    assert (outcome.is_solved, outcome.lurd, outcome.cut) == (True, lurd, 0)
    obvious = Obvious(level)
    assert obvious.judge(text) == ("solved", lurd, outcome.pushes)
    ours, first = cpu_seconds(lambda: replay(level, Moves.parse(text)), lambda: obvious.judge(text), runs=101, repeat=5)
    assert "numba" not in sys.modules
    is_met = ours <= 200e-6 and first >= 2.5 * ours
    name = f"{len(text)} moves, {outcome.pushes} pushes, judged"
    yield Figure(name, ours * 1e6, "us", "sets of tuples", first * 1e6, "at most 200 us and 0.4", is_met)


class Obvious:
    """A judge for one level that stores walls, goals and boxes as sets of coordinates."""

    def __init__(self, level: Level) -> None:
        def places(flag: int) -> set[tuple[int, int]]:
            return {
                (cell % level.width, cell // level.width) for cell, content in enumerate(level.cells) if content & flag
            }

        self.walls, self.goals, self.boxes = places(WALL), places(GOAL), places(BOX)
        self.player = level.player % level.width, level.player // level.width

    def judge(self, text: str) -> tuple[str, str, int]:
        """Return the verdict, the letters with capitals at pushes, and the number of pushes."""
        boxes, player, pushes = set(self.boxes), self.player, 0
        letters: list[str] = []
        for letter in text:
            if letter.isspace():
                continue
            if letter.lower() not in STEPS:
                return "malformed", "".join(letters), pushes
            right, down = STEPS[letter.lower()]
            target = player[0] + right, player[1] + down
            if target in self.walls:
                return "illegal", "".join(letters), pushes
            if target in boxes:
                beyond = target[0] + right, target[1] + down
                if beyond in self.walls or beyond in boxes:
                    return "illegal", "".join(letters), pushes
                boxes.remove(target)
                boxes.add(beyond)
                pushes += 1
                letters.append(letter.upper())
                if boxes == self.goals:
                    return "solved", "".join(letters), pushes
            else:
                letters.append(letter.lower())
            player = target
        return "not_solved", "".join(letters), pushes
