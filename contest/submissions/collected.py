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
from contest.models import CollectedLevel, Level, LevelResult, Reader, Round, Submission
from contest.rankings import collected
from contest.submissions import quotas
from contest.submissions.acceptance import entered
from contest.submissions.entry import Entry, Refused, cleaned, text_of
from contest.visibility import Viewer
from contest.wording import verdicts


@dataclass(frozen=True)
class Receipt:
    """The answer to a solution; *claim* only for a new nickname (rule 5.10)."""

    result: LevelResult
    claim: str | None = field(default=None, repr=False)
    is_new: bool = True


def accept(entry: Entry, level: CollectedLevel, *, viewer: Viewer | None = None, address: str = "") -> Receipt:
    """Judge *entry* on *level* and keep it if it solves it, or raise Refused with what is wrong.

    The same solution of the same player again is the first one. Each costs a pass at the gate of its *address*.
    """
    received_at = clock.now_at_database()
    text, entry = text_of(entry.moves), cleaned(entry)
    quotas.pass_gate(address)
    tried = judged(text, level, received_at)
    if not tried.is_accepted:
        raise Refused("not_solved", verdicts.verdict_words(tried), status=422, field="moves")
    return _store(entry, tried, level, hashlib.sha256(text).hexdigest(), viewer)


def judged(text: bytes, level: CollectedLevel, at: datetime) -> Submission:
    """The verdict of the judge on *text*, as of a submission that is stored nowhere."""
    sent = Submission(round=Round(), text=text, reader=Reader.LENIENT, received_at=at, judged_at=at)
    return judging.dry_run(sent, [Level(round=Round(), slot="", text=level.text, sha256=level.sha256)])


@transaction.atomic
def _store(entry: Entry, tried: Submission, level: CollectedLevel, text_sha256: str, viewer: Viewer | None) -> Receipt:
    player, claim = entered(entry, text_sha256, viewer, tried.received_at)
    # Whoever writes to a board holds its level.
    CollectedLevel.objects.select_for_update(no_key=True).get(pk=level.pk)
    sha256 = hashlib.sha256(tried.lurd.encode()).hexdigest()
    known = LevelResult.objects.filter(player=player, level=level, sha256=sha256).first()
    if known:
        return Receipt(known, claim, is_new=False)
    result = LevelResult.objects.create(
        receipt_id=secrets.token_urlsafe(18),
        level=level,
        player=player,
        sent_as=player,
        lurd=tried.lurd,
        sha256=sha256,
        moves=tried.moves or 0,
        pushes=tried.pushes or 0,  # an accepted one has both
        received_at=tried.received_at,
    )
    collected.enter(result)
    result.refresh_from_db()
    return Receipt(result, claim)
