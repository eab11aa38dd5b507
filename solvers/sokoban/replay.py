"""The rules of the game: replay moves on a level and say what came of it (formats.md section 11, F11).

The score is taken at the first solved state after at least one push; what follows is cut and not looked at.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from solvers.errors import BadLevel
from solvers.sokoban.level import BLOCKED, CRATE, FREE, OUTSIDE, Arena, Level
from solvers.sokoban.moves import Moves


class Verdict(StrEnum):
    """What a replay can say; the contest has further words for what it never replays."""

    SOLVED = "solved"
    NOT_SOLVED = "not_solved"
    ILLEGAL = "illegal"
    EMPTY = "empty"


class Why(StrEnum):
    """Why a step is impossible, in the order the tests are made (F11.2)."""

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
        return self.verdict is Verdict.SOLVED


def replay(level: Level, moves: Moves) -> Replay:
    """Play *moves* on *level* and say what came of it.

    >>> replay(Level.parse("#####|#@$.#|#####"), Moves.parse("RRRDD"))
    Replay(verdict=<Verdict.SOLVED: 'solved'>, moves=1, pushes=1, cut=4)

    An impossible step is a verdict, not an exception: its step, index and cause stand in the result.
    Raise BadLevel where the level cannot be judged. Time O(moves + cells), memory O(cells + pushes).
    """
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    played, pushed_at, home, blocked, best_home, best_at = play(level.arena, moves.steps)
    steps = moves.steps[:played]
    lurd = _with_capitals(steps, pushed_at)
    solved = bool(pushed_at) and home == len(level.boxes)
    return Replay(
        _verdict(moves, solved=solved, blocked=blocked),
        moves=played,
        pushes=len(pushed_at),
        cut=len(moves.steps) - played if solved else 0,
        lurd=lurd,
        case_corrected=lurd != steps,
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

    played: int
    pushed_at: list[int]
    home: int
    blocked: Why | None
    best_home: int
    best_at: int


def play(arena: Arena, steps: str) -> Course:
    """Carry out *steps* up to the first solved state after a push, the first impossible step, or the end.

    Return the number of steps carried out, the places (from 0) of the pushes among them, the boxes home at the end,
    why the next step is impossible, the most boxes home after any push (at the start if there was none), and after
    how many steps that was first so. Time O(steps + squares).
    """
    squares, goals, man = bytearray(arena.squares), arena.goals, arena.start
    home = sum(1 for square, content in enumerate(squares) if content == CRATE and goals[square])
    boxes = squares.count(CRATE)
    best_home, best_at = -1, 0
    pushed_at: list[int] = []
    played, blocked = len(steps), None
    for at, delta in enumerate(map(arena.deltas.__getitem__, steps)):
        target = man + delta
        content = squares[target]
        if content:
            beyond = squares[target + delta] if content == CRATE else OUTSIDE
            if beyond:
                played, blocked = at, _cause(content, beyond)
                break
            squares[target] = FREE
            squares[target + delta] = CRATE
            pushed_at.append(at)
            home += goals[target + delta] - goals[target]
            if home > best_home:
                best_home, best_at = home, at + 1
                if home == boxes:
                    played = at + 1
                    break
        man = target
    return Course(played, pushed_at, home, blocked, best_home if pushed_at else home, best_at)


def _cause(content: int, beyond: int) -> Why:
    if content == OUTSIDE:
        return Why.OFF_THE_MAP
    if content == BLOCKED:
        return Why.WALL
    return {
        OUTSIDE: Why.BOX_OFF_THE_MAP,
        BLOCKED: Why.BOX_AGAINST_WALL,
        CRATE: Why.BOX_AGAINST_BOX,
    }[beyond]


def _with_capitals(steps: str, pushed_at: list[int]) -> str:
    letters = bytearray(steps.lower(), "ascii")
    for at in pushed_at:
        letters[at] ^= 0x20
    return letters.decode("ascii")
