"""Rounds and their levels, results, draws, links of the receipt chain, archives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from contest import results, visibility
from contest.api.objects.kinds import (
    ADDRESS,
    ANYTHING,
    BOOLEAN,
    COUNT,
    HASH,
    INTEGER,
    MAYBE_TEXT,
    PHASE,
    SLOT,
    TEXT,
    TIME,
    TITLE,
    Member,
    Shape,
    many,
    maybe,
    one_of,
)
from contest.api.objects.rankings import PLAYER
from contest.api.objects.submissions import IS_VOID
from contest.models import ChainLink, Level, Player, Round, SealedAnswer, SealedState, Snapshot, Track
from contest.wording import bilingual, notes


@dataclass(frozen=True)
class RoundAt:
    """A round at a moment; *levels* are those that may be seen (rule 7.4), *archive* is the address of its archive."""

    row: Round
    levels: Sequence[Level]
    at: datetime
    archive: str | None = None

    @property
    def is_cancelled(self) -> bool:
        return self.row.cancelled_at is not None and self.row.cancelled_at <= self.at


@dataclass(frozen=True)
class TrackAt:
    """A track, and the number of the round of it that is open."""

    row: Track
    current: int | None


@dataclass(frozen=True)
class SealedAnswerAt:
    """A sealed answer at a moment."""

    row: SealedAnswer
    at: datetime


@dataclass(frozen=True)
class ResultsOf:
    """The results of a round: the document, and the *snapshot* it is published in, if it is.

    A preview has no titles (rule 7.4). Who holds a title may hold no points.
    """

    round: Round
    document: Mapping[str, Any]
    revisions: Sequence[int]
    preview: bool
    snapshot: Snapshot | None
    url: str

    @cached_property
    def _table(self) -> results.Results:
        return results.table(self.document)

    @property
    def title_holders(self) -> Mapping[str, Player]:
        return {} if self.preview else dict(self._table.title_holders)

    @property
    def points(self) -> list[results.ResultRow]:
        held = self.title_holders
        return [replace(row, titles=[one for one in row.titles if one in held]) for row in self._table.rows]

    @property
    def reason(self) -> str | None:
        last = self.snapshot
        return bilingual.in_language(last.reason_zh, last.reason_en).text or None if last else None


def _settings(one: RoundAt) -> dict[str, Any] | None:
    rules = visibility.settings(one.row, one.at)
    return rules.as_json() if rules else None


def _link_of(one: SealedAnswerAt) -> Any:
    """None until it is bound."""
    return getattr(one.row, "chain_link", None)


LEVEL = Shape[Level]("Level", "A level as published.", [
    Member("round", INTEGER, lambda level: level.round.number),
    Member("slot", SLOT),
    Member("title", TEXT),
    Member("author", TEXT),
    Member("board", TEXT, lambda level: level.text.replace("|", "\n"), "XSB rows joined by newlines; floor is -."),
    Member("width", COUNT),
    Member("height", COUNT),
    Member("boxes", COUNT),
    Member("sha256", HASH),
    Member("board_version", COUNT),
    IS_VOID,
])  # fmt: skip
_ROUND: list[Member[RoundAt]] = [
    Member("number", INTEGER, lambda one: one.row.number),
    Member("track", TEXT, lambda one: one.row.track_id, "The track it belongs to; main, unless there are several."),
    Member("name", TEXT, lambda one: one.row.name,
           "What people call it: the number, or weekly-7 on another track; its addresses lead to those of the number."),
    Member("phase", PHASE, lambda one: one.row.phase(one.at)),
    Member("title", TEXT, lambda one: visibility.title(one.row, one.at), "In the language of Accept-Language."),
    Member("announced_at", TIME, lambda one: one.row.announced_at),
    Member("opens_at", TIME, lambda one: one.row.opens_at),
    Member("closes_at", TIME, lambda one: one.row.closes_at),
    Member("finalised_at", maybe(TIME), lambda one: one.row.finalised_at),
    Member("settings", maybe(ANYTHING), _settings, "See the rulebook, section 17."),
    Member("commitment", maybe(HASH), lambda one: visibility.commitment(one.row, one.at) or None,
           "Of the lucky number, from the opening."),
    Member("levels", many(LEVEL), lambda one: one.levels or None, "Absent until the round has opened.",
           is_optional=True),
]  # fmt: skip
ROUND = Shape("Round", "A round in a list.", _ROUND)
TRACK_LIST = Shape[Sequence[TrackAt]]("TrackList", "The tracks, main first.", [
    Member("results", many(Shape[TrackAt]("", "One of several contests side by side.", [
        Member("track", TEXT, lambda one: one.row.slug, "Its name in addresses."),
        Member("title", TEXT, lambda one: str(one.row), "In the language of Accept-Language."),
        Member("current", maybe(INTEGER), words="Its open round."),
    ])), lambda tracks: tracks),
])  # fmt: skip
_CANCELLED = Shape[Round]("", "When and why.", [
    Member("at", TIME, lambda row: row.cancelled_at),
    Member("reason", TEXT, lambda row: bilingual.in_language(row.cancel_reason_zh, row.cancel_reason_en).text),
])  # fmt: skip
_LUCKY: list[Member[Any]] = [Member("number", COUNT), Member("salt", TEXT), Member("is_typed", BOOLEAN)]
_NOTE = Shape[notes.Row]("", "A note of the organisers.", [
    Member("at", TIME),
    Member("what", TEXT),
    Member("why", TEXT, lambda note: note.why.text),
])  # fmt: skip
_RULING = Shape[notes.Ruling]("", "A ruling.", [
    Member("player", PLAYER),
    Member("reason", TEXT, lambda ruling: ruling.why.text),
])  # fmt: skip
WHOLE_ROUND = Shape[RoundAt]("WholeRound", "A round with all that is public of it.", [  # rule 7.4
    *_ROUND,
    Member("cancelled", maybe(_CANCELLED), lambda one: one.row if one.is_cancelled else None),
    Member("lucky", maybe(Shape("", "The lucky number.", _LUCKY)),
           lambda one: visibility.lucky_number(one.row, one.at),
           "From the reveal, or the end of the day in which sealed answers are opened."),
    Member("notes", many(_NOTE), lambda one: map(notes.note, visibility.notes(one.row, one.at))),
    Member("disqualified", many(_RULING),
           lambda one: map(notes.ruling, visibility.disqualifications(one.row, one.at))),
    Member("archive", maybe(ADDRESS), words="The ZIP with everything, when it is ready."),
])  # fmt: skip
_CHAMPIONS = Shape[Mapping[str, Player]](
    "", "Who holds the titles, with points or without; null where nobody does.", [
    Member("moves", maybe(PLAYER), lambda holders: holders.get("MMC")),
    Member("pushes", maybe(PLAYER), lambda holders: holders.get("MPC")),
    Member("second", maybe(PLAYER), lambda holders: holders.get("second")),
])  # fmt: skip
_LINE = Shape[results.ResultRow]("", "A line of the results.", [
    Member("place", INTEGER),
    Member("player", PLAYER),
    Member("move_half_points", COUNT, lambda row: row.by_moves),
    Member("push_half_points", COUNT, lambda row: row.by_pushes),
    Member("titles", many(TITLE)),
])  # fmt: skip
RESULTS = Shape[ResultsOf]("Results", "The results of a round as they stand.", [  # rules 14.3, 14.4
    Member("round", INTEGER, lambda one: one.round.number),
    Member("preview", BOOLEAN, words="Of an open round: points as they would be, without titles."),
    Member("revisions", many(INTEGER)),
    Member("champions", _CHAMPIONS, lambda one: one.title_holders),
    Member("lucky_player", maybe(PLAYER), lambda one: one.title_holders.get("lucky")),
    Member("points", many(_LINE)),
    Member("provisional", BOOLEAN, lambda one: one.snapshot is None),
    Member("revision", maybe(INTEGER), lambda one: one.snapshot and one.snapshot.revision),
    Member("made_at", maybe(TIME), lambda one: one.snapshot and one.snapshot.made_at),
    Member("reason", MAYBE_TEXT, words="Of a revision."),
    Member("sha256", maybe(HASH), lambda one: one.snapshot and one.snapshot.sha256, "Of the whole document."),
    Member("document", maybe(ADDRESS), lambda one: one.url if one.snapshot else None,
           "The whole document, from which everything can be computed again."),
])  # fmt: skip
_BEACON = Shape[Any]("", "Public randomness in the draw.", [
    Member("name", TEXT),
    Member("round", INTEGER),
    Member("value", maybe(HASH)),
])  # fmt: skip
DRAW = Shape[results.ShownDraw]("Draw", "The lucky draw, with all that is needed to draw again.", [  # rule 11.11
    Member("round", INTEGER),
    Member("commitment", HASH),
    *_LUCKY,
    Member("formula", TEXT),
    Member("candidates", many(PLAYER), lambda draw: [row.player for row in draw.rows]),
    Member("index", maybe(COUNT)),
    Member("lucky", maybe(PLAYER)),
    Member("kept_from", maybe(INTEGER), words="The revision whose lucky player stayed."),
    Member("beacon", maybe(_BEACON), words="Its value is null until an organiser has entered it."),
])  # fmt: skip
CHAIN = Shape[tuple[Round, ChainLink | None]]("Chain", "A link of the receipt chain.", [  # rule 24.2
    Member("round", INTEGER, lambda one: one[0].number),
    Member("number", maybe(INTEGER), lambda one: one[1] and one[1].number),
    Member("link", maybe(HASH), lambda one: one[1] and one[1].link),
])  # fmt: skip
SEALED_ENTRY = Shape[Any]("SealedEntry", "What a player vouches for, without the moves.", [  # rule 5.11
    Member("slot", SLOT),
    Member("moves", COUNT),
    Member("pushes", COUNT),
    Member("sha256", HASH, words="Of the sealed text."),
])  # fmt: skip
SEALED_TEXT = Shape[Any]("SealedText", "What opens a sealed answer.", [
    Member("text", TEXT, words="The five lines to the letter; white space around and within them does not matter."),
])  # fmt: skip
SEALED_ANSWER = Shape[SealedAnswerAt]("SealedAnswer", "A sealed answer: unproved until it is opened.", [  # rule 5.12
    Member("number", INTEGER, lambda one: one.row.number, "Of sealed answers alone."),
    Member("round", INTEGER, lambda one: one.row.level.round.number),
    Member("slot", SLOT, lambda one: one.row.level.slot),
    Member("player", PLAYER, lambda one: one.row.player),
    Member("moves", COUNT, lambda one: one.row.moves),
    Member("pushes", COUNT, lambda one: one.row.pushes),
    Member("sha256", HASH, lambda one: one.row.sha256),
    Member("state", one_of(*SealedState.values), lambda one: one.row.state(one.at)),
    Member("received_at", TIME, lambda one: one.row.received_at),
    Member("opened_at", maybe(TIME), lambda one: one.row.opened_at),
    Member("submission", maybe(INTEGER), lambda one: one.row.submission_id, "What it became when it was opened."),
    Member("leaf", maybe(HASH), lambda one: _link_of(one) and _link_of(one).leaf,
           "Of the receipt chain; null for some seconds."),
    Member("chain_link", maybe(HASH), lambda one: _link_of(one) and _link_of(one).link),
])  # fmt: skip
ARCHIVE = Shape[tuple[int, str]]("", "One.", [
    Member("round", INTEGER, lambda one: one[0]),
    Member("url", ADDRESS, lambda one: one[1]),
])  # fmt: skip
ARCHIVE_LIST = Shape[Sequence[tuple[int, str]]](
    "ArchiveList", "The archives that may be taken away, newest round first.", [
    Member("results", many(ARCHIVE), lambda archives: archives),
])  # fmt: skip
OF_ROUNDS = (
    LEVEL, ROUND, WHOLE_ROUND, TRACK_LIST, RESULTS, DRAW, CHAIN, ARCHIVE_LIST, SEALED_ENTRY, SEALED_TEXT, SEALED_ANSWER,
)  # fmt: skip
