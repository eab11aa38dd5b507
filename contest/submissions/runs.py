"""Accept a run: all its solutions in one text, replayed at once (rule 26.4)."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.judging import outcomes
from contest.levels import daily
from contest.levels import runs as dealing
from contest.levels.runs import Start
from contest.models import CollectedLevel, Round, Run
from contest.rankings import runs as boards
from contest.submissions import limits
from contest.submissions.entry import Entry, Refused, clean, encode_moves
from contest.submissions.store import entrant
from contest.visibility import Viewer
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import Replay, Verdict, replay

MOST_STEPS = 5_000  # of one solution; the longest shortest one has a few hundred
MOST_LETTERS = 200_000
_PART = re.compile(r"(\d{1,6}):([lurdLURD]{1,%d})" % MOST_STEPS, re.ASCII)


@dataclass(frozen=True)
class RunReceipt:
    """The answer to a run; *claim* is set only for a new nickname (rule 5.10)."""

    run: Run
    claim: str | None = field(default=None, repr=False)


def read_start(token: str, mode: str, at: datetime) -> Start:
    """Return the start of a run of *mode*. Raise Refused for a token of another mode, a forged or an old one."""
    begun = dealing.read_token(token)
    if begun is None or begun.mode != mode or begun.at > at:
        raise Refused("bad_token", _("This run was not started here. Start a new one."), status=403, field="run_token")
    if at - begun.at > dealing.TOKEN_VALID:
        raise Refused("old_token", _("This run is too old. Start a new one."), status=410, field="run_token")
    return begun


def digest_of(solutions: str) -> str:
    return hashlib.sha256(encode_moves(solutions)).hexdigest()


def accept(
    entry: Entry, begun: Start, arrived_at: datetime, *, viewer: Viewer | None = None, address: str = ""
) -> RunReceipt:
    """Replay the solutions in *entry* and store the run, or return the receipt of the same run. Raise Refused."""
    entry = clean(entry)
    if len(entry.moves) > MOST_LETTERS:
        raise Refused("too_large", _("This run is too long."), status=413, field="moves")
    limits.pass_gate(address)
    limits.take_turn(address, limits.share_of(outcomes.seconds_for(entry.moves, Round().max_moves)))
    dealt = dealing.deal(begun)
    if not dealt:
        raise Refused("withdrawn", _("The levels of this run have been withdrawn."), status=410, field="moves")
    found = _replay_all(entry.moves, dealt)
    limits.pass_stored(address, entry.moves)
    time, is_ranked = dealing.count_time(begun, arrived_at, is_complete=len(found) == len(dealt))
    run = Run(
        receipt_id=secrets.token_urlsafe(18),
        nonce=begun.nonce,
        mode=begun.mode,
        started_at=begun.at,
        received_at=arrived_at,
        day=daily.day(begun.at),
        solved=len(found),
        milliseconds=int(min(time, dealing.TOKEN_VALID).total_seconds() * 1000),
        moves=sum(one.moves for one in found),
        pushes=sum(one.pushes for one in found),
        solutions=entry.moves,
        sha256=digest_of(entry.moves),
        is_ranked=is_ranked,
    )
    try:
        return _store(entry, run, viewer, address)
    except IntegrityError:  # another player has just sent the same run
        raise _refuse_again() from None


@transaction.atomic
def _store(entry: Entry, run: Run, viewer: Viewer | None, address: str) -> RunReceipt:
    player, claim = entrant(entry, run.sha256, viewer, clock.now_at_database(), address)
    existing = Run.objects.filter(nonce=run.nonce).first()
    if existing:
        if (existing.sha256, existing.player_id) != (run.sha256, player.pk):
            raise _refuse_again()
        return RunReceipt(existing, claim)
    run.player = run.sent_as = player
    run.save()
    boards.enter(run)
    run.refresh_from_db()
    return RunReceipt(run, claim)


def _replay_all(text: str, dealt: Sequence[CollectedLevel]) -> list[Replay]:
    """Return the replays of the first levels of a run, one for each part of *text*. Raise Refused if one is wrong."""
    parts, found = text.split(" "), []
    places = [level.place for level in dealt]
    for number, part in enumerate(parts, 1):
        match = _PART.fullmatch(part)
        if not match or number > len(dealt):
            raise _refuse(_("Solution %(number)s of the run cannot be read."), number)
        if (place := int(match[1])) != places[number - 1]:
            if place in places[: number - 1]:
                raise _refuse(_("Solution %(number)s is for a level that the run has solved already."), number)
            raise _refuse(_("Solution %(number)s is not for the next level of the run."), number)
        result = replay(dealt[number - 1].board, Moves.parse(match[2]))
        if result.verdict is not Verdict.SOLVED or result.cut:
            raise _refuse(_("Solution %(number)s does not solve its level."), number)
        found.append(result)
    return found


def _refuse_again() -> Refused:
    return Refused("run_sent", _("This run has been sent already."), status=409, field="run_token")


def _refuse(sentence: str, number: int) -> Refused:
    return Refused("bad_run", sentence % {"number": number}, status=422, field="moves")
