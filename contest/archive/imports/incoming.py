"""A round read from an archive or from tables, before anything is written: its conflicts and its unsaved rows."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from contest import levels, players, visibility
from contest.archive import checks, reader, verify
from contest.archive import format as archived
from contest.infra import clock
from contest.models import MAIN, Door, Level, Note, Player, Reader, Round, Submission, Track
from contest.players import resting
from contest.players.claims import has_owner
from contest.players.entering import find_player
from contest.players.names import DELETED
from contest.rounds import numbering
from contest.rules import canonical
from contest.wording.verdicts import describe_error, describe_problem
from solvers import sokoban
from solvers.errors import PuzzleError

_HAS_RESULTS = (archived.FINAL, archived.AWAITING)


class NotImported(ValueError):
    """Nothing of a file was imported; *faults* are the reasons, each with its place, in the user's language."""

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


@dataclass(frozen=True)
class Incoming:
    """A round as read from a file. *about* is the content of `round.json`; *seal* is a digest of the file's contents.

    *published* is the results document of a final round; *has_numbers* is False if the players' numbers are valid only
    within this file. *remarks* are sentences for the report. With *spares_owners* a nickname that has an owner here is
    a conflict; otherwise it is that player (rule 4.5).
    """

    source: str
    seal: str
    about: Mapping[str, Any]
    boards: Mapping[str, sokoban.Level]
    players: Mapping[int, archived.Player]
    rows: list[archived.Submission] = field(repr=False)
    published: Mapping[str, Any] | None = field(repr=False)
    has_numbers: bool = True
    remarks: tuple[str, ...] = ()
    spares_owners: bool = False
    solutions: Mapping[str, str] = field(default_factory=dict)  # beside the levels of a file, by slot

    @property
    def number(self) -> int:
        return int(self.about["number"])


@dataclass(frozen=True)
class ImportedRound:
    """The outcome of importing one round: *is_new* unless the very same round was imported before."""

    number: int
    is_new: bool
    submissions: int = 0
    not_replayed: int = 0
    levels: int = 0
    solutions: int = 0
    remarks: tuple[str, ...] = ()
    new_players: tuple[str, ...] = ()
    known_players: tuple[str, ...] = ()


def read_archive(path: Path, *, is_large: bool = False, is_verified: bool = False) -> Incoming:
    """Verify and read an archive; *is_verified* skips the verification. Raise NotImported."""
    try:
        if not is_verified and (differences := verify.verify(path, is_large=is_large).differences):
            raise NotImported(*(_failure_message(path, difference) for difference in differences))
        with reader.Archive(path, is_large=is_large) as archive:
            about, boards = reader.round_of(archive), verify.levels_of(archive)
            published = archive.json(archived.RESULTS) if about["results"] in _HAS_RESULTS else None
            players_by_number, rows = archive.players(), list(archive.submissions())
            seal = archive.sha256(archived.MANIFEST)
    except (checks.BadArchive, OSError) as error:
        raise NotImported(_failure_message(path, error)) from None
    if "cancelled" not in about and any(note["kind"] == Note.Kind.CANCELLED for note in about["notes"]):
        raise NotImported(
            _(
                "%(file)s: the round was cancelled, but this archive of an older program contains results. Download "
                "the archive again from its site."
            )
            % {"file": path.name}
        )
    if about["results"] == archived.AWAITING:
        raise NotImported(
            _(
                "%(file)s: there is a ruling after the last revision of the results. Publish a revision on the "
                "original site, then download the archive again."
            )
            % {"file": path.name}
        )
    return Incoming(path.name, seal, about, boards, players_by_number, rows, published)


def _failure_message(path: Path, finding: object) -> str:
    """Return the verifier's message, which is in English only because the verifier also runs without the site."""
    return _("%(file)s: the archive does not verify: %(said)s") % {"file": path.name, "said": finding}


def size_error(name: str, most: int) -> str:
    """Return the message that a file has more than *most* bytes."""
    return _("%(file)s has more than %(most)s bytes.") % {"file": name, "most": f"{most:,}"}


def read_error(name: str, error: OSError | PuzzleError) -> str:
    """Return the message that a file cannot be read, without the folder it is in."""
    if isinstance(error, FileNotFoundError):
        return _("%(file)s: this file is missing.") % {"file": name}
    why = describe_error(error) if isinstance(error, PuzzleError) else error.strerror or ""
    return _("%(file)s: cannot be read (%(why)s).") % {"file": name, "why": why}


def nul_error(name: str, line: int) -> str:
    """Return the message that a line holds a NUL, which no database stores."""
    why = _("The text contains an invalid character: half of a surrogate pair, or NUL.")
    return _("%(file)s, line %(line)s: %(why)s") % {"file": name, "line": line, "why": why}


def conflicts(incoming: Incoming, before: Sequence[Round] = ()) -> Iterator[str]:
    """Yield the reasons why a round cannot be imported: conflicts with stored rounds or with those in *before*."""
    yield from (f"{incoming.source}: {why}" for why in _reasons(incoming, before))


def _reasons(incoming: Incoming, before: Sequence[Round]) -> Iterator[str]:
    about, number = incoming.about, incoming.number
    if Round.objects.filter(number=number).exists() or number in (other.number for other in before):
        yield _("round %(number)s already exists.") % {"number": number}
    closes_at = parse_time(about["closes_at"])
    if closes_at >= clock.now():
        message = _("round %(number)s closes at %(at)s; only closed rounds can be imported.")
        yield message % {"number": number, "at": about["closes_at"]}
    if about["make_up_opens_at"] and not about["make_up_closes_at"]:
        yield _("the make-up window has no end.")
    yield from _reasons_of_track(number, about, before)
    keys: dict[str, str] = {}
    for player in incoming.players.values():
        if player.name == DELETED:
            continue
        try:
            key = players.name_key(players.clean_nickname(player.name))
        except players.BadName as error:
            message = _("the nickname %(name)s cannot be used. %(why)s")
            yield message % {"name": repr(player.name), "why": error.message}
            continue
        if key in keys:
            message = _("%(name)s and %(other)s are one nickname (rule 4.5).")
            yield message % {"name": repr(player.name), "other": repr(keys[key])}
        keys[key] = player.name
        if incoming.spares_owners and (owned := find_player(player.name)) and has_owner(owned):
            message = _(
                "the nickname %(name)s belongs to a player of this site; choose another name for its old results."
            )
            yield message % {"name": repr(player.name)}
    yield from _reasons_of_rest(incoming, keys.values())
    for slot, board in incoming.boards.items():
        if board.unjudgeable:
            message = _("the level %(slot)s cannot be judged (%(why)s).")
            yield message % {"slot": slot, "why": describe_problem(board.unjudgeable)}
        elif visibility.is_in_play(board, clock.now()):
            message = _(
                "the level %(slot)s is used in another round now; import it after that round's solutions are public."
            )
            yield message % {"slot": slot}


def _reasons_of_rest(incoming: Incoming, names: Iterable[str]) -> Iterator[str]:
    """Yield why new players cannot be called by those of *names* that rest (rule 15.6)."""
    for name in sorted(resting.find_all(names)):
        numbers = [number for number, player in incoming.players.items() if player.name == name]
        is_known = incoming.has_numbers and Player.objects.filter(archive_number__in=numbers).exists()
        if not is_known and not find_player(name):
            message = _("the nickname %(name)s cannot be used. %(why)s")
            yield message % {"name": repr(name), "why": players.BadName("resting").message}


def _reasons_of_track(number: int, about: Mapping[str, Any], before: Sequence[Round]) -> Iterator[str]:
    track, place = about.get("track", MAIN), about.get("number_in_track")
    if not Track.objects.filter(slug=track).exists():
        message = _("round %(number)s belongs to the track %(track)s, which does not exist here; create it first.")
        yield message % {"number": number, "track": track}
    others = Round.objects.filter(track=track).exclude(announced_at=None)
    earlier_rounds = [other for other in before if other.track_id == track]
    if place and (
        others.filter(number_in_track=place).exists() or place in (other.number_in_track for other in earlier_rounds)
    ):
        yield _("round %(number)s already exists.") % {"number": f"{track}-{place}"}
    span = parse_time(about["opens_at"]), parse_time(about["closes_at"])
    overlapping = [other for other in earlier_rounds if not other.cancelled_at and other.is_open_within(*span)]
    for other in (*others.overlapping(*span), *overlapping):
        if other.number == number:
            continue
        message = _("round %(number)s was open while round %(other)s was.")
        yield message % {"number": number, "other": other.number}


# The unsaved rows


def parse_time(text: str) -> datetime:
    at = parse_datetime(text)
    if at is None:
        raise NotImported(_("%(text)s is not a time.") % {"text": repr(text)})
    return at


def round_of(incoming: Incoming) -> Round:
    """Build the row of a round, which the caller saves with its lucky number."""
    about = incoming.about
    times = {name: parse_time(about[name]) if about[name] else None for name in _TIMES}
    round_ = Round(
        number=incoming.number,
        track_id=about.get("track", MAIN),
        title_zh=about["title_zh"],
        title_en=about["title_en"],
        settings=dict(about["settings"]),
        commitment=about["commitment"] or "",
        is_imported=True,
        archive_format=1,
        **times,
        **_read_cancellation(about.get("cancelled")),
    )
    round_.announced_at = round_.announced_at or round_.opens_at
    round_.number_in_track = about.get("number_in_track") or numbering.next_in_track(round_)
    return round_


def _read_cancellation(cancellation: Mapping[str, Any] | None) -> dict[str, Any]:
    if cancellation is None:
        return {}
    reasons = {"cancel_reason_zh": cancellation["reason_zh"], "cancel_reason_en": cancellation["reason_en"]}
    return {"cancelled_at": parse_time(cancellation["at"]), **reasons}


_TIMES = ("announced_at", "opens_at", "closes_at", "make_up_opens_at", "make_up_closes_at")


def levels_of(incoming: Incoming, round_: Round) -> Iterator[Level]:
    """Build the rows of the levels, each with the solution of its file, or else the shortest submitted one."""
    for entry in incoming.about["levels"]:
        slot, void = entry["slot"], entry["void"] or {}
        solved = [
            row.lurd for row in incoming.rows if row.slot == slot and row.verdict == archived.ACCEPTED and row.lurd
        ]
        level = Level(round=round_, slot=slot, title=entry["title"], author=entry["author"])
        solution = incoming.solutions.get(slot) or min(solved, key=len, default="")
        levels.fill(level, levels.AdmittedLevel(incoming.boards[slot], solution))
        level.voided_at = parse_time(void["at"]) if void else None
        level.void_reason_zh, level.void_reason_en = void.get("reason_zh", ""), void.get("reason_en", "")
        yield level


def submission_of(row: archived.Submission, round_: Round, player: Player) -> Submission:
    """Build the row of a submission by *player*."""
    void = row.void or {}
    stated = {"moves": row.moves, "pushes": row.pushes}
    if row.sha256 is None:  # not even the text's hash is published (rule 24.2)
        stated["number"] = row.number
    text = (row.lurd or canonical.json_line(stated)).encode()
    return Submission(
        receipt_id=secrets.token_urlsafe(18),
        original_number=row.number,
        round=round_,
        player=player,
        sent_as=player,
        slot_named=row.slot,
        text=text,
        sha256=row.sha256 or hashlib.sha256(text).hexdigest(),
        door=Door.IMPORT,
        reader=Reader.RUN_LENGTH,
        received_at=parse_time(row.received_at),
        is_imported=True,
        is_hors_concours=row.is_hors_concours,
        is_unpublished=row.lurd is None,
        voided_at=parse_time(void["at"]) if void else None,
        void_reason_zh=void.get("reason_zh", ""),
        void_reason_en=void.get("reason_en", ""),
    )


_READERS = (Reader.RUN_LENGTH, Reader.LENIENT, Reader.LEGACY, Reader.PASTED)


def assign_readers(submissions: Iterable[Submission]) -> None:
    """Give equal texts different readers, as if sent through different doors (rule 5.6); all read plain moves alike."""
    seen: dict[tuple[int, str, str], int] = {}
    for submission in submissions:
        key = (submission.player.pk, submission.slot_named, submission.sha256)
        seen[key] = seen.get(key, -1) + 1
        if seen[key] >= len(_READERS):
            message = _("The same text appears more than %(count)s times for one player and level.")
            raise NotImported(message % {"count": len(_READERS)})
        submission.reader = _READERS[seen[key]]
