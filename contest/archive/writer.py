"""The archive of a closed round as a ZIP: its public data, for all to verify (rule 24.1; docs/reference/archive.md).

The same round gives the same bytes. `visibility` decides who may see a round's archive, and which parts of it. Players
appear under their random numbers; their names are only in files that are not hashed (rule 15.6).
"""

import base64
import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Q

from contest import results, visibility
from contest.archive import bound, certified
from contest.archive import format as archived
from contest.archive.one_state import read_in_one_state
from contest.archive.packing import Chunks, Contents, write
from contest.judging import receipt_chain
from contest.judging.judge import ENGINE_VERSION
from contest.models import (
    MAIN,
    SCORED,
    Best,
    Board,
    ChainLink,
    Disqualification,
    Level,
    LuckyNumber,
    Player,
    Round,
    Snapshot,
    Submission,
)
from contest.models.level import in_order
from contest.models.submission import SubmissionQuerySet
from contest.rounds import lucky_number
from contest.rules import canonical, tabulation
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from contest.visibility import Viewer
from solvers.sokoban.formats import Collection, Entry, sok

__all__ = ["Contents", "of", "write"]
_AT_ONCE = 10  # moves and texts fetched per query, each of up to 2 MB
_instant = canonical.instant


def of(round_: Round, at: datetime) -> Contents:
    """Return the archive files of *round_*, one of `visibility.archived_rounds`; the moves are fetched when written."""
    receipt_chain.bind_times(round_)
    return read_in_one_state(round_, lambda: _contents(round_, at))


def _contents(round_: Round, at: datetime) -> Contents:
    links, start = bound.links_of(round_)
    format_ = _format_of(round_, links)
    published = _published_numbers(round_, at)
    rows = _rows(round_, published if format_ > 1 else None)
    about = _about(round_, at) | {"chain_start": start}
    if format_ > 1:
        about["tree"] = bound.tree_before(links[0].position)
    answers = _sealed_answers(round_, rows, at) if round_.takes_sealed else []
    if round_.takes_sealed and format_ > 2:
        about["opened_until"] = _instant(round_.opening_ends_at)
    document, about["results"] = _results(round_, about, rows, published, at)
    players = _players(round_, [*rows, *answers], document)
    boards = _boards(round_)
    names = {player.number: player for player in players}
    small = {
        archived.ROUND: canonical.json_page(about).encode(),
        archived.LEVELS: _levels(round_).encode(),
        archived.BOARDS: canonical.json_page(boards).encode(),
        archived.RESULTS: tabulation.canonical(document),
        archived.CHAIN: b"".join(bound.lines(links, format_)),
        archived.PLAYERS: b"".join(archived.line(player, format_) for player in players),
        archived.RANKINGS_CSV: archived.rankings_csv(boards, names),
        archived.SUBMISSIONS_CSV: archived.submissions_csv(rows, names),
    }
    if format_ > 1:
        small[archived.OPENING] = bound.opening_page(round_, links).encode()
    if format_ > 2:
        small[archived.SEALED] = b"".join(archived.line(answer, format_) for answer in answers)
    if format_ > 3:
        small[archived.CLOSINGS] = bound.closing_lines(round_, links)
    lines = (archived.line(row, format_) for row in rows)
    optima = certified.find(round_, at) if format_ > 3 else {}
    without_moves = (
        b"".join([*lines, *map(str.encode, optima.values())]) + canonical.json_line(sorted(published)).encode()
    )
    digest = hashlib.sha256(b"".join([b"%d" % ENGINE_VERSION, without_moves, *small.values()])).hexdigest()
    files: dict[str, Chunks] = {name: partial(list, [data]) for name, data in small.items()}
    files[archived.SUBMISSIONS] = partial(_with_moves, rows, published, format_)
    files[archived.REVISIONS] = partial(_revisions, round_, published, document["revision"])
    files[archived.CERTIFICATES] = partial(certified.lines, optima)
    return Contents(round_.number, ENGINE_VERSION, format_, files, f'"{digest}"')


# The contents


def _format_of(round_: Round, links: Iterable[ChainLink]) -> int:
    if round_.archive_format > 3 and not round_.is_imported:
        return round_.archive_format
    if not any(link.nonce or link.document for link in links):
        return 1
    return 3 if round_.takes_sealed else 2


def _entries(round_: Round) -> SubmissionQuerySet:
    return Submission.objects.filter(round=round_, verdict__in=SCORED).entered()


def _rows(round_: Round, opened: Container[int] | None) -> list[archived.Submission]:
    """Return accepted submissions and spectator answers by number, without moves; those in *opened* have open leaves.

    *opened* is None for format 1, which has no leaves.
    """
    submissions = _entries(round_).without_text().select_related("player", "sent_as", "level", "chain_link")
    rows = (
        _row(submission) if opened is None else bound.open_row(_row(submission), submission, opened)
        for submission in submissions
    )
    return sorted(rows, key=lambda row: row.number)


def _sealed_answers(round_: Round, rows: Iterable[archived.Submission], at: datetime) -> list[archived.SealedAnswer]:
    """Return every sealed answer by number, whether it was opened or not (rule 5.12)."""
    listed_numbers = {row.number for row in rows}
    answers = visibility.sealed_answers(Viewer(), at).filter(level__round=round_).select_related("sent_as")
    return [
        archived.SealedAnswer(
            number=answer.number,
            player=answer.player.archive_number,
            sent_as=answer.sent_as.archive_number,
            slot=answer.level.slot,
            received_at=str(_instant(answer.received_at)),
            moves=answer.moves,
            pushes=answer.pushes,
            sha256=answer.sha256,
            leaf=answer.chain_link.leaf,
            opened_at=_instant(answer.opened_at),
            # A submission that was judged differently since is no longer listed.
            submission=answer.submission_id if answer.submission_id in listed_numbers else None,
        )
        for answer in answers.order_by("number")
    ]


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
        void=_show_ruling(submission),
        is_hors_concours=submission.is_hors_concours,
        is_imported=submission.is_imported,
    )


def _number(submission: Submission) -> int:
    """Return the submission's number in archives: the one it was first received under."""
    return submission.original_number or submission.number


def _show_ruling(row: Submission | Level) -> dict[str, Any] | None:
    if row.voided_at is None:
        return None
    return {"at": _instant(row.voided_at), "reason_zh": row.void_reason_zh, "reason_en": row.void_reason_en}


def _published_numbers(round_: Round, at: datetime) -> dict[int, int]:
    """Return the keys of submissions with public moves (rules 7.3, 15.4), by their number in archives."""
    if not visibility.are_solutions_public(round_, at):
        return {}
    shown = _entries(round_).filter(is_unpublished=False).values_list("original_number", "number")
    return {original or number: number for original, number in shown}


def _with_moves(rows: list[archived.Submission], published: Mapping[int, int], format_: int) -> Iterator[bytes]:
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        keys = {row.number: published[row.number] for row in batch if row.number in published}
        moves = Submission.objects.filter(pk__in=keys.values()).values_list("pk", "lurd", "text")
        texts = {pk: (lurd, base64.b64encode(text).decode()) for pk, lurd, text in moves}
        for row in batch:
            lurd, text = texts[keys[row.number]] if row.number in keys else (None, None)
            yield archived.line(replace(row, lurd=lurd, text=text if row.nonce else None), format_)


def _revisions(round_: Round, published: Container[int], last: int) -> Iterator[bytes]:
    """Yield the documents up to revision *last*, without moves that are not public (rules 14.4, 15.4)."""
    for snapshot in round_.snapshots.filter(revision__lte=last).select_related("round").order_by("revision"):
        document = results.public(snapshot)
        rows = [row if row["number"] in published else {**row, "lurd": None} for row in document["submissions"]]
        yield tabulation.canonical({**document, "submissions": rows}) + b"\n"


def _players(
    round_: Round, rows: Iterable[archived.Submission | archived.SealedAnswer], document: Mapping[str, Any]
) -> list[archived.Player]:
    """Return all players that the hashed files refer to, under their current names."""
    numbers = {row.player for row in rows}
    if document["draw"] and document["draw"]["lucky"]:  # the drawn player may have been merged since
        numbers.add(document["draw"]["lucky"])
    named = Q(archive_number__in=numbers) | Q(pk__in=round_.disqualifications.standing().entrants())
    players = Player.objects.filter(named).order_by("archive_number")
    return [
        archived.Player(player.archive_number, player.nickname, player.country, player.league) for player in players
    ]


def _boards(round_: Round) -> dict[str, Any]:
    """Return the rankings that the site shows, from the best rows (rule 8.4)."""
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
    """Return the current results and their state, which tells if a ruling since awaits a revision (rule 14.4).

    Moves that may no longer be published are removed, even if the revision has them (rule 15.4).
    """
    current = results.current(round_, at)
    if round_.phase(at) is not Phase.FINAL:
        return current, archived.CANCELLED if "cancelled" in about else archived.PROVISIONAL
    listed = [row if row["number"] in published else {**row, "lurd": None} for row in current["submissions"]]
    published_document = {**current, "submissions": listed}
    recomputed = archived.document(about, rows, published_document)
    is_complete = all(row["lurd"] is not None for row in listed if row["number"] in published)
    is_current = is_complete and tabulation.canonical(current) == tabulation.canonical(recomputed)
    return published_document, archived.FINAL if is_current else archived.AWAITING


def _levels(round_: Round) -> str:
    entries = [
        Entry(number, 0, level.board, level.title, level.author) for number, level in enumerate(_in_order(round_), 1)
    ]
    return sok.write(Collection(f"Round {round_.number}", entries=tuple(entries)))


def _in_order(round_: Round) -> list[Level]:
    return in_order(round_.levels.defer("solution"))


def _lucky(round_: Round, number: LuckyNumber) -> dict[str, Any]:
    fields = {"number": number.number, "salt": number.salt, "is_typed": number.is_typed}
    beacon = lucky_number.beacon_of(round_, number)
    if beacon is None:
        return fields
    signature = {"signature": number.beacon_signature or None} if round_.archive_format > 3 else {}
    return {**fields, "beacon": {"round": beacon.round, "value": beacon.value, **signature}}


def _disqualifications(round_: Round, at: datetime) -> list[dict[str, Any]]:
    """Return the disqualifications in force, one per player: the earlier one if two names were merged (rule 4.13)."""
    by_player: dict[int, dict[str, Any]] = {}
    for ruling in visibility.disqualifications(round_, at).select_related("player__merged_into").order_by("ruled_at"):
        number = (ruling.player.merged_into or ruling.player).archive_number
        by_player.setdefault(number, {"player": number, "ruled_at": _instant(ruling.ruled_at), **_reasons(ruling)})
    return list(by_player.values())


def _about(round_: Round, at: datetime) -> dict[str, Any]:
    """Return `round.json`: times, settings, the draw's number, levels, and the organisers' rulings."""
    number = visibility.lucky_number(round_, at)
    times = ("announced_at", "opens_at", "closes_at", "make_up_opens_at", "make_up_closes_at", "finalised_at")
    return {
        "number": round_.number,
        **({} if round_.track_id == MAIN else {"track": round_.track_id, "number_in_track": round_.number_in_track}),
        **_cancellation(round_, at),
        "title_zh": round_.title_zh,
        "title_en": round_.title_en,
        **{name: _instant(getattr(round_, name)) for name in times},
        "settings": round_settings.of(round_.settings).as_json(),
        "commitment": round_.commitment or None,
        "lucky": _lucky(round_, number) if number else None,
        "levels": [
            {
                "slot": level.slot,
                "title": level.title,
                "author": level.author,
                "sha256": level.sha256,
                "void": _show_ruling(level),
            }
            for level in _in_order(round_)
        ],
        "disqualified": _disqualifications(round_, at),
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


def _cancellation(round_: Round, at: datetime) -> dict[str, Any]:
    """Return when and why the round was cancelled (rule 7.10), or nothing, so that other archives stay as they were."""
    if round_.phase(at) is not Phase.CANCELLED:
        return {}
    reasons = {"reason_zh": round_.cancel_reason_zh, "reason_en": round_.cancel_reason_en}
    return {"cancelled": {"at": _instant(round_.cancelled_at), **reasons}}


def _reasons(ruling: Disqualification | Snapshot) -> dict[str, str]:
    return {"reason_zh": ruling.reason_zh, "reason_en": ruling.reason_en}
