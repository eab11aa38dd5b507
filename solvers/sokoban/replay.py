"""The rules of the game: replay moves on a level and return the verdict (docs/reference/formats.md, *Moves*).

The score is taken at the first solved state after at least one push; later steps are cut and not checked.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from solvers.errors import BadLevel
from solvers.sokoban import kernels
from solvers.sokoban.arena import BLOCKED, CRATE, FREE, OUTSIDE, Arena
from solvers.sokoban.kernels import CAPITAL
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves, show_steps


class Verdict(StrEnum):
    """Verdict of a replay. The contest has further verdicts for input that is never replayed."""

    SOLVED = "solved"
    NOT_SOLVED = "not_solved"
    ILLEGAL = "illegal"
    EMPTY = "empty"


class Why(StrEnum):
    """Reasons why a step is impossible, in the order in which they are tested."""

    OFF_THE_MAP = "off_the_map"
    WALL = "wall"
    BOX_OFF_THE_MAP = "box_off_the_map"
    BOX_AGAINST_WALL = "box_against_wall"
    BOX_AGAINST_BOX = "box_against_box"

    @property
    def phrase(self) -> str:
        """The reason as the predicate of a sentence about the step."""
        return _PHRASES[self]


_PHRASES = {
    Why.OFF_THE_MAP: "leaves the map",
    Why.WALL: "walks into a wall",
    Why.BOX_OFF_THE_MAP: "pushes a box off the map",
    Why.BOX_AGAINST_WALL: "pushes a box against a wall",
    Why.BOX_AGAINST_BOX: "pushes a box against a box",
}


@dataclass(frozen=True, repr=False)
class Replay:
    """Result of replaying a text on a level.

    *moves*, *pushes* and *lurd* cover the scored part: up to the first solved state, or up to the first impossible
    step, or all of it. *step* counts the steps from 1, *index* the characters of the text from 0; both are None if no
    step was impossible. *boxes_home* of the *boxes* are on goals at the end. *best_home* is the most on goals after any
    push, first reached after *best_at* steps.
    """

    verdict: Verdict
    moves: int
    pushes: int
    cut: int = 0
    lurd: str = ""
    case_corrected: bool = False
    index: int | None = None
    step: int | None = None
    why: Why | None = None
    boxes: int = 0
    boxes_home: int = 0
    best_home: int = 0
    best_at: int = 0

    @property
    def is_solved(self) -> bool:
        return self.verdict == Verdict.SOLVED

    def __repr__(self) -> str:
        fault = f", step={self.step}, why={self.why.value!r}" if self.why else ""
        counts = f"moves={self.moves}, pushes={self.pushes}, cut={self.cut}"
        return f"Replay({self.verdict.value!r}, {counts}{fault}, lurd={show_steps(self.lurd)!r})"


def replay(level: Level | str, moves: Moves | str) -> Replay:
    """Replay *moves* on *level* and return the verdict with its counts. Texts of either are parsed first.

    >>> replay("#####|#@$.#|#####", "RRRDD")
    Replay('solved', moves=1, pushes=1, cut=4, lurd='R')

    An illegal step is a verdict, not an exception: the result holds its step, index and reason. Raise PuzzleError for
    an unreadable text, BadLevel if the level cannot be judged. Time O(moves + cells), memory O(cells + pushes).
    """
    level, moves = Level.of(level), Moves.of(moves)
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    lurd, pushes, home, blocked, best_home, best_at = _play(level.arena, moves.steps)
    played = len(lurd)
    solved = pushes > 0 and home == len(level.boxes)
    return Replay(
        _verdict_of(moves, solved=solved, blocked=blocked),
        moves=played,
        pushes=pushes,
        cut=len(moves.steps) - played if solved else 0,
        lurd=lurd,
        case_corrected=not moves.steps.startswith(lurd),
        index=moves.index_of(played) if blocked else None,
        step=played + 1 if blocked else None,
        why=blocked,
        boxes=len(level.boxes),
        boxes_home=home,
        best_home=best_home,
        best_at=best_at,
    )


def _verdict_of(moves: Moves, *, solved: bool, blocked: Why | None) -> Verdict:
    if not moves.steps:
        return Verdict.EMPTY
    if solved:
        return Verdict.SOLVED
    return Verdict.ILLEGAL if blocked else Verdict.NOT_SOLVED


class Course(NamedTuple):
    """Result of `play`."""

    lurd: str
    pushes: int
    home: int
    blocked: Why | None
    best_home: int
    best_at: int


def _play(arena: Arena, steps: str) -> Course:
    """Play with the compiled kernel if this process has loaded it, else in plain Python.

    A replay never loads the kernel: loading takes longer than plain Python needs for the longest allowed text.
    """
    return play_compiled(arena, steps) if kernels.is_warm() else play(arena, steps)


def play(arena: Arena, steps: str) -> Course:
    """Play *steps* up to the first solved state after a push, the first impossible step, or the end.

    Return the steps played with capitals at exactly the pushes, the number of pushes, the boxes on goals at the end,
    the reason why the next step is impossible, the most boxes on goals after any push (at the start if there was none),
    and the number of steps after which that maximum was first reached. Time O(steps + squares).
    """
    squares, goals, man, home = list(arena.squares), arena.goals, arena.start, arena.home
    best_home, best_at = -1, 0
    capitals = bytearray(len(steps))
    played, blocked = len(steps), None
    for at, delta in enumerate(map(arena.deltas.__getitem__, steps)):
        man += delta
        if squares[man]:
            beyond = man + delta
            if squares[man] != CRATE or squares[beyond]:
                played, blocked = at, failure_reason(squares, man, beyond)
                break
            squares[man] = FREE
            squares[beyond] = CRATE
            capitals[at] = CAPITAL
            home += goals[beyond] - goals[man]
            if home > best_home:
                best_home, best_at = home, at + 1
                if home == arena.boxes:
                    played = at + 1
                    break
    pushes = capitals.count(CAPITAL)
    lurd = _apply_capitals(steps[:played], capitals[:played])
    return Course(lurd, pushes, home, blocked, best_home if pushes else home, best_at)


def play_compiled(arena: Arena, steps: str) -> Course:
    """Return the same as `play`, using the kernel. When compiled it is faster from about 100 steps on."""
    squares, letters = bytearray(arena.squares), bytearray(steps, "ascii")
    deltas, result = array("q", bytes(8 * 128)), array("q", bytes(8 * 6))
    for letter, delta in arena.deltas.items():
        deltas[ord(letter)] = delta
    tables = map(kernels.view, (squares, bytearray(arena.goals), letters, deltas, result))
    kernels.kernel(kernels.play)(*tables, arena.start, arena.boxes, arena.home)
    played, pushes, home, best_home, best_at, man = result
    blocked = None
    if played < len(steps) and best_home != arena.boxes:
        delta = arena.deltas[steps[played]]
        blocked = failure_reason(squares, man + delta, man + 2 * delta)
    lurd = letters[:played].decode("ascii")
    return Course(lurd, pushes, home, blocked, best_home if pushes else home, best_at)


def failure_reason(squares: Sequence[int], target: int, beyond: int) -> Why:
    """Return the reason why the player cannot step to *target*, tested in the order of `Why`."""
    if squares[target] == OUTSIDE:
        return Why.OFF_THE_MAP
    if squares[target] == BLOCKED:
        return Why.WALL
    return {
        OUTSIDE: Why.BOX_OFF_THE_MAP,
        BLOCKED: Why.BOX_AGAINST_WALL,
        CRATE: Why.BOX_AGAINST_BOX,
    }[squares[beyond]]


def _apply_capitals(steps: str, capitals: bytearray) -> str:
    """Return the steps in lower case, with bit CAPITAL flipped where *capitals* has it: one XOR for all letters."""
    lower = int.from_bytes(steps.lower().encode("ascii"), "big")
    return (lower ^ int.from_bytes(capitals, "big")).to_bytes(len(steps), "big").decode("ascii")
