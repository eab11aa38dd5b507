"""Players, rankings and fronts, and what was accepted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from contest.api.objects.kinds import (
    BOOLEAN,
    COUNT,
    EVERY_LEAGUE,
    HASH,
    INTEGER,
    LEAGUE,
    METRIC,
    SLOT,
    TEXT,
    TIME,
    Member,
    Shape,
    inside,
    list_members,
    many,
    maybe,
    one_of,
)
from contest.api.objects.submissions import IS_VOID, slot_of
from contest.models import Level, Player, Submission
from contest.rankings import pareto, standings
from contest.rules.phases import Phase


@dataclass(frozen=True)
class Board:
    """Which list of a level's results."""

    level: Level
    league: str
    at: datetime


@dataclass(frozen=True)
class Ranking(Board):
    """One ranking of a level."""

    by: str
    board: str


@dataclass(frozen=True)
class PartOfRanking:
    """Some rows of a ranking."""

    of: Ranking
    count: int
    results: Sequence[standings.Row]


@dataclass(frozen=True)
class Front:
    """The front of a level."""

    of: Board
    results: Sequence[pareto.Point]

    @property
    def count(self) -> int:
        return len(self.results)


@dataclass(frozen=True)
class ListedSubmission:
    """An accepted submission as everybody may list it; the hash of its text only from the reveal (rule 7.4)."""

    row: Submission
    with_hash: bool


PLAYER = Shape[Player]("Player", "A player.", [
    Member("number", INTEGER, lambda player: player.pk),
    Member("name", TEXT, lambda player: player.nickname),
    Member("country", TEXT),
    Member("league", LEAGUE),
])  # fmt: skip
_RESULT: list[Member[Any]] = [
    Member("player", PLAYER),
    Member("moves", COUNT),
    Member("pushes", COUNT),
    Member("received_at", TIME),
    Member("number", INTEGER, words="Of the submission."),
]
RESULT = Shape[Submission]("Result", "A result.", _RESULT)
ROW = Shape[standings.Row]("Row", "A line of a ranking.", [
    Member("rank", INTEGER),
    *_RESULT,
    Member("pareto", BOOLEAN),
    Member("practice", BOOLEAN, lambda row: row.is_practice),
])  # fmt: skip
_BOARD: list[Member[Any]] = [
    Member("round", INTEGER, lambda one: one.level.round.number),
    Member("slot", SLOT, lambda one: one.level.slot),
    Member("league", EVERY_LEAGUE),
    Member("board_version", COUNT, lambda one: one.level.board_version, "Raised by whatever changes the board."),
    Member("provisional", BOOLEAN, lambda one: one.level.round.phase(one.at) != Phase.FINAL),
    Member("void", BOOLEAN, lambda one: one.level.voided_at is not None),
]
# What a ranking says of itself: whatever it is made of, and so its ETag.
FACTS = Shape[Ranking]("", "What a ranking says of itself.", [
    *_BOARD,
    Member("by", METRIC),
    Member("board", one_of("contest", "spectator", "all_time")),
])  # fmt: skip
STANDINGS = Shape[PartOfRanking](
    "Standings", "A ranking of a level.", [*inside("of", FACTS.members), *list_members(ROW)]
)
# Rule 12.2.
_POINT = Shape[pareto.Point]("", "A point, and who equalled it later.", [
    *inside("holder", _RESULT),
    Member("equalled", many(RESULT)),
])  # fmt: skip
FRONT = Shape[Front]("Front", "The Pareto front of a level.", [*inside("of", _BOARD), *list_members(_POINT)])
_ACCEPTED: list[Member[ListedSubmission]] = [
    *inside("row", [
        *_RESULT,
        Member("slot", maybe(SLOT), slot_of),
        Member("hors_concours", BOOLEAN, lambda row: row.is_hors_concours),
        IS_VOID,
    ]),
    Member("sha256", maybe(HASH), lambda one: one.row.sha256 if one.with_hash else None,
           "Of the text, from the close."),
]  # fmt: skip


def _while_accepted(name: str) -> Member[ListedSubmission]:
    """A count of a submission that may no longer be accepted: how it was judged then is its sender's alone."""
    words = "Null where it is no longer accepted."
    return Member(name, maybe(COUNT), lambda one: getattr(one.row, name) if one.row.is_accepted else None, words)


_COUNTS = ("moves", "pushes")
_ROUND = Member[ListedSubmission]("round", INTEGER, lambda one: one.row.round.number)
_LURD = Member[ListedSubmission]("lurd", TEXT, lambda one: one.row.lurd)
ACCEPTED = Shape("Accepted", "An accepted submission.", _ACCEPTED)
TOLD = Shape(
    "ToldSubmission", "A submission that was accepted, as an event tells of it.",
    [_while_accepted(one.name) if one.name in _COUNTS else one for one in _ACCEPTED],
)  # fmt: skip
SOLUTION = Shape("Solution", "An accepted submission with its moves.", [*_ACCEPTED, _LURD])
ACCEPTED_LINE = Shape("AcceptedLine", "An accepted submission, in a list of all rounds.", [_ROUND, *_ACCEPTED])
SOLUTION_LINE = Shape("SolutionLine", "The same with its moves.", [_ROUND, *_ACCEPTED, _LURD])
RANKED = (PLAYER, ROW, STANDINGS, RESULT, FRONT, ACCEPTED, TOLD, SOLUTION, ACCEPTED_LINE, SOLUTION_LINE)
