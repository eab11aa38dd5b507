"""Checks of an archive from format 2 on beyond its tables: leaves, draw, texts, revisions, times, spelling.

Pure functions over the values from `reader`; `verify` calls them (rules 14.4, 14.5, 24.1, 24.2).
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from contest.archive import format as archived
from contest.archive import reader
from contest.archive.checks import BadArchive
from contest.archive.format import AWAITING, CANCELLED, FINAL, PROVISIONAL, SPECTATOR, Submission
from contest.archive.proofs import entries
from contest.archive.reader import Archive
from contest.archive.report import Report
from contest.rules import beacons, canonical, lucky_draw, tabulation
from contest.rules import settings as round_settings
from contest.rules.settings import RoundSettings
from solvers.sokoban.formats import Collection, Entry, sok
from solvers.sokoban.level import Level
from solvers.sokoban.reading.origin import Origins

# Leaves and texts of formats 2 and 3


def leaf_faults(row: Submission, about: Mapping[str, Any]) -> Iterator[str]:
    """Yield faults unless a submission of format 2 opens its leaf if, and only if, its moves are published."""
    opening_values = (row.nonce, row.sent_as, row.text, row.sha256)
    if row.is_imported:
        yield "is said to be imported, in a round that was held where the archive comes from"
    elif row.leaf is None:
        if row.sha256 is None or opening_values[:3] != (None, None, None):
            yield "has no leaf, but part of one"
    elif row.lurd is None:
        if opening_values != (None, None, None, None):
            yield "is opened, though its moves are not published"
    elif row.nonce is None or row.sent_as is None or row.text is None or row.sha256 is None:
        yield "is published, but not opened"
    else:
        if hashlib.sha256(base64.b64decode(row.text)).hexdigest() != row.sha256:
            yield "its text has another SHA-256"
        leaf = canonical.leaf(row.nonce, about["number"], row.number, row.received_at, row.sha256, row.sent_as)
        if leaf != row.leaf:
            yield "does not open its leaf"


def text_faults(row: Submission, level: Level, origins: Origins) -> Iterator[str]:
    """Yield a fault if the scored moves are not a reading of the submitted text."""
    try:
        text = base64.b64decode(row.text or "").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        yield "its text is not UTF-8"
        return
    if not origins.is_reading(row.lurd or "", level, text, is_spectator=row.verdict == SPECTATOR):
        yield "its moves are no reading of the text that was sent"


# Draw


def check_draw(about: Mapping[str, Any], settings: RoundSettings, report: Report) -> None:
    """Check that number and salt give the commitment, and that the beacon is the one that was settled."""
    lucky = about["lucky"]
    if lucky is None:
        if settings.lucky and about["commitment"]:
            report.differs(archived.ROUND, "the lucky number is not revealed")
        return
    commitment = lucky_draw.commitment(about["number"], lucky["number"], lucky["salt"])
    if commitment != about["commitment"]:
        report.differs(
            archived.ROUND, f"lucky number and salt give {commitment}, the commitment is {about['commitment']}"
        )
    closed = archived.instant(about["make_up_closes_at"] or about["closes_at"])
    may_wait = report.state in (PROVISIONAL, CANCELLED) or not settings.lucky
    for fault in beacons.faults(settings.lucky_beacon, lucky.get("beacon"), closed, may_wait=may_wait):
        report.differs(archived.ROUND, fault)


# Times


def check_times(about: Mapping[str, Any], rows: Iterable[Submission], report: Report) -> None:
    """Raise BadArchive if the times contradict the state of the results; report rulings before their time."""
    begins, ends = about["make_up_opens_at"], about["make_up_closes_at"]
    closed = ends or about["closes_at"]
    final, revisions = about["finalised_at"], about["revisions"]
    state = about["results"]
    faults = {
        "announced_at is missing, or after opens_at": not about["announced_at"]
        or about["announced_at"] > about["opens_at"],
        "closes_at is not after opens_at": about["closes_at"] <= about["opens_at"],
        "a make-up window has both its times, after closes_at": (begins is None) != (ends is None)
        or bool(begins and not about["closes_at"] <= begins < ends),
        f"finalised_at and the revisions do not go with results that are {state}": (final is None)
        != (state in (PROVISIONAL, CANCELLED))
        or (final is None) != (not revisions),
        "the revisions are not numbered one by one, each later than the one before it": [
            entry["revision"] for entry in revisions
        ]
        != list(range(1, len(revisions) + 1))
        or any(entry["made_at"] > following["made_at"] for entry, following in pairwise(revisions)),
        "the first revision was not made when the round became final": bool(revisions)
        and revisions[0]["made_at"] != final,
        "the round became final before it had closed": bool(final and final < closed),
        "the round was cancelled before it was revealed": state == CANCELLED and about["cancelled"]["at"] < closed,
    }
    for why, is_wrong in faults.items():
        if is_wrong:
            raise BadArchive(archived.ROUND, why)
    since = about["opens_at"]
    rulings = [(entry["ruled_at"], "a disqualification") for entry in about["disqualified"]]
    rulings += [(entry["void"]["at"], f"level {entry['slot']} was void") for entry in about["levels"] if entry["void"]]
    rulings += [(row.void["at"], f"submission {row.number} was void") for row in rows if row.void]
    for at, what in rulings:
        if at < since:
            report.differs(archived.ROUND, f"{what} at {at}, before the round had opened")
    for row in rows:
        if row.void and row.void["at"] < row.received_at:
            report.differs(archived.SUBMISSIONS, f"submission {row.number} was void before it was received")


# Revisions


def check_revisions(archive: Archive, about: Mapping[str, Any], rows: Sequence[Submission], report: Report) -> None:
    """Check that every revision's document exists, has its hash, is consistent, and kept the player it says it kept."""
    revisions, rows_by_number = about["revisions"], {row.number: row for row in rows}
    owners: dict[Any, int] = {row.sent_as: row.player for row in rows if row.sent_as is not None}
    unopened = {row.player for row in rows if row.leaf and row.sent_as is None}
    drawn_players: dict[int, int | None] = {}
    count = 0
    for count, document in enumerate(archive.revisions(), 1):
        where = f"{archived.REVISIONS}, line {count}"
        if count > len(revisions):
            continue
        try:
            faults = list(_document_faults(document, count, revisions[count - 1], about, rows_by_number))
            lucky = document["draw"]["lucky"] if document["draw"] else None
            previous_revision = document["draw"]["kept_from"] if document["draw"] else None
            previous_player = drawn_players.get(previous_revision or 0)  # raises for an object
            owners |= entries.current_owners(document, rows_by_number)
            is_same = owners.get(lucky, lucky) == owners.get(previous_player, previous_player)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise BadArchive(where, f"holds no results of a round ({error!r})") from None
        for fault in faults:
            report.differs(where, fault)
        is_kept = previous_player is not None and (is_same or lucky in unopened)
        if previous_revision is not None and not is_kept:
            report.differs(where, f"keeps a lucky player whom revision {previous_revision} did not draw")
        drawn_players[count] = lucky
        report.revisions += 1
    if count != len(revisions):
        report.differs(archived.REVISIONS, f"has {count} documents; round.json names {len(revisions)} revisions")


def _document_faults(
    document: Mapping[str, Any],
    number: int,
    revision: Mapping[str, Any],
    about: Mapping[str, Any],
    rows_by_number: Mapping[int, Submission],
) -> Iterator[str]:
    if (document["revision"], document["round"]) != (number, about["number"]):
        yield "is another revision, or of another round"
    levels = [(level["slot"], level["sha256"]) for level in about["levels"]]
    if [(level["slot"], level["sha256"]) for level in document["levels"]] != levels or document[
        "format"
    ] != tabulation.FORMAT:
        yield "has other levels than the round, or another format"
    both = about["settings"].keys() & document["settings"].keys()
    is_respelled = any(about["settings"][name] != document["settings"][name] for name in both)
    if is_respelled or round_settings.parse(about["settings"]) != round_settings.parse(document["settings"]):
        yield "has other settings than the round"
    for name in tabulation.differences(document):
        yield f"{name} is not what its own submissions give"
    committed = {"commitment": about["commitment"], **(about["lucky"] or {})}
    if document["draw"] and any(document["draw"].get(name) != committed.get(name) for name in _COMMITTED):
        yield "draws by another lucky number than the round's"
    is_withheld = False
    for row in document["submissions"]:
        submission = rows_by_number.get(row["number"])
        if submission is None:
            yield f"submission {row['number']} is not in the archive"
        elif [row[name] for name in _COMPARED_FIELDS] != [getattr(submission, name) for name in _COMPARED_FIELDS]:
            yield f"submission {row['number']} is another one in submissions.jsonl"
        is_withheld |= row["lurd"] is None and submission is not None and submission.nonce is None
    # Moves withheld since then are part of the hash, but no longer in the archive (rule 15.4).
    if tabulation.digest(document) != revision["sha256"] and not is_withheld:
        yield f"its SHA-256 is {tabulation.digest(document)}, round.json says {revision['sha256']}"


_COMMITTED = ("commitment", "number", "salt", "is_typed")
_COMPARED_FIELDS = ("slot", "league", "moves", "pushes", "received_at")


def check_last_revision(archive: Archive, about: Mapping[str, Any], report: Report) -> None:
    """Check that the results are those of the last revision."""
    if about["results"] not in (FINAL, AWAITING):
        return
    last = hashlib.sha256()
    for document in archive.revisions():
        last = hashlib.sha256(tabulation.canonical(document))
    if last.hexdigest() != archive.sha256(archived.RESULTS):
        report.differs(archived.RESULTS, "is not the last revision")


# Spelling


def check_encoding(archive: Archive, about: Mapping[str, Any], levels: Mapping[str, Level], report: Report) -> None:
    """Check that every hashed file has the bytes that the site writes for its contents."""
    pages = {archived.MANIFEST: archive.manifest, archived.ROUND: about, archived.OPENING: reader.opening_of(archive)}
    expected = {name: canonical.json_page(value).encode() for name, value in pages.items()}
    entries = tuple(
        Entry(number, 0, levels[level["slot"]], level["title"], level["author"])
        for number, level in enumerate(about["levels"], 1)
    )
    expected[archived.LEVELS] = sok.write(Collection(f"Round {about['number']}", entries=entries)).encode()
    for name, data in expected.items():
        if archive.read(name) != data:
            report.differs(name, "is not spelled as the site spells it")
    line = partial(archived.line, format_=archive.format)
    streams: dict[str, Iterable[bytes]] = {
        archived.SUBMISSIONS: map(line, archive.submissions()),
        archived.CHAIN: map(line, archive.links()),
        archived.REVISIONS: (tabulation.canonical(document) + b"\n" for document in archive.revisions()),
        archived.SEALED: map(line, archive.sealed_answers()),
        archived.CLOSINGS: (f"{canonical.json_line(document)}\n".encode() for document in archive.closings()),
        archived.CERTIFICATES: (f"{canonical.json_line(row)}\n".encode() for row in archive.certificates()),
        archived.PLAYERS: map(line, archive.players().values()),
    }
    for name, lines in streams.items():
        if name in archive.names() and _digest(lines) != archive.sha256(name):
            report.differs(name, "is not spelled as the site spells it")


def _digest(lines: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    return digest.hexdigest()
