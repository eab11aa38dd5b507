"""Compare two solutions of one level: the stretches where they part and meet again.

They meet where boxes and player are on the same squares in both. So each stretch of one solution can be replaced by
that of the other, alone or together with any of the others, and the rest can be played as before.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Solved, WrongSolution, proof_aim, verify

NAME = "coach"
_Position: TypeAlias = tuple[int, int] | None


@dataclass(frozen=True)
class Stretch:
    """Steps from *start* to before *stop* of a solution (from 0), and other steps that lead to the same position.

    *first_push* to before *last_push* are the pushes of the stretch (from 0); a walk between two pushes has none.
    *moves* and *pushes* are lost: so many more than in *lurd*, the other steps. A negative number is saved.
    """

    start: int
    stop: int
    first_push: int
    last_push: int
    moves: int
    pushes: int
    lurd: str = field(repr=False)

    @property
    def is_walk(self) -> bool:
        """Return whether no box is pushed in the stretch, so that only a walk is longer."""
        return self.first_push == self.last_push

    def lost(self, aim: Aim | str) -> tuple[int, int]:
        """Return both numbers in the order in which *aim* counts."""
        return (self.moves, self.pushes) if proof_aim(aim) == Aim.MOVES else (self.pushes, self.moves)


@dataclass(frozen=True)
class Advice:
    """A replayed *solution*, the *better* one, and the stretches where the first loses.

    The better solution is the first with all stretches replaced. Its `proven` is the count that no solution beats.
    """

    solution: Solved = field(repr=False)
    better: Solved
    stretches: tuple[Stretch, ...]


def advise(level: Level, solution: Solved, found: Solved, aim: Aim | str) -> Advice:
    """Return the stretches of *solution* that are worse than those of *found* as *aim* counts, and replay them."""
    parts = compare(level, solution.lurd, found.lurd)
    stretches = _joined(part for part in parts if part.lost(aim) > (0, 0))
    better = verify(
        level,
        replace_stretches(solution.lurd, stretches),
        proven=found.proven,
        by=NAME,
        nodes=found.nodes,
        cpu_seconds=found.cpu_seconds,
    )
    lost = sum(stretch.moves for stretch in stretches), sum(stretch.pushes for stretch in stretches)
    if lost != (solution.moves - better.moves, solution.pushes - better.pushes):
        raise WrongSolution(f"{NAME}: the stretches lose {lost}, not as the replay counts")
    return Advice(solution, better, stretches)


def _joined(parts: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """Join stretches that follow each other without a step between them."""
    joined: list[Stretch] = []
    for part in parts:
        if joined and joined[-1].stop == part.start:
            one = joined.pop()
            moves, pushes, lurd = one.moves + part.moves, one.pushes + part.pushes, one.lurd + part.lurd
            joined.append(Stretch(one.start, part.stop, one.first_push, part.last_push, moves, pushes, lurd))
        else:
            joined.append(part)
    return tuple(joined)


def compare(level: Level, lurd: str, other: str) -> tuple[Stretch, ...]:
    """Return all stretches where the solution *lurd* differs from *other*.

    Both must come from a replay, so that their capitals are exactly the pushes.

    >>> compare(Level.parse("######|#@$-.#|#----#|######"), "duRR", "RR")
    (Stretch(start=0, stop=2, first_push=0, last_push=0, moves=2, pushes=0),)

    Time O(moves * log moves + pushes * cells).
    """
    pushes_before = [0]
    for letter in lurd:
        pushes_before.append(pushes_before[-1] + letter.isupper())
    stretches = []
    for (start, from_), (stop, to) in pairwise(_meetings(_positions(level, lurd), _positions(level, other))):
        steps = other[from_:to]
        if lurd[start:stop] != steps:
            first, last = pushes_before[start], pushes_before[stop]
            fewer = last - first - sum(map(str.isupper, steps))
            stretches.append(Stretch(start, stop, first, last, stop - start - len(steps), fewer, steps))
    return tuple(stretches)


def replace_stretches(lurd: str, stretches: Sequence[Stretch]) -> str:
    """Return the solution *lurd* with its *stretches*, in order, replaced by the other steps.

    >>> replace_stretches("duduRR", [Stretch(0, 4, 0, 0, 4, 0, "")])
    'RR'
    """
    parts, done = [], 0
    for stretch in stretches:
        parts += [lurd[done : stretch.start], stretch.lurd]
        done = stretch.stop
    return "".join([*parts, lurd[done:]])


def without_loops(level: Level, lurd: str) -> str:
    """Return the solution *lurd* without the steps between two equal positions. Time O(moves + pushes * cells).

    >>> without_loops(Level.parse("######|#@$-.#|#----#|######"), "duduRR")
    'RR'
    """
    positions = _positions(level, lurd)
    last = {position: step for step, position in enumerate(positions)}
    steps, step = [], last[positions[0]]
    while step < len(lurd):
        steps.append(lurd[step])
        step = last[positions[step + 1]]
    return "".join(steps)


def _positions(level: Level, lurd: str) -> list[_Position]:
    """Return the boxes (bit n: cell n) and the player's cell before each step; None, the same for all, at the end."""
    deltas = {"l": -1, "u": -level.width, "r": 1, "d": level.width}
    player, boxes = level.player, sum(1 << box for box in level.boxes)
    positions: list[_Position] = []
    for letter in lurd:
        positions.append((boxes, player))
        delta = deltas[letter.lower()]
        player += delta
        if letter.isupper():
            boxes ^= 1 << player | 1 << player + delta
    return [*positions, None]


def _meetings(positions: list[_Position], others: list[_Position]) -> list[tuple[int, int]]:
    """Return the longest chain of equal positions, as step numbers in both solutions, neither ever decreasing."""
    first = {position: step for step, position in reversed(list(enumerate(others)))}
    pairs = [(step, first[position]) for step, position in enumerate(positions) if position in first]
    # By length of chain: its least possible step number in the other solution, and the pair where it has this number.
    chain_ends: list[int] = []
    last_pairs: list[int] = []
    before = []
    for number, (_step, other) in enumerate(pairs):
        length = bisect_right(chain_ends, other)
        before.append(last_pairs[length - 1] if length else -1)
        chain_ends[length : length + 1] = [other]
        last_pairs[length : length + 1] = [number]
    chain, at = [], last_pairs[-1]
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]
