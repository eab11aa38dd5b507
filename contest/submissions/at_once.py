"""Judge texts immediately that are not submissions: trials, testers' moves, solutions to collection levels.

For a collection (rule 26) nothing here queries rounds. A level that is also in a round, opened or not, is treated like
any other, and only the sender ever sees the moves. So the library cannot reveal anything that a round hides.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from contest import judging, visibility
from contest.infra import clock
from contest.judging import outcomes
from contest.models import (
    CollectedLevel,
    Level,
    LevelResult,
    Metric,
    Player,
    Reader,
    Round,
    Submission,
    TestEntry,
    Tester,
)
from contest.models.level import in_order
from contest.rankings import collected, standings
from contest.submissions import limits
from contest.submissions.entry import Entry, Refused, clean, encode_moves
from contest.submissions.store import entrant
from contest.visibility import Viewer
from contest.wording import verdicts
from solvers.errors import PuzzleError
from solvers.sokoban.formats.single import read_one

MAX_BOARD_LENGTH = 100_000
# Limit per tester and round.
MAX_TEST_ENTRIES = 500


@dataclass(frozen=True)
class Trial:
    """A text to judge: on *board* if given, else on the levels of a round."""

    moves: str = field(repr=False)
    board: str = ""
    round: int | None = None
    track: str = ""
    slot: str = ""


def judge(trial: Trial, *, viewer: Viewer, at: datetime, address: str = "") -> Submission:
    """Return the verdict that *trial*, sent from *address*, would get, as an unsaved submission. Raise Refused.

    It is judged immediately, and its cost counts against the address (rule 5.9).
    """
    text = encode_moves(trial.moves)
    levels = [_parse_board(trial.board)] if trial.board else _published_levels(trial, viewer, at)
    rounds_to_try = _rounds_to_try(levels, trial)
    seconds = outcomes.seconds_for(trial.moves, max(level.round.max_moves for level in levels))
    limits.take_turn(address, limits.share_of(seconds * (1 + len(rounds_to_try))))
    if rounds_to_try:
        round_ = outcomes.first_solved(rounds_to_try, trial.moves, trial.slot)
        levels = [level for level in levels if level.round_id == round_.pk]
    return _judge_text(text, levels, slot="" if trial.board else trial.slot, at=at)


def enter_as_tester(tester: Tester, level: Level, moves: str, *, at: datetime, address: str) -> TestEntry:
    """Judge *moves* on *level* before its round opens, and store the result but not the moves (rule 4.14).

    Raise Refused.
    """
    _check_quota(tester)
    text = encode_moves(moves)
    limits.take_turn(address, limits.share_of(outcomes.seconds_for(moves, level.round.max_moves)))
    judged = _judge_text(text, [level], slot=level.slot, at=at)
    with transaction.atomic():
        # Concurrent requests are counted one after another; the lock is not held while one is judged.
        _check_quota(Tester.objects.select_for_update(no_key=True).get(pk=tester.pk))
        return tester.entries.create(
            slot=level.slot,
            sha256=level.sha256,
            verdict=judged.verdict,
            moves=judged.moves if judged.is_scored else None,
            pushes=judged.pushes if judged.is_scored else None,
            sent_at=at,
        )


def _check_quota(tester: Tester) -> None:
    if tester.entries.count() >= MAX_TEST_ENTRIES:
        message = _("A tester may send at most %(most)s solutions.") % {"most": MAX_TEST_ENTRIES}
        raise Refused("quota", message, status=429, field="moves")


@dataclass(frozen=True)
class CollectedReceipt:
    """The answer to a solution; *claim* is set only for a new nickname (rule 5.10)."""

    result: LevelResult
    claim: str | None = field(default=None, repr=False)
    is_new: bool = True


def accept_collected(
    entry: Entry, level: CollectedLevel, *, viewer: Viewer | None = None, address: str = "", is_token: bool = False
) -> CollectedReceipt:
    """Judge *entry* on *level*; store it if it is a solution, else raise Refused with the reason.

    A repeated solution by the same player returns the first one. Each costs a pass at the gate of its *address*, unless
    it is *is_token*'s, which has passed the token's own limit (rule 5.9).
    """
    received_at = clock.received_at()
    text, entry = encode_moves(entry.moves), clean(entry)
    if not is_token:
        limits.pass_gate(address)
    limits.take_turn(address, limits.share_of(outcomes.seconds_for(entry.moves, Round().max_moves)))
    board = Level(round=Round(), slot="", text=level.text, sha256=level.sha256)
    judged = _judge_text(text, [board], slot="", at=received_at)
    moves, pushes = judged.moves, judged.pushes
    if not judged.is_accepted or moves is None or pushes is None:
        raise Refused("not_solved", verdicts.describe_verdict(judged), status=422, field="moves")
    limits.pass_stored(address, judged.lurd)
    sha256 = hashlib.sha256(judged.lurd.encode()).hexdigest()
    result = LevelResult(
        level=level, lurd=judged.lurd, sha256=sha256, moves=moves, pushes=pushes, received_at=received_at
    )
    return _store_result(entry, result, hashlib.sha256(text).hexdigest(), viewer, address)


@transaction.atomic
def _store_result(
    entry: Entry, result: LevelResult, text_sha256: str, viewer: Viewer | None, address: str
) -> CollectedReceipt:
    player, claim = entrant(entry, text_sha256, viewer, result.received_at, address)
    # Every writer to a board locks its level.
    CollectedLevel.objects.select_for_update(no_key=True).get(pk=result.level_id)
    existing = LevelResult.objects.filter(player=player, level=result.level_id, sha256=result.sha256).first()
    if existing:
        return CollectedReceipt(existing, claim, is_new=False)
    result.receipt_id = secrets.token_urlsafe(18)
    result.player = result.sent_as = player
    result.save()
    collected.enter(result)
    result.refresh_from_db()
    return CollectedReceipt(result, claim)


def _judge_text(text: bytes, levels: list[Level], *, slot: str, at: datetime) -> Submission:
    submission = Submission(
        round=levels[0].round,
        text=text,
        sha256=hashlib.sha256(text).hexdigest(),
        reader=Reader.PASTED,
        slot_named=slot,
        received_at=at,
        judged_at=at,
    )
    return judging.dry_run(submission, levels)


def ranks(judged: Submission, player: Player | None) -> dict[str, int | None]:
    """Return the ranks an accepted trial would take if sent now (rule 7.7); none on the sender's own board."""
    level = judged.level
    if not judged.is_accepted or level is None or level.pk is None or judged.moves is None or judged.pushes is None:
        return {metric.value: None for metric in Metric}
    league = standings.league_of(player, level.round) if player else None
    counts = judged.moves, judged.pushes
    return {
        metric.value: standings.predict_rank(level, metric, *counts, player=player, league=league) for metric in Metric
    }


def _parse_board(text: str) -> Level:
    try:
        board = read_one(text).level
    except PuzzleError as error:
        raise Refused("bad_board", verdicts.describe_error(error), field="board") from None
    if problem := board.unjudgeable:
        raise Refused("bad_board", verdicts.describe_problem(problem), field="board")
    # No slot: it is not a level of the open round and must not be named like one.
    return Level(
        round=Round(),
        slot="",
        text=board.published_text,
        sha256=board.sha256,
        width=board.width,
        height=board.height,
        boxes=len(board.boxes),
    )


def _published_levels(trial: Trial, viewer: Viewer, at: datetime) -> list[Level]:
    """Return the levels of the round named, or of the open rounds; only visible ones (rule 7.4)."""
    visible = visibility.levels(viewer, at)
    visible = visible.filter(round__track=trial.track) if trial.track else visible
    if trial.round is None:
        visible = visible.filter(round__in=Round.objects.open(at)).select_related("round__track")
    else:
        visible = visible.filter(round__number=trial.round if trial.round < 2**31 else 0)
    levels = in_order(visible)
    if not levels:
        raise Refused("no_round", _("There is no such round, or it has not opened."), status=404, field="round")
    if trial.slot and trial.slot not in {level.slot for level in levels}:
        message = _("Round %(number)s has no such level.") % {"number": levels[0].round.name}
        raise Refused("no_level", message, status=404, field="slot")
    return levels


def _rounds_to_try(levels: list[Level], trial: Trial) -> list[Round]:
    """Return the open rounds among which such a submission's round would have to be determined (rule 6.8)."""
    rounds = {level.round_id: level.round for level in levels if trial.slot in ("", level.slot)}
    if len(rounds) < 2:
        return []
    return sorted(rounds.values(), key=lambda round_: (round_.track.order, round_.track_id))
