"""Solutions to levels of collections (rule 26): judged as they come by the judge of practice, and kept if they solve.

Nothing here asks about rounds. A level that also stands in a round, opened or not, is taken exactly as any other, and
nobody but the sender ever sees the moves: so the library can tell nothing of what a round hides.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from contest import judging
from contest.infra import clock
from contest.judging import cost
from contest.models import CollectedLevel, Level, LevelResult, Reader, Round, Submission
from contest.rankings import collected
from contest.submissions import limits
from contest.submissions.entry import Entry, Refused, clean, text_of
from contest.submissions.store import entrant
from contest.visibility import Viewer
from contest.wording import verdicts


@dataclass(frozen=True)
class Receipt:
    """The answer to a solution; *claim* only for a new nickname (rule 5.10)."""

    result: LevelResult
    claim: str | None = field(default=None, repr=False)
    is_new: bool = True


def accept(
    entry: Entry, level: CollectedLevel, *, viewer: Viewer | None = None, address: str = "", is_token: bool = False
) -> Receipt:
    """Judge *entry* on *level* and keep it if it solves it, or raise Refused with what is wrong.

    The same solution of the same player again is the first one. Each costs a pass at the gate of its *address*, unless
    it *is_token*'s, which has passed one of its own (rule 5.9).
    """
    received_at = clock.now_at_database()
    text, entry = text_of(entry.moves), clean(entry)
    if not is_token:
        limits.pass_gate(address)
    limits.take_turn(address, limits.share_of(cost.seconds_for(entry.moves, Round().max_moves)))
    tried = judge(text, level, received_at)
    moves, pushes = tried.moves, tried.pushes
    if not tried.is_accepted or moves is None or pushes is None:
        raise Refused("not_solved", verdicts.verdict_words(tried), status=422, field="moves")
    sha256 = hashlib.sha256(tried.lurd.encode()).hexdigest()
    result = LevelResult(
        level=level, lurd=tried.lurd, sha256=sha256, moves=moves, pushes=pushes, received_at=received_at
    )
    return _store(entry, result, hashlib.sha256(text).hexdigest(), viewer)


def judge(text: bytes, level: CollectedLevel, at: datetime) -> Submission:
    """The verdict of the judge on *text*, as of a submission that is stored nowhere."""
    sent = Submission(round=Round(), text=text, reader=Reader.LENIENT, received_at=at, judged_at=at)
    return judging.dry_run(sent, [Level(round=Round(), slot="", text=level.text, sha256=level.sha256)])


@transaction.atomic
def _store(entry: Entry, result: LevelResult, text_sha256: str, viewer: Viewer | None) -> Receipt:
    player, claim = entrant(entry, text_sha256, viewer, result.received_at)
    # Whoever writes to a board holds its level.
    CollectedLevel.objects.select_for_update(no_key=True).get(pk=result.level_id)
    known = LevelResult.objects.filter(player=player, level=result.level_id, sha256=result.sha256).first()
    if known:
        return Receipt(known, claim, is_new=False)
    result.receipt_id = secrets.token_urlsafe(18)
    result.player = result.sent_as = player
    result.save()
    collected.enter(result)
    result.refresh_from_db()
    return Receipt(result, claim)
