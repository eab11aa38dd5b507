"""The only way in: every door calls `accept`, which stores a submission durably or refuses it with words.

A receipt means durable; durable means judged exactly once (docs/judging.md).
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import OperationalError, connection, transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from contest import judging
from contest.celery import tasks
from contest.infra import clock, logs, rate_limits
from contest.infra.database.compiled_queries import keep_plans
from contest.infra.group_commit import Group
from contest.judging import cost, fitting
from contest.models import Door, Round, Submission
from contest.ops import metrics, outages
from contest.submissions import limits
from contest.submissions.entry import Entry, Receipt, Refused, clean, text_of
from contest.submissions.store import READER_OF, Arrival, Store
from contest.visibility import Viewer

_Answer = Receipt | Exception

# As most are sent: to whatever round is open.
_UNNAMED = (None, "", False)
# What single posts one transaction stores at most, and how often one is tried alone.
_MOST_TOGETHER = 32
_ATTEMPTS = 3
# A text that pushes its address's turn back by so much is stored by itself.
_COSTLY = timedelta(seconds=0.1)
# Most verdicts come within some milliseconds; who waits for a slow one is not asked for so often.
_FIRST_POLL_SECONDS = 0.005
_POLL_SECONDS = 0.05


def accept(entry: Entry, *, door: Door, viewer: Viewer | None = None, address: str = "") -> Receipt:
    """Store *entry* for judging and return its receipt, or raise Refused (rules 5.4 to 5.10).

    The same text again, or the same idempotency key, returns the first receipt. *address*: where the request came
    from (addresses.sender_of); without one, as for an import, there is no limit by address.
    """
    (answer,) = accept_all([entry], door=door, viewer=viewer, address=address)
    if isinstance(answer, Refused):
        raise answer
    return answer


@keep_plans()
def accept_all(
    entries: Sequence[Entry], *, door: Door, viewer: Viewer | None = None, address: str = ""
) -> list[Receipt | Refused]:
    """`accept` of each of *entries*, which came in one request, in their order; one bad one spoils no other."""
    try:
        # Before anything that may wait: who came in time is in time (rule 3.3).
        rounds: dict[tuple[int | None, str, bool], list[Round]] = {}
        if any((entry.round, entry.track, entry.practice) == _UNNAMED for entry in entries):
            at, now_open = limits.now_and_open_rounds()
            rounds |= {_UNNAMED: now_open} if now_open else {}
        else:
            at = clock.now_at_database()
        answers = _answers([partial(_read, entry, at, rounds, door, viewer, address) for entry in entries])
    except Exception:
        outages.intake_failed()
        raise
    for answer in answers:
        if isinstance(answer, Refused):
            metrics.count_refusal(door, answer.code)
        else:
            logs.submission.set(answer.submission.number)
            if answer.is_new:
                metrics.count_submission(door)
    return answers


def _answers(readings: Sequence[Callable[[], Arrival]]) -> list[Receipt | Refused]:
    """Read and store in their order, a costly one by itself: what is sent again gives its turn back before the next."""
    answers: dict[int, Receipt | Refused] = {}
    waiting: dict[int, Arrival] = {}

    def store() -> None:
        answers.update(zip(waiting, _store_all(list(waiting.values())), strict=True))
        waiting.clear()

    for place, reading in enumerate(readings):
        try:
            arrival = reading()
            if arrival.share > _COSTLY:
                store()
            arrival.behind = limits.take_turn(arrival.address, arrival.share)
            if several := arrival.tried_on:
                reader = READER_OF[arrival.door]
                arrival.round = fitting.first_solved(several, arrival.entry.moves, arrival.entry.slot, reader)
        except Refused as refusal:
            answers[place] = refusal
        else:
            waiting[place] = arrival
            if arrival.share > _COSTLY:
                store()
    store()
    return [answers[place] for place in sorted(answers)]


def _read(
    entry: Entry,
    at: datetime,
    rounds: dict[tuple[int | None, str, bool], list[Round]],
    door: Door,
    viewer: Viewer | None,
    address: str,
) -> Arrival:
    """What is to be known of *entry* before it is stored; nothing here waits for others. Raise Refused.

    *rounds*: those that were found for this request.
    """
    text = text_of(entry.moves)
    entry, sha256 = clean(entry), hashlib.sha256(text).hexdigest()
    named = entry.round, entry.track, entry.practice
    if named not in rounds:
        practised = [limits.practised_round(entry.round, at)] if entry.practice else []
        rounds[named] = practised or limits.open_rounds(entry.round, entry.track, at, sha256)
    meant = [one for one in rounds[named] if not entry.slot or one.levels.filter(slot=entry.slot).exists()]
    if not meant:
        words = _("Round %(number)s has no such level.") % {"number": rounds[named][0].number}
        raise Refused("no_level", words, status=404, field="slot")
    seconds = cost.seconds_for(entry.moves, max(one.max_moves for one in meant))
    several = meant if len(meant) > 1 else ()
    return Arrival(entry, text, sha256, at, door, viewer, address, get_language(), meant[0], seconds, several)


def _store_all(arrivals: Sequence[Arrival]) -> list[Receipt | Refused]:
    """Store *arrivals* of one request, in their order; a single one together with those of other requests."""
    # Who is in a transaction commits more than this, and what it has written nobody else sees.
    if len(arrivals) == 1 and not connection.in_atomic_block:
        answers = [_together.do(arrivals[0])]
    else:
        answers = _in_batches(arrivals)
    kept = []
    for answer, arrival in zip(answers, arrivals, strict=True):
        receipt = answer or _alone(arrival)
        if isinstance(receipt, Exception) and not isinstance(receipt, Refused):
            raise receipt
        if isinstance(receipt, Receipt) and not receipt.is_new:
            rate_limits.give_turn_back(arrival.address, arrival.share.total_seconds())
        kept.append(receipt)
    return kept


def _alone(arrival: Arrival) -> _Answer:
    """Store one that had no luck beside others, or whose name was taken in that very moment."""
    for _attempt in range(_ATTEMPTS):
        if answer := _store([arrival])[0]:
            return answer
    raise RuntimeError("A nickname is taken and nobody's, again and again.")


def _in_batches(arrivals: Sequence[Arrival]) -> list[_Answer | None]:
    """Store *arrivals* in their order, in as few transactions as may be; None for those to be stored alone."""
    answers: list[_Answer | None] = []
    while len(answers) < len(arrivals):
        answers += _store(arrivals[len(answers) :])
    return answers


_together = Group(_in_batches, _MOST_TOGETHER)


def _store(arrivals: Sequence[Arrival]) -> Sequence[_Answer | None]:
    """Store the first of *arrivals*, as many as go into one transaction; what failed is answered, never raised."""
    answers: Sequence[_Answer | None] = ()
    try:
        with transaction.atomic():
            answers = Store(arrivals).answers()
            if any(isinstance(answer, Receipt) and answer.is_new for answer in answers):
                transaction.on_commit(tasks.wake_judge)
    except Refused as refusal:
        return [refusal]
    except Exception as error:
        if answers:
            # Nobody knows whether it was committed: who sends again with the same key will.
            unknown = OperationalError("The commit failed.")
            unknown.__cause__ = error
            return [unknown] * len(answers)
        return [error] if len(arrivals) == 1 else [None] * len(arrivals)
    return answers


def verdict_soon(submission: Submission, seconds: float) -> Submission:
    """Wait up to *seconds* for a worker's verdict; return the row as it is then."""
    until, pause = time.monotonic() + seconds, _FIRST_POLL_SECONDS
    waiting = Submission.objects.waiting().filter(pk=submission.pk)
    while time.monotonic() < until and waiting.exists():
        time.sleep(pause)
        pause = min(2 * pause, _POLL_SECONDS)
    return Submission.objects.select_related("player", "level__round", "round").get(pk=submission.pk)


def judge_now(submission: Submission) -> Submission:
    """Judge that very row, for a sender who can only wait in this one request; by the workers' own path."""
    judging.judge_row(submission)
    return verdict_soon(submission, 0)
