"""The rules of the game: replay moves on a level and say what came of it (docs/formats.md, *Moves*).

The score is taken at the first solved state after at least one push; what follows is cut and not looked at.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from solvers.errors import BadLevel
from solvers.sokoban import kernels
from solvers.sokoban.arena import BLOCKED, CRATE, FREE, OUTSIDE, Arena
from solvers.sokoban.kernels import CAPITAL
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves


class Verdict(StrEnum):
    """What a replay can say; the contest has further words for what it never replays."""

    SOLVED = "solved"
    NOT_SOLVED = "not_solved"
    ILLEGAL = "illegal"
    EMPTY = "empty"


class Why(StrEnum):
    """Why a step is impossible, in the order the tests are made."""

    OFF_THE_MAP = "off_the_map"
    WALL = "wall"
    BOX_OFF_THE_MAP = "box_off_the_map"
    BOX_AGAINST_WALL = "box_against_wall"
    BOX_AGAINST_BOX = "box_against_box"


@dataclass(frozen=True)
class Replay:
    """What came of replaying a text on a level.

    *moves*, *pushes* and *lurd* are those of the scored part: up to the first solved state, or up to the first
    impossible step, or all. *step* counts the steps from 1, *index* the characters of the text from 0; both are None
    where no step was impossible. *boxes_home* is how many of the *boxes* stand on goals at the end, *best_home* the
    most after any push, first reached after *best_at* steps.
    """

    verdict: Verdict
    moves: int
    pushes: int
    cut: int = 0
    lurd: str = field(default="", repr=False)
    case_corrected: bool = field(default=False, repr=False)
    index: int | None = field(default=None, repr=False)
    step: int | None = field(default=None, repr=False)
    why: Why | None = field(default=None, repr=False)
    boxes: int = field(default=0, repr=False)
    boxes_home: int = field(default=0, repr=False)
    best_home: int = field(default=0, repr=False)
    best_at: int = field(default=0, repr=False)

    @property
    def is_solved(self) -> bool:
        return self.verdict == Verdict.SOLVED


def replay(level: Level, moves: Moves) -> Replay:
    """Play *moves* on *level* and say what came of it.

    >>> replay(Level.parse("#####|#@$.#|#####"), Moves.parse("RRRDD"))
    Replay(verdict=<Verdict.SOLVED: 'solved'>, moves=1, pushes=1, cut=4)

    An impossible step is a verdict, not an exception: its step, index and cause stand in the result.
    Raise BadLevel where the level cannot be judged. Time O(moves + cells), memory O(cells + pushes).
    """
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    lurd, pushes, home, blocked, best_home, best_at = _play(level.arena, moves.steps)
    played = len(lurd)
    solved = pushes > 0 and home == len(level.boxes)
    return Replay(
        _verdict(moves, solved=solved, blocked=blocked),
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


def _verdict(moves: Moves, *, solved: bool, blocked: Why | None) -> Verdict:
    if not moves.steps:
        return Verdict.EMPTY
    if solved:
        return Verdict.SOLVED
    return Verdict.ILLEGAL if blocked else Verdict.NOT_SOLVED


class Course(NamedTuple):
    """How far the steps went: see `play`."""

    lurd: str
    pushes: int
    home: int
    blocked: Why | None
    best_home: int
    best_at: int


def _play(arena: Arena, steps: str) -> Course:
    """Play with the compiled loop in a process that has loaded it already, else in plain Python.

    It is never loaded for a replay: that takes longer than plain Python needs for the longest text allowed.
    """
    return play_compiled(arena, steps) if kernels.is_warm() else play(arena, steps)


def play(arena: Arena, steps: str) -> Course:
    """Carry out *steps* up to the first solved state after a push, the first impossible step, or the end.

    Return the steps carried out with capitals at exactly the pushes, the number of pushes, the boxes home at the end,
    why the next step is impossible, the most boxes home after any push (at the start if there was none), and after
    how many steps that was first so. Time O(steps + squares).
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
                played, blocked = at, _cause(squares, man, beyond)
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
    lurd = _with_capitals(steps[:played], capitals[:played])
    return Course(lurd, pushes, home, blocked, best_home if pushes else home, best_at)


def play_compiled(arena: Arena, steps: str) -> Course:
    """The same as `play` by the loop in `kernels`: faster from some 100 steps on, if it is compiled."""
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
        blocked = _cause(squares, man + delta, man + 2 * delta)
    lurd = letters[:played].decode("ascii")
    return Course(lurd, pushes, home, blocked, best_home if pushes else home, best_at)


def _cause(squares: Sequence[int], target: int, beyond: int) -> Why:
    """Why nobody can step to *target*, tested in the order of `Why`."""
    if squares[target] == OUTSIDE:
        return Why.OFF_THE_MAP
    if squares[target] == BLOCKED:
        return Why.WALL
    return {
        OUTSIDE: Why.BOX_OFF_THE_MAP,
        BLOCKED: Why.BOX_AGAINST_WALL,
        CRATE: Why.BOX_AGAINST_BOX,
    }[squares[beyond]]


def _with_capitals(steps: str, capitals: bytearray) -> str:
    """Lower-case letters, except that bit CAPITAL is flipped where *capitals* has it: one exclusive or for them all."""
    lower = int.from_bytes(steps.lower().encode("ascii"), "big")
    return (lower ^ int.from_bytes(capitals, "big")).to_bytes(len(steps), "big").decode("ascii")
