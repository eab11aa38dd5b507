"""The archive of a closed round as a ZIP: all that is public of it, for anybody to verify (rule 24.1; docs/archive.md).

The same round makes the same bytes. Who may see a round's archive, and what of it, is asked of `visibility`; players
go by their random numbers, and their names stand only in files that are part of no hash (rule 15.6).
"""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Max, Min

from contest import results, visibility
from contest.archive import format as archived
from contest.judging.judge import ENGINE_VERSION
from contest.models import (
    SCORED,
    Best,
    Board,
    ChainLink,
    Disqualification,
    Level,
    Player,
    Round,
    Slot,
    Snapshot,
    Submission,
)
from contest.models.submission import SubmissionQuerySet
from contest.rules import canonical, tabulation
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from solvers.sokoban.formats import Collection, Entry, sok

_AT_ONCE = 50  # moves texts fetched together
_instant = canonical.instant
Chunks = Callable[[], Iterable[bytes]]


@dataclass(frozen=True)
class Contents:
    """An archive before it is written: its files by name, and a digest that changes with anything in it."""

    round: int
    files: Mapping[str, Chunks]
    etag: str


def of(round_: Round, at: datetime) -> Contents:
    """All files of the archive of *round_*, one of `visibility.archived_rounds`; the moves are fetched when written."""
    rows = _rows(round_)
    published = _published(round_, at)
    links, start = _chain(round_)
    about = _about(round_, at) | {"chain_start": start}
    document, about["results"] = _results(round_, about, rows, published, at)
    players = _players(round_, rows, document)
    boards = _boards(round_)
    names = {player.number: player for player in players}
    small = {
        archived.ROUND: canonical.json_page(about).encode(),
        archived.LEVELS: _levels(round_).encode(),
        archived.BOARDS: canonical.json_page(boards).encode(),
        archived.RESULTS: tabulation.canonical(document),
        archived.CHAIN: b"".join(map(archived.line, links)),
        archived.PLAYERS: b"".join(map(archived.line, players)),
        archived.RANKINGS_CSV: archived.rankings_csv(boards, names),
        archived.SUBMISSIONS_CSV: archived.submissions_csv(rows, names),
    }
    without_moves = b"".join(archived.line(row) for row in rows) + canonical.json_line(sorted(published)).encode()
    digest = hashlib.sha256(b"".join([b"%d" % ENGINE_VERSION, without_moves, *small.values()])).hexdigest()
    files: dict[str, Chunks] = {name: partial(list, [data]) for name, data in small.items()}
    files[archived.SUBMISSIONS] = partial(_with_moves, rows, published)
    return Contents(round_.number, files, f'"{digest}"')


def write(contents: Contents) -> Iterator[bytes]:
    """The ZIP, piece by piece: the files in a fixed order and with a fixed time, the manifest with their hashes last.

    Memory O(one piece and the files without moves).
    """
    sink, hashes = _Sink(), {}
    with zipfile.ZipFile(sink, "w") as packed:
        for name in (*archived.HASHED, *archived.ERASABLE):
            digest = hashlib.sha256()
            with packed.open(_entry(name), "w") as file:
                for chunk in contents.files[name]():
                    digest.update(chunk)
                    file.write(chunk)
                    yield sink.take()
            hashes[name] = digest.hexdigest()
        manifest = {
            "format": archived.FORMAT,
            "engine": ENGINE_VERSION,
            "round": contents.round,
            "files": {name: hashes[name] for name in archived.HASHED},
        }
        packed.writestr(_entry(archived.MANIFEST), canonical.json_page(manifest))
    yield sink.take()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same bytes whatever the system
    entry.external_attr = 0o644 << 16
    return entry


class _Sink(io.RawIOBase):
    """What a ZIP is written into and taken out of piece by piece: it cannot seek, so the ZIP is written straight on."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


# What stands in it


def _entered(round_: Round) -> SubmissionQuerySet:
    return Submission.objects.filter(round=round_, verdict__in=SCORED).entered()


def _rows(round_: Round) -> list[archived.Submission]:
    """Every accepted submission and spectator answer by number, without moves."""
    found = _entered(round_).without_text().select_related("player", "level")
    return sorted((_row(submission) for submission in found), key=lambda row: row.number)


def _row(submission: Submission) -> archived.Submission:
    level = submission.level
    return archived.Submission(
        number=_number(submission),
        player=submission.player.archive_number,
        league=submission.player.league,
        slot=level.slot if level else "",
        received_at=str(_instant(submission.received_at)),
        verdict=submission.verdict,
        moves=submission.moves or 0,
        pushes=submission.pushes or 0,
        sha256=submission.sha256,
        lurd=None,
        void=_ruled(submission),
        is_hors_concours=submission.is_hors_concours,
        is_imported=submission.is_imported,
    )


def _number(submission: Submission) -> int:
    """What archives call it: the number it was first received under."""
    return submission.original_number or submission.number


def _ruled(what: Submission | Level) -> dict[str, Any] | None:
    if what.voided_at is None:
        return None
    return {"at": _instant(what.voided_at), "reason_zh": what.void_reason_zh, "reason_en": what.void_reason_en}


def _published(round_: Round, at: datetime) -> dict[int, int]:
    """The submissions whose moves everybody may see (rules 7.3, 15.4): their keys by what archives call them."""
    if not visibility.are_solutions_public(round_, at):
        return {}
    shown = _entered(round_).filter(is_unpublished=False).values_list("original_number", "number")
    return {original or number: number for original, number in shown}


def _with_moves(rows: list[archived.Submission], published: Mapping[int, int]) -> Iterator[bytes]:
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        keys = {row.number: published[row.number] for row in some if row.number in published}
        lurds = dict(Submission.objects.filter(pk__in=keys.values()).values_list("pk", "lurd"))
        for row in some:
            yield archived.line(replace(row, lurd=lurds[keys[row.number]] if row.number in keys else None))


def _players(round_: Round, rows: Iterable[archived.Submission], document: Mapping[str, Any]) -> list[archived.Player]:
    """Everybody the hashed files name, as they are called now."""
    numbers = {row.player for row in rows}
    if document["draw"] and document["draw"]["lucky"]:  # who was drawn, and has been merged since
        numbers.add(document["draw"]["lucky"])
    numbers.update(round_.disqualifications.standing().values_list("player__archive_number", flat=True))
    found = Player.objects.filter(archive_number__in=numbers).order_by("archive_number")
    return [archived.Player(one.archive_number, one.nickname, one.country, one.league) for one in found]


def _boards(round_: Round) -> dict[str, Any]:
    """What the site's own boards show, from the best rows (rule 8.4)."""
    bests = Best.objects.filter(level__round=round_, level__voided_at=None).select_related(
        "level", "player", "submission"
    )
    of_board: dict[str, set[tabulation.Result]] = {Board.CONTEST: set(), Board.SPECTATOR: set()}
    for best in bests.filter(board__in=of_board).defer("submission__text", "submission__lurd", "level__solution"):
        of_board[best.board].add(
            tabulation.Result(
                _number(best.submission),
                best.player.archive_number,
                best.league,
                best.level.slot,
                best.moves,
                best.pushes,
                best.received_at,
            )
        )
    settings = round_settings.of(round_.settings)
    return archived.boards_of(settings, of_board[Board.CONTEST], of_board[Board.SPECTATOR])


def _results(
    round_: Round, about: dict[str, Any], rows: list[archived.Submission], published: Mapping[int, int], at: datetime
) -> tuple[dict[str, Any], str]:
    """The results as they stand, and whether a revision is due because something was ruled on since (rule 14.4).

    Moves that are no longer to be published are taken out, whatever the revision says (rule 15.4).
    """
    standing = results.current(round_, at)
    if round_.phase(at) is not Phase.FINAL:
        return standing, archived.CANCELLED if "cancelled" in about else archived.PROVISIONAL
    listed = [row if row["number"] in published else {**row, "lurd": None} for row in standing["submissions"]]
    shown = {**standing, "submissions": listed}
    anew = archived.document(about, rows, shown)
    is_complete = all(row["lurd"] is not None for row in listed if row["number"] in published)
    is_current = is_complete and tabulation.canonical(standing) == tabulation.canonical(anew)
    return shown, archived.FINAL if is_current else archived.AWAITING


def _levels(round_: Round) -> str:
    entries = [
        Entry(number, 0, level.board, level.title, level.author) for number, level in enumerate(_in_order(round_), 1)
    ]
    return sok.write(Collection(f"Round {round_.number}", entries=tuple(entries)))


def _in_order(round_: Round) -> list[Level]:
    return sorted(round_.levels.defer("solution"), key=lambda level: Slot.values.index(level.slot))


def _chain(round_: Round) -> tuple[list[archived.Link], str]:
    """The links from the round's first submission to its last, and the link they stand on (rule 24.2).

    Between them may be submissions for practice on other rounds; of those, as of rejected ones, only hashes are here.
    """
    received = Submission.objects.filter(round=round_, is_imported=False).entered()
    span = received.aggregate(first=Min("number"), last=Max("number"))
    if span["first"] is None:
        return [], canonical.START
    before = ChainLink.objects.filter(submission__number__lt=span["first"]).order_by("-submission_id").first()
    links = ChainLink.objects.filter(submission__number__range=(span["first"], span["last"])).order_by("submission_id")
    columns = links.values_list("submission_id", "submission__received_at", "submission__sha256", "link")
    return [
        archived.Link(number, str(_instant(received_at)), sha256, link) for number, received_at, sha256, link in columns
    ], before.link if before else canonical.START


def _about(round_: Round, at: datetime) -> dict[str, Any]:
    """`round.json`: times, settings, the draw's number, levels, and what organisers ruled."""
    number = visibility.lucky_number(round_, at)
    times = ("announced_at", "opens_at", "closes_at", "make_up_opens_at", "make_up_closes_at", "finalised_at")
    return {
        "number": round_.number,
        **_cancelled(round_, at),
        "title_zh": round_.title_zh,
        "title_en": round_.title_en,
        **{name: _instant(getattr(round_, name)) for name in times},
        "settings": round_settings.of(round_.settings).as_json(),
        "commitment": round_.commitment or None,
        "lucky": {"number": number.number, "salt": number.salt, "is_typed": number.is_typed} if number else None,
        "levels": [
            {
                "slot": level.slot,
                "title": level.title,
                "author": level.author,
                "sha256": level.sha256,
                "void": _ruled(level),
            }
            for level in _in_order(round_)
        ],
        "disqualified": [
            {"player": ruling.player.archive_number, "ruled_at": _instant(ruling.ruled_at), **_reasons(ruling)}
            for ruling in visibility.disqualifications(round_, at).order_by("ruled_at", "pk")
        ],
        "notes": [
            {
                "kind": note.kind,
                "text_zh": note.text_zh,
                "text_en": note.text_en,
                "values": note.values,
                "written_at": _instant(note.written_at),
            }
            for note in visibility.notes(round_, at)
        ],
        "revisions": [
            {
                "revision": snapshot.revision,
                "made_at": _instant(snapshot.made_at),
                "sha256": snapshot.sha256,
                **_reasons(snapshot),
            }
            for snapshot in round_.snapshots.defer("document").order_by("revision")
        ],
    }


def _cancelled(round_: Round, at: datetime) -> dict[str, Any]:
    """When and why the round was called off (rule 7.10); of any other nothing, so that its archive stays as it was."""
    if round_.phase(at) is not Phase.CANCELLED:
        return {}
    reasons = {"reason_zh": round_.cancel_reason_zh, "reason_en": round_.cancel_reason_en}
    return {"cancelled": {"at": _instant(round_.cancelled_at), **reasons}}


def _reasons(ruling: Disqualification | Snapshot) -> dict[str, str]:
    return {"reason_zh": ruling.reason_zh, "reason_en": ruling.reason_en}
