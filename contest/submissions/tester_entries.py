"""What testers send before a round opens: judged at once, and no submission of any kind (rule 4.14)."""

import hashlib
from datetime import datetime

from django.utils.translation import gettext as _

from contest import judging
from contest.judging import cost
from contest.models import Level, Reader, Submission, TestEntry, Tester
from contest.submissions import limits
from contest.submissions.entry import Refused, text_of

# A round in test has so many of one tester at most.
MOST_ENTRIES = 500


def enter(tester: Tester, level: Level, moves: str, *, at: datetime, address: str) -> TestEntry:
    """Judge *moves* on *level* and keep what became of them, not the moves themselves. Raise Refused."""
    if tester.entries.count() >= MOST_ENTRIES:
        words = _("A tester sends %(most)s solutions at most.") % {"most": MOST_ENTRIES}
        raise Refused("quota", words, status=429, field="moves")
    text = text_of(moves)
    limits.take_turn(address, limits.share_of(cost.seconds_for(moves, level.round.max_moves)))
    sent = Submission(
        round=level.round,
        text=text,
        sha256=hashlib.sha256(text).hexdigest(),
        reader=Reader.LENIENT,
        slot_named=level.slot,
        received_at=at,
        judged_at=at,
    )
    tried = judging.dry_run(sent, [level])
    return tester.entries.create(
        slot=level.slot,
        sha256=level.sha256,
        verdict=tried.verdict,
        moves=tried.moves if tried.is_scored else None,
        pushes=tried.pushes if tried.is_scored else None,
        sent_at=at,
    )
