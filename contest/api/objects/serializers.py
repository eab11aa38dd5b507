"""Rows as the objects of docs/api.md."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from contest import results, visibility
from contest.models import Best, ChainLink, Level, Player, Round, Scope, Snapshot, State, Submission, Token
from contest.rankings import pareto, standings
from contest.wording import bilingual, notes, verdicts
from contest.wording.verdicts import TITLE_WORDS

PENDING = "pending"
HELD = "held"
NO_RANKS = {"moves": None, "pushes": None}


def time(at: datetime | None) -> str | None:
    """RFC 3339 in UTC, always with microseconds.

    >>> time(datetime(2026, 11, 21, 12, tzinfo=UTC))
    '2026-11-21T12:00:00.000000Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else None


def round_object(round_: Round, levels: Sequence[Level], at: datetime) -> dict[str, Any]:
    """A round; *levels* are those that may be seen, and without any the field is absent (rule 7.4)."""
    shown = {
        "number": round_.number,
        "phase": round_.phase(at),
        "title": visibility.title(round_, at),
        "announced_at": time(round_.announced_at),
        "opens_at": time(round_.opens_at),
        "closes_at": time(round_.closes_at),
        "finalised_at": time(round_.finalised_at),
        "settings": rules.as_json() if (rules := visibility.settings(round_, at)) else None,
        "commitment": visibility.commitment(round_, at) or None,
    }
    if levels:
        shown["levels"] = [level_object(level) for level in levels]
    return shown


def round_facts(round_: Round, at: datetime) -> dict[str, Any]:
    """What a round says of itself where it stands alone: notes, rulings, the lucky number (rule 7.4)."""
    lucky = visibility.lucky_number(round_, at)
    chosen = bilingual.in_language(round_.cancel_reason_zh, round_.cancel_reason_en).text
    is_cancelled = round_.cancelled_at is not None and round_.cancelled_at <= at
    return {
        "cancelled": {"at": time(round_.cancelled_at), "reason": chosen} if is_cancelled else None,
        "lucky": {"number": lucky.number, "salt": lucky.salt, "is_typed": lucky.is_typed} if lucky else None,
        "notes": [
            {"at": time(row.at), "what": row.what, "why": row.why.text}
            for row in map(notes.note, visibility.notes(round_, at))
        ],
        "disqualified": [
            {"player": player_object(row.player), "reason": row.why.text}
            for row in map(notes.ruling, visibility.disqualifications(round_, at))
        ],
    }


def level_object(level: Level) -> dict[str, Any]:
    return {
        "round": level.round.number,
        "slot": level.slot,
        "title": level.title,
        "author": level.author,
        "board": level.text.replace("|", "\n"),
        "width": level.width,
        "height": level.height,
        "boxes": level.boxes,
        "sha256": level.sha256,
        "board_version": level.board_version,
        "void": void_object(level),
    }


def chain_object(round_: Round, link: ChainLink | None) -> dict[str, Any]:
    """Rule 24.2: a link of the receipt chain with its submission's number."""
    return {"round": round_.number, "number": link.pk if link else None, "link": link.link if link else None}


def receipt_object(submission: Submission, *, claim: str | None, url: str) -> dict[str, Any]:
    """Rule 5.4; the claim only for a new nickname, once (rule 5.10)."""
    shown = {
        "id": submission.receipt_id,
        "number": submission.number,
        "received_at": time(submission.received_at),
        "sha256": submission.sha256,
        "url": url,
    }
    return {**shown, "claim": claim} if claim else shown


def submission_object(submission: Submission) -> dict[str, Any]:
    """A submission as its holder sees it (rules 6.11, 7.5)."""
    chained = getattr(submission, "chain_link", None)
    return {
        "id": submission.receipt_id,
        "number": submission.number,
        "round": submission.round.number,
        "practice": submission.is_practice,
        "state": HELD if submission.state == State.QUARANTINED else submission.state,
        "void": void_object(submission),
        **_verdict(submission),
        "ranks": standings.ranks(submission) if submission.is_accepted else NO_RANKS,
        "received_at": time(submission.received_at),
        "judged_at": time(submission.judged_at),
        "chain_link": chained.link if chained else None,
    }


def sent_object(submission: Submission, url: str, *, with_text: bool = False) -> dict[str, Any]:
    """A line of what a player has sent; its address tells the rest. *with_text*: and as it was sent."""
    level = submission.level
    # What came by another door may be no UTF-8.
    text = {"text": bytes(submission.text).decode("utf-8", "replace")} if with_text else {}
    return {
        **text,
        "id": submission.receipt_id,
        "number": submission.number,
        "round": submission.round.number,
        "slot": level.slot if level else None,
        "practice": submission.is_practice,
        "state": HELD if submission.state == State.QUARANTINED else submission.state,
        "verdict": submission.verdict or PENDING,
        "moves": submission.moves,
        "pushes": submission.pushes,
        "received_at": time(submission.received_at),
        "void": void_object(submission),
        "url": url,
    }


def best_object(best: Best) -> dict[str, Any]:
    """A player's best result on one board of a level by one count."""
    return {
        "round": best.level.round.number,
        "slot": best.level.slot,
        "board": best.board,
        "by": best.metric,
        "moves": best.moves,
        "pushes": best.pushes,
        "number": best.submission_id,
        "received_at": time(best.received_at),
    }


def trial_object(tried: Submission, ranks: Mapping[str, int | None]) -> dict[str, Any]:
    """A trial: the verdict there would be, and the ranks it would take."""
    number = tried.level.round.number if tried.level else None
    return {"round": number, **_verdict(tried), "ranks": ranks}


def _verdict(submission: Submission) -> dict[str, Any]:
    level = submission.level
    return {
        "verdict": submission.verdict or PENDING,
        "slot": (level.slot or None) if level else None,
        "moves": submission.moves,
        "pushes": submission.pushes,
        "cut": submission.cut,
        "case_corrected": submission.case_corrected,
        "index": submission.index,
        "step": submission.step,
        "why": submission.why or None,
        "detail": verdicts.verdict_words(submission),
        "boxes_home": submission.boxes_home,
        "boxes": level.boxes if level else None,
        "turned": submission.turned and {**submission.turned, "slot": submission.turned["slot"] or None},
    }


def void_object(what: Submission | Level) -> dict[str, Any] | None:
    """Why something is void, in the reader's language where there are words in it (rules 2.10, 15.1)."""
    if what.voided_at is None:
        return None
    return {"reason": bilingual.in_language(what.void_reason_zh, what.void_reason_en).text, "at": time(what.voided_at)}


def standings_row(row: standings.Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": player_object(row.player),
        "moves": row.moves,
        "pushes": row.pushes,
        "received_at": time(row.received_at),
        "number": row.number,
        "pareto": row.pareto,
        "practice": row.is_practice,
    }


def front_point(point: pareto.Point) -> dict[str, Any]:
    """A point of the front, and who equalled it later (rule 12.2)."""
    return {**_result(point.holder), "equalled": [_result(one) for one in point.equalled]}


def _result(submission: Submission) -> dict[str, Any]:
    return {
        "player": player_object(submission.player),
        "moves": submission.moves,
        "pushes": submission.pushes,
        "received_at": time(submission.received_at),
        "number": submission.number,
    }


def token_object(token: Token) -> dict[str, Any]:
    """What a token is; its secret is nobody's to read again."""
    return {
        "id": token.public_id,
        "name": token.name,
        "player": player_object(token.player),
        "scopes": [scope for scope in token.scopes if scope in Scope.values],  # one was dropped
        "created_at": time(token.created_at),
        "expires_at": time(token.expires_at),
        "last_used_at": time(token.last_used_at),
        "per_minute": settings.TOKEN_PER_MINUTE if token.per_minute is None else token.per_minute,
    }


def accepted_object(submission: Submission, *, with_hash: bool) -> dict[str, Any]:
    """An accepted submission as everybody may list it; the hash of its text only from the reveal (rule 7.4)."""
    level = submission.level
    return {
        **_result(submission),
        "slot": level.slot if level else None,
        "hors_concours": submission.is_hors_concours,
        "void": void_object(submission),
        "sha256": submission.sha256 if with_hash else None,
    }


def results_object(
    round_: Round, document: Mapping[str, Any], revisions: Sequence[int], *, is_preview: bool
) -> dict[str, Any]:
    """Titles, and points as rows; a preview has no titles (rule 7.4). Who holds a title may hold no points."""
    shown = results.table(document)
    titled = {} if is_preview else dict(shown.titled)
    holder = {title: player_object(titled[title]) if title in titled else None for title in TITLE_WORDS}
    return {
        "round": round_.number,
        "preview": is_preview,
        "revisions": revisions,
        "champions": {"moves": holder["MMC"], "pushes": holder["MPC"], "second": holder["second"]},
        "lucky_player": holder["lucky"],
        "points": [_points(row, titled) for row in shown.rows],
    }


def revision_object(snapshot: Snapshot | None, document: str) -> dict[str, Any]:
    """Which revision of the results this is, and where its whole *document* lies (rules 14.3, 14.4)."""
    chosen = bilingual.in_language(snapshot.reason_zh, snapshot.reason_en).text if snapshot else ""
    return {
        "provisional": snapshot is None,
        "revision": snapshot.revision if snapshot else None,
        "made_at": time(snapshot.made_at) if snapshot else None,
        "reason": chosen or None,
        "sha256": snapshot.sha256 if snapshot else None,
        "document": document if snapshot else None,
    }


def _points(row: results.ResultRow, titles: Collection[str]) -> dict[str, Any]:
    return {
        "place": row.place,
        "player": player_object(row.player),
        "move_half_points": row.by_moves,
        "push_half_points": row.by_pushes,
        "titles": [title for title in row.titles if title in titles],
    }


def draw_object(draw: results.ShownDraw) -> dict[str, Any]:
    """Rule 11.11."""
    return {
        "commitment": draw.commitment,
        "number": draw.number,
        "salt": draw.salt,
        "is_typed": draw.is_typed,
        "formula": draw.formula,
        "candidates": [player_object(row.player) for row in draw.rows],
        "index": draw.index,
        "lucky": player_object(draw.lucky) if draw.lucky else None,
        "kept_from": draw.kept_from,
    }


def player_object(player: Player) -> dict[str, Any]:
    return {"number": player.pk, "name": player.nickname, "country": player.country, "league": player.league}
