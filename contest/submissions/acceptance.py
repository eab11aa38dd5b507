"""The only way in: every door calls `accept`, which stores a submission durably or raises Refused with a message.

A receipt means that the submission is stored; a stored submission is judged exactly once (docs/judging.md).
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import cast

from django.db import OperationalError, transaction
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from contest import judging
from contest.celery import waking
from contest.infra import clock, logs, rate_limits
from contest.infra.database.passing_trouble import is_temporary
from contest.infra.database.prepared import prepared_statements
from contest.judging import outcomes
from contest.models import Door, Round, Submission
from contest.ops import metrics, outages
from contest.rules.phases import Phase
from contest.submissions import eligibility, limits
from contest.submissions.entry import Entry, Receipt, Refused, clean, text_of
from contest.submissions.store import READER_OF, Arrival, Store
from contest.visibility import Viewer

_Answer = Receipt | Exception
_Named = tuple[int | None, str, bool]
# Keyed by the round named and the time of receipt; valid for one call.
_Rounds = dict[tuple[_Named, datetime], list[Round]]

# The usual case: no round is named, so any open round will do.
_UNNAMED: _Named = (None, "", False)
# Attempts to store a request if another request takes its new nickname at the same moment.
_ATTEMPTS = 3
# A text that delays its address's next turn by more than this is stored in its own transaction.
_COSTLY = timedelta(seconds=0.1)
# Most verdicts arrive within milliseconds; poll less often for slow ones.
_FIRST_POLL_SECONDS = 0.005
_POLL_SECONDS = 0.05


def accept(entry: Entry, *, door: Door, viewer: Viewer | None = None, address: str = "") -> Receipt:
    """Store *entry* for judging and return its receipt, or raise Refused (rules 5.4 to 5.10).

    The same text again, or the same idempotency key, returns the first receipt. *address* is the client's; without one,
    as for an import, there is no limit by address.
    """
    (answer,) = accept_all([entry], door=door, viewer=viewer, address=address)
    if isinstance(answer, Refused):
        raise answer
    return answer


@prepared_statements()
def accept_all(
    entries: Sequence[Entry], *, door: Door, viewer: Viewer | None = None, address: str = ""
) -> list[Receipt | Refused]:
    """Accept each of *entries* from one request, in their order; a bad entry does not affect the others."""
    answers = _accept([Sent(entry, viewer, address) for entry in entries], door)
    for answer in answers:
        if not isinstance(answer, Receipt | Refused):
            raise answer
    return cast(list[Receipt | Refused], answers)


@prepared_statements()
def accept_together(those: Sequence["Sent"], *, door: Door) -> list[_Answer]:
    """Accept entries from separate requests, in order; an error for one is returned as its answer, not raised."""
    return _accept(those, door)


@dataclass(frozen=True, repr=False)  # neither texts nor claims belong in a log
class Sent:
    """An entry received by a door, with the viewer's rights, the client's address, its age in seconds (*ago*) and the
    language for answers. An empty *language* means the active one.
    """

    entry: Entry
    viewer: Viewer | None = None
    address: str = ""
    ago: float = 0.0
    language: str = ""


def _accept(those: Sequence[Sent], door: Door) -> list[_Answer]:
    try:
        answers = _answers(_readings(those, door))
    except Exception:
        outages.intake_failed()
        raise
    for answer in answers:
        if isinstance(answer, Refused):
            metrics.count_refusal(door, answer.code)
        elif isinstance(answer, Receipt):
            logs.submission.set(answer.submission.number)
            if answer.is_new:
                metrics.count_submission(door)
        else:
            outages.intake_failed()
    return answers


def _readings(those: Sequence[Sent], door: Door) -> list[Callable[[], Arrival]]:
    """Return a reader for each of *those*; times of receipt are taken before anything may wait (rule 3.3)."""
    found: Sequence[Round] = ()
    now = clock.now_at_database()
    if any(_named(sent.entry) == _UNNAMED for sent in those):
        found = eligibility.last_open(now - timedelta(seconds=max(sent.ago for sent in those)), now)
    came = [now - timedelta(seconds=sent.ago) for sent in those]
    rounds: _Rounds = {}
    for at in set(came):
        if those_open := [one for one in found if one.phase(at) == Phase.OPEN]:
            rounds[_UNNAMED, at] = those_open
    return [partial(_read, sent, at, rounds, door) for sent, at in zip(those, came, strict=True)]


def _answers(readings: Sequence[Callable[[], Arrival]]) -> list[_Answer]:
    """Read and store in order, a costly text separately: a repeated text gives its turn back before the next.

    Once the database is in trouble, the remaining entries get the same error without trying.
    """
    answers: dict[int, _Answer] = {}
    waiting: dict[int, Arrival] = {}

    def store() -> None:
        turns = limits.take_turns([(arrival.address, arrival.share) for arrival in waiting.values()])
        for (place, arrival), turn in zip(list(waiting.items()), turns, strict=True):
            if isinstance(turn, rate_limits.Busy):
                with override(arrival.language):
                    answers[place] = limits.too_much_waits(turn.wait or 1)
                del waiting[place]
                continue
            arrival.behind = turn
            if several := arrival.tried_on:
                reader = READER_OF[arrival.door]
                arrival.round = outcomes.first_solved(several, arrival.entry.moves, arrival.entry.slot, reader)
        answers.update(zip(waiting, _store_all(list(waiting.values())), strict=True))
        waiting.clear()

    for place, reading in enumerate(readings):
        if trouble := next((one for one in answers.values() if isinstance(one, Exception) and is_temporary(one)), None):
            answers[place] = trouble
            continue
        try:
            arrival = reading()
        except Refused as refusal:
            answers[place] = refusal
            continue
        if arrival.share > _COSTLY:
            store()
        waiting[place] = arrival
        if arrival.share > _COSTLY:
            store()
    store()
    return [answers[place] for place in sorted(answers)]


def _read(sent: Sent, at: datetime, rounds: _Rounds, door: Door) -> Arrival:
    """Build the Arrival of an entry received *at* a time, as far as possible before storing; nothing here waits.

    *rounds* caches the rounds found in this call. Raise Refused, in the sender's language.
    """
    with override(sent.language) if sent.language else nullcontext():
        text = text_of(sent.entry.moves)
        entry, sha256 = clean(sent.entry), hashlib.sha256(text).hexdigest()
        named = _named(entry), at
        if named not in rounds:
            practised = [eligibility.practised_round(entry.round, at)] if entry.practice else []
            rounds[named] = practised or eligibility.open_rounds(entry.round, entry.track, at, sha256)
        meant = [one for one in rounds[named] if not entry.slot or one.levels.filter(slot=entry.slot).exists()]
        if not meant:
            words = _("Round %(number)s has no such level.") % {"number": rounds[named][0].number}
            raise Refused("no_level", words, status=404, field="slot")
        seconds, several = outcomes.seconds_for(entry.moves, max(one.max_moves for one in meant)), meant[1:] and meant
        said = sent.viewer, sent.address, get_language()
        return Arrival(entry, text, sha256, at, door, *said, meant[0], seconds, several)


def _named(entry: Entry) -> _Named:
    """Return the key for the named round: entries with equal keys and times get the same rounds."""
    return entry.round, entry.track, entry.practice


def _store_all(arrivals: Sequence[Arrival]) -> list[_Answer]:
    """Store *arrivals* in order."""
    kept = []
    for answer, arrival in zip(_in_batches(arrivals), arrivals, strict=True):
        receipt = answer or _alone(arrival)
        if isinstance(receipt, Receipt) and not receipt.is_new:
            rate_limits.undo_turn(arrival.address, arrival.share.total_seconds())
        kept.append(receipt)
    return kept


def _alone(arrival: Arrival) -> _Answer:
    """Store one arrival that failed in a batch or lost a race for its new nickname."""
    for _attempt in range(_ATTEMPTS):
        if answer := _store([arrival])[0]:
            return answer
    raise RuntimeError("A nickname is taken and nobody's, again and again.")


def _in_batches(arrivals: Sequence[Arrival]) -> list[_Answer | None]:
    """Store *arrivals* in order, in as few transactions as possible; None for those to store separately."""
    answers: list[_Answer | None] = []
    while len(answers) < len(arrivals):
        answers += _store(arrivals[len(answers) :])
    return answers


def _store(arrivals: Sequence[Arrival]) -> Sequence[_Answer | None]:
    """Store as many of the first *arrivals* as fit into one transaction; errors are returned, never raised."""
    answers: Sequence[_Answer | None] = ()
    try:
        with transaction.atomic():
            answers = Store(arrivals).answers()
            if any(isinstance(answer, Receipt) and answer.is_new for answer in answers):
                transaction.on_commit(waking.wake_judge)
    except Refused as refusal:
        return [refusal]
    except Exception as error:
        if answers:
            # It may have been committed or not: a client that retries with the same key finds out.
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
    """Judge that row now, by the workers' own code path, for a sender that has only this one request."""
    judging.judge_row(submission)
    return verdict_soon(submission, 0)
