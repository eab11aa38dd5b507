"""Equal solutions of a revealed round: players who sent the same as an earlier sender, and the delay (rule 15.5).

Two solutions are equal by moves if all moves are the same, and by pushes if the same boxes are pushed from the same
cells in the same order, whatever the man walks between. Many players find short solutions, or a level's only best one,
independently: this is a hint and never a verdict.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from contest.infra.cache import remember
from contest.models import Level, Round, Submission
from contest.rankings import standings

_STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}
_PIECE = 10_000


@dataclass(frozen=True)
class FirstSending:
    """A player's first submission of a solution, and whether all its moves are those of the first sender."""

    number: int
    player: int
    received_at: datetime
    is_same_walk: bool
    gap: timedelta


@dataclass(frozen=True)
class Equals:
    """Solution by pushes that several players sent on a level: the first sender, then the others in order of time."""

    level: int
    pushes: int
    sent: tuple[FirstSending, ...]

    @property
    def shortest_gap(self) -> timedelta:
        return self.sent[1].gap


def find_equal_solutions(round_: Round, levels: Iterable[Level]) -> list[Equals]:
    """Return every solution of *round_* that two players sent, most pushes first: long ones rarely repeat by chance.

    Reads each accepted solution once, a microsecond a move. The result is cached until a board of *levels*, which must
    be all of the round's, changes.
    """
    return remember(("equal solutions", round_.pk, standings.versions(levels)), lambda: list(_find(round_)))


def _find(round_: Round) -> list[Equals]:
    rows = Submission.objects.accepted().entered().replayable().filter(round=round_).order_by("received_at", "number")
    columns = rows.values_list("number", "player", "level", "received_at", "pushes", "lurd")
    groups: dict[tuple[int, bytes], dict[int, tuple[FirstSending, bytes, int]]] = {}
    for number, player, level, received_at, pushes, lurd in columns.iterator(chunk_size=50):
        group = groups.setdefault((level, push_path(lurd)), {})
        if player in group:
            continue
        walk = hashlib.sha256(lurd.encode()).digest()
        first, first_walk, _pushes = next(iter(group.values()), (None, walk, 0))
        gap = received_at - first.received_at if first else timedelta()
        group[player] = FirstSending(number, player, received_at, walk == first_walk, gap), walk, pushes or 0
    return sorted(_several(groups), key=lambda equal: (-equal.pushes, equal.shortest_gap, equal.sent[0].number))


def _several(groups: dict[tuple[int, bytes], dict[int, tuple[FirstSending, bytes, int]]]) -> Iterator[Equals]:
    for (level, _path), group in groups.items():
        if len(group) > 1:
            of_players = list(group.values())
            yield Equals(level, of_players[0][2], tuple(sent for sent, _walk, _pushes in of_players))


def push_path(lurd: str) -> bytes:
    """Return a digest of the pushes of *lurd*: the cell, relative to the man's start, and direction of each.

    >>> push_path("uurRd") == push_path("uulrrRu")
    True
    >>> push_path("rR") == push_path("rrR")
    False
    """
    digest = hashlib.sha256()
    x = y = 0
    pushes: list[str] = []
    for step in lurd:
        across, down = _STEPS[step.lower()]
        if step.isupper():
            pushes.append(f"{x},{y}{step}")
        x, y = x + across, y + down
        if len(pushes) == _PIECE:
            digest.update(" ".join(pushes).encode() + b" ")
            pushes.clear()
    digest.update(" ".join(pushes).encode() + b" ")
    return digest.digest()
