"""The contents of a round's archive (rule 24.1; docs/reference/archive.md).

Pure functions and values: the site writes archives with them, `reader` reads archives into them, and
`python -m contest.verify` recomputes everything with them.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from contest.rules import canonical, tabulation
from contest.rules import settings as round_settings
from contest.rules.settings import RoundSettings
from contest.rules.tabulation import Publication, Result

# Rounds that opened before openings and leaves were bound keep format 1, byte for byte (rule 24.2). Only rounds that
# take sealed answers have format 3 (rule 5.11). Format 4 is of rounds that opened since leaves bind whole entries.
FORMATS = (1, 2, 3, 4)
MANIFEST = "manifest.json"
ROUND, LEVELS, SUBMISSIONS = "round.json", "levels.sok", "submissions.jsonl"
BOARDS, RESULTS, CHAIN = "boards.json", "results.json", "chain.jsonl"
OPENING, REVISIONS = "opening.json", "revisions.jsonl"
SEALED, CLOSINGS, CERTIFICATES = "sealed.jsonl", "closings.jsonl", "certificates.jsonl"
PLAYERS, RANKINGS_CSV, SUBMISSIONS_CSV = "players.jsonl", "rankings.csv", "submissions.csv"
# Rule 15.6: player names appear only in files that are not hashed.
_FIRST = (ROUND, LEVELS, SUBMISSIONS, BOARDS, RESULTS, CHAIN)
_SECOND = (*_FIRST, OPENING, REVISIONS)
HASHED = {1: _FIRST, 2: _SECOND, 3: (*_SECOND, SEALED), 4: (*_SECOND, SEALED, CLOSINGS, CERTIFICATES)}
ERASABLE = (PLAYERS, RANKINGS_CSV, SUBMISSIONS_CSV)

ACCEPTED, SPECTATOR = "accepted", "spectator"
# State of the results: not final, equal to the last revision, changed by a ruling since it, or none (rule 7.10).
PROVISIONAL, FINAL, AWAITING, CANCELLED = "provisional", "final", "awaiting_revision", "cancelled"


# The rows


@dataclass(frozen=True)
class Submission:
    """One accepted submission or spectator answer.

    *lurd* is None if it is not published, and empty if it was never known (imported without moves). From format 2 on,
    *leaf* is its leaf in the chain. If the moves are published, *nonce*, *sent_as* (the player number it was sent as)
    and *text* (as sent, in Base64) open the leaf; otherwise these are None, and so is *sha256* if there is a leaf.
    From format 4 on the leaf binds everything received: *sent_as*, *sent_league*, *reader* and *slot_named* are always
    there, and *text_seal* stands for the text.
    """

    number: int
    player: int
    league: str
    slot: str
    received_at: str
    verdict: str
    moves: int
    pushes: int
    sha256: str | None
    lurd: str | None = field(repr=False)
    void: Mapping[str, Any] | None = None
    is_hors_concours: bool = False
    is_imported: bool = False
    leaf: str | None = None
    nonce: str | None = None
    sent_as: int | None = None
    text: str | None = field(default=None, repr=False)
    sent_league: str | None = None
    reader: str | None = None
    slot_named: str | None = None
    text_seal: str | None = None

    @property
    def result(self) -> Result:
        at = instant(self.received_at)
        return Result(self.number, self.player, self.league, self.slot, self.moves, self.pushes, at)


@dataclass(frozen=True)
class SealedAnswer:
    """An answer that a player committed to with a hash (rule 5.11); *sent_as* is the player number in the hashed text.

    *submission* is the submission it became, if the archive lists that one; *opened_at* is None if it is void.
    """

    number: int
    player: int
    sent_as: int
    slot: str
    received_at: str
    moves: int
    pushes: int
    sha256: str
    leaf: str
    opened_at: str | None
    submission: int | None


@dataclass(frozen=True)
class Player:
    number: int
    name: str
    country: str
    league: str


@dataclass(frozen=True)
class Link:
    """One link of the receipt chain with the fields it binds (rule 24.2)."""

    number: int
    received_at: str
    sha256: str
    link: str


@dataclass(frozen=True)
class Leaf:
    """One link of the receipt chain that binds a leaf."""

    leaf: str
    link: str


_OPENED = ("leaf", "nonce", "sent_as", "text")
_ENTRY = ("sent_league", "reader", "slot_named", "text_seal")
_OMITTED = {1: (*_OPENED, *_ENTRY), 2: _ENTRY, 3: _ENTRY, 4: ("is_imported",)}


def line(row: Submission | SealedAnswer | Player | Link | Leaf, format_: int) -> bytes:
    """Return one row as a line of its file."""
    values = asdict(row)
    if isinstance(row, Submission):
        values = {name: value for name, value in values.items() if name not in _OMITTED[format_]}
    return (canonical.json_line(values) + "\n").encode()


def instant(text: str) -> datetime:
    """Parse *text*, which was validated before, as a time."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


# The boards


def ranked_submissions(about: Mapping[str, Any], rows: Iterable[Submission]) -> list[Submission]:
    """Return the rows that count, on levels that are not void (rules 1.7, 2.10); *about* is `round.json`."""
    disqualified = {disqualification["player"] for disqualification in about["disqualified"]}
    void = {level["slot"] for level in about["levels"] if level["void"]}
    return [
        row for row in rows if not (row.void or row.is_hors_concours or row.player in disqualified or row.slot in void)
    ]


def boards(settings: RoundSettings, rows: Iterable[Submission]) -> dict[str, Any]:
    """Return all rankings of a round from the rows that count: contest and spectator answers (rules 8, 13.5)."""
    rows = list(rows)
    solved = {(row.player, row.slot) for row in rows if row.verdict == ACCEPTED}
    spectators = [row for row in rows if row.verdict == SPECTATOR and (row.player, row.slot) not in solved]
    return boards_of(
        settings, [row.result for row in rows if row.verdict == ACCEPTED], [row.result for row in spectators]
    )


def boards_of(settings: RoundSettings, contest: Iterable[Result], spectators: Iterable[Result]) -> dict[str, Any]:
    """Return the document of `boards.json`: by board, league, slot and ranking, each entry with its counts."""
    return {
        name: {
            league: {
                slot: {"moves": _ranking(by_moves), "pushes": _ranking(by_pushes)}
                for slot, (by_moves, by_pushes) in levels.items()
            }
            for league, levels in tabulation.compute_tables(settings, results).rankings.items()
        }
        for name, results in (("contest", contest), ("spectator", spectators))
    }


def _ranking(results: Sequence[Result]) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank,
            "player": result.player,
            "number": result.number,
            "moves": result.moves,
            "pushes": result.pushes,
            "received_at": canonical.instant(result.received_at),
        }
        for rank, result in enumerate(results, 1)
    ]


# The results


def document(about: Mapping[str, Any], rows: Iterable[Submission], published: Mapping[str, Any]) -> dict[str, Any]:
    """Recompute the document of `results.json` from `round.json` and the rows (rules 9 to 11, 14.3).

    Take the revision's number, the engine, the moves and a lucky player kept from an earlier revision (rule 14.5) from
    *published*, because they depend on facts outside the archive. A cancelled round has no points, titles or draw
    (rule 7.10).
    """
    settings = round_settings.parse(about["settings"])
    lucky, draw = None, published["draw"]
    is_cancelled = bool(about.get("cancelled"))
    if about["lucky"] and not is_cancelled:
        previous_revision = draw["kept_from"] if draw else None
        previous_player = draw["lucky"] if draw and previous_revision else None
        lucky = tabulation.lucky_of(
            about["commitment"] or "", about["lucky"], settings, previous_player, previous_revision
        )
    counted = [] if is_cancelled else [row.result for row in ranked_submissions(about, rows) if row.verdict == ACCEPTED]
    recomputed = tabulation.compute_tables(settings, counted, lucky)
    lurds = {row["number"]: row["lurd"] for row in published["submissions"] if row["lurd"] is not None}
    levels = [
        {"slot": level["slot"], "sha256": level["sha256"], "void": level["void"] is not None}
        for level in about["levels"]
    ]
    facts = Publication(about["number"], published["revision"], published["engine"], levels, lurds)
    return tabulation.document(settings, recomputed, lucky, facts)


# The copies for spreadsheets


def rankings_csv(document: Mapping[str, Any], players: Mapping[int, Player]) -> bytes:
    """Return the boards as a CSV table, with names."""
    heads = ["board", "league", "slot", "by", "rank", *_NAMED, "moves", "pushes", "received_at", "number"]
    rows = (
        [board, league, slot, by, row["rank"], *_name_columns(players, row["player"])]
        + [row[name] for name in ("moves", "pushes", "received_at", "number")]
        for board, leagues in document.items()
        for league, levels in leagues.items()
        for slot, rankings in levels.items()
        for by, ranking in rankings.items()
        for row in ranking
    )
    return as_csv(heads, rows)


def submissions_csv(rows: Iterable[Submission], players: Mapping[int, Player]) -> bytes:
    """Return the submissions as a CSV table, with names and without moves texts."""
    plain = ["league", "slot", "received_at", "verdict", "moves", "pushes", "sha256", "is_hors_concours", "is_imported"]
    return as_csv(
        ["number", *_NAMED, *plain, "void"],
        (
            [
                row.number,
                *_name_columns(players, row.player),
                *(getattr(row, name) for name in plain),
                row.void is not None,
            ]
            for row in rows
        ),
    )


_NAMED = ("player", "name", "country")


def _name_columns(players: Mapping[int, Player], number: int) -> list[Any]:
    player = players.get(number)
    return [number, player.name if player else "", player.country if player else ""]


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a table for spreadsheets."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows([_guard(cell) for cell in row] for row in rows)
    # The byte order mark tells spreadsheets that this is UTF-8.
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def _guard(cell: Any) -> Any:
    """Rule 24.1: prevent a spreadsheet from evaluating a name as a formula."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
