"""The only way in: every door calls `accept`, which stores a submission durably or raises Refused with a message.

A receipt means that the submission is stored; a stored submission is judged exactly once (docs/explanation/judging.md).
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import cast

from django.db import OperationalError, transaction
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from contest import judging
from contest.celery import waking
from contest.infra import clock, logs, rate_limits
from contest.infra.database.locks import do_not_wait, is_locked
from contest.infra.database.passing_trouble import is_temporary
from contest.infra.database.prepared import prepared_statements
from contest.judging import outcomes
from contest.models import Door, Round, Submission
from contest.ops import metrics, outages
from contest.rules.phases import Phase
from contest.submissions import eligibility, limits
from contest.submissions.arrival import Arrival
from contest.submissions.entry import Entry, Postponed, Receipt, Refused, clean, encode_moves
from contest.submissions.store import Store
from contest.visibility import Viewer

_Answer = Receipt | Exception
_Named = tuple[int | None, str, bool]
# Keyed by the round named and the time of receipt; valid for one call.
_Rounds = dict[tuple[_Named, datetime], list[Round]]

# The usual case: no round is named, so any open round will do.
_NO_ROUND_NAMED: _Named = (None, "", False)
# Attempts to store a request if another request takes its new nickname at the same moment.
_ATTEMPTS = 3
# A text that delays its address's next turn by more than this is stored in its own transaction.
_COSTLY = timedelta(seconds=0.1)
_judging = Lock()
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
    answers = _accept([Sent(entry, viewer, address, clock.seconds_waited()) for entry in entries], door)
    for answer in answers:
        if not isinstance(answer, Receipt | Refused):
            raise answer
    return cast(list[Receipt | Refused], answers)


@prepared_statements()
def accept_batch(sent_entries: Sequence["Sent"], *, door: Door) -> list[_Answer]:
    """Accept entries from separate requests, in order; an error for one is returned as its answer, not raised.

    An entry that may have to wait for its player's row is answered with Postponed: the other requests do not wait.
    """
    return _accept(sent_entries, door, may_wait=len(sent_entries) == 1)


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


def _accept(sent_entries: Sequence[Sent], door: Door, *, may_wait: bool = True) -> list[_Answer]:
    try:
        answers = _answers(_prepare_readers(sent_entries, door), may_wait=may_wait)
    except Exception as error:
        note_failure(error, door)
        raise
    for answer in answers:
        if isinstance(answer, Refused):
            metrics.count_refusal(door, answer.code)
        elif isinstance(answer, Receipt):
            logs.submission.set(answer.submission.number)
            if answer.is_new:
                metrics.count_submission(door)
        elif not isinstance(answer, Postponed):
            note_failure(answer, door)
    return answers


def note_failure(error: Exception, door: Door) -> None:
    """Record a failure on our side (rule 3.10), unless another submission could be stored: one input is no outage."""
    if is_temporary(error) or not _can_store(door):
        outages.intake_failed()


def _can_store(door: Door) -> bool:
    """Return whether a new player's submission can be stored now; it is rolled back."""
    try:
        with transaction.atomic():
            sent = Sent(Entry(f"probe-{secrets.token_hex(6)}", "r"))
            Store([_read(sent, clock.now_at_database(), {}, door)]).answers()
            transaction.set_rollback(True)
    except Refused:
        return True  # for example, because no round is open
    except Exception:
        return False
    return True


def _prepare_readers(sent_entries: Sequence[Sent], door: Door) -> list[Callable[[], Arrival]]:
    """Return a reader for each of *sent_entries*; times of receipt are taken before anything may wait (rule 3.3)."""
    candidates: Sequence[Round] = ()
    now = clock.now_at_database()
    if any(_round_key(sent.entry) == _NO_ROUND_NAMED for sent in sent_entries):
        candidates = eligibility.last_open(now - timedelta(seconds=max(sent.ago for sent in sent_entries)), now)
    received_times = [now - timedelta(seconds=sent.ago) for sent in sent_entries]
    rounds: _Rounds = {}
    for at in set(received_times):
        if open_now := [round_ for round_ in candidates if round_.phase(at) == Phase.OPEN]:
            rounds[_NO_ROUND_NAMED, at] = open_now
    return [partial(_read, sent, at, rounds, door) for sent, at in zip(sent_entries, received_times, strict=True)]


def _answers(readers: Sequence[Callable[[], Arrival]], *, may_wait: bool) -> list[_Answer]:
    """Read and store in order, a costly text separately: a repeated text gives its turn back before the next.

    Once the database is in trouble, the remaining entries get the same error without trying.
    """
    answers: dict[int, _Answer] = {}
    waiting: dict[int, Arrival] = {}

    def store() -> None:
        turns = limits.take_turns([arrival.load for arrival in waiting.values()])
        for (place, arrival), turn in zip(list(waiting.items()), turns, strict=True):
            if isinstance(turn, rate_limits.Busy):
                with override(arrival.language):
                    answers[place] = limits.refuse_turn(turn)
                del waiting[place]
                continue
            arrival.turn_delay = turn
            if rounds_to_try := arrival.rounds_to_try:
                arrival.round = outcomes.first_solved(rounds_to_try, arrival.entry.moves, arrival.entry.slot)
        answers.update(zip(waiting, _store_all(list(waiting.values()), may_wait=may_wait), strict=True))
        waiting.clear()

    for place, read_arrival in enumerate(readers):
        if database_error := next(
            (previous for previous in answers.values() if isinstance(previous, Exception) and is_temporary(previous)),
            None,
        ):
            answers[place] = database_error
            continue
        try:
            arrival = read_arrival()
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
        text = encode_moves(sent.entry.moves)
        entry, sha256 = clean(sent.entry), hashlib.sha256(text).hexdigest()
        round_key = _round_key(entry), at
        if round_key not in rounds:
            practice_rounds = [eligibility.practised_round(entry.round, at)] if entry.practice else []
            rounds[round_key] = practice_rounds or eligibility.open_rounds(entry.round, entry.track, at, sha256)
        candidates = [
            round_ for round_ in rounds[round_key] if not entry.slot or round_.levels.filter(slot=entry.slot).exists()
        ]
        if not candidates:
            message = _("Round %(number)s has no such level.") % {"number": rounds[round_key][0].name}
            raise Refused("no_level", message, status=404, field="slot")
        limit = max(round_.max_moves for round_ in candidates)
        seconds = outcomes.seconds_for(entry.moves, limit)
        size = max(len(text), outcomes.stored_size(entry.moves, limit))
        rounds_to_try = candidates[1:] and candidates
        sender = sent.viewer, sent.address, get_language()
        return Arrival(entry, text, sha256, at, door, *sender, candidates[0], seconds, size, rounds_to_try)


def _round_key(entry: Entry) -> _Named:
    """Return the key for the named round: entries with equal keys and times get the same rounds."""
    return entry.round, entry.track, entry.practice


def _store_all(arrivals: Sequence[Arrival], *, may_wait: bool) -> list[_Answer]:
    """Store *arrivals* in order, in as few transactions as possible; only one stored alone waits, if it *may_wait*."""
    answers: list[_Answer] = []
    while len(answers) < len(arrivals):
        rest = arrivals[len(answers) :]
        for arrival, stored in zip(rest, _store(rest), strict=False):  # the last of *rest* may not have fitted
            answer = stored or _store_alone(arrival, may_wait=may_wait)
            is_again = isinstance(answer, Postponed) or (isinstance(answer, Receipt) and not answer.is_new)
            if is_again or isinstance(answer, Refused):
                rate_limits.undo_turn(arrival.load, is_again=is_again)
            answers.append(answer)
    return answers


def _store_alone(arrival: Arrival, *, may_wait: bool) -> _Answer:
    """Store one arrival that does not fit a batch, failed in one, or lost a race for its new nickname."""
    for _attempt in range(_ATTEMPTS):
        if answer := _store([arrival], may_wait=may_wait)[0]:
            return Postponed() if is_locked(answer) and not may_wait else answer
    raise RuntimeError("A nickname is taken and nobody's, again and again.")


def _store(arrivals: Sequence[Arrival], *, may_wait: bool = True) -> Sequence[_Answer | None]:
    """Store as many of the first *arrivals* as fit into one transaction; errors are returned, never raised."""
    answers: Sequence[_Answer | None] = ()
    try:
        with transaction.atomic():
            if not may_wait:
                do_not_wait()
            answers = Store(arrivals).answers()
            if any(isinstance(answer, Receipt) and answer.is_new for answer in answers):
                transaction.on_commit(waking.wake_judge)
    except Refused as refusal:
        return [refusal]
    except Exception as error:
        if answers:
            # It may have been committed or not: a client that retries with the same key finds out.
            uncertain = OperationalError("The commit failed.")
            uncertain.__cause__ = error
            return [uncertain] * len(answers)
        return [error] if len(arrivals) == 1 else [None] * len(arrivals)
    return answers


def wait_for_verdict(submission: Submission, seconds: float) -> Submission:
    """Wait up to *seconds* for a worker's verdict; return the row as it is then."""
    deadline, pause = time.monotonic() + seconds, _FIRST_POLL_SECONDS
    waiting = Submission.objects.waiting().filter(pk=submission.pk)
    while time.monotonic() < deadline and waiting.exists():
        time.sleep(pause)
        pause = min(2 * pause, _POLL_SECONDS)
    return Submission.objects.select_related("player", "level__round", "round").get(pk=submission.pk)


def judge_now(submission: Submission) -> Submission:
    """Do a worker's part in this request: judge the rows whose turn it is; *submission* may have to wait for its own.

    Only one request of a process does so at a time, so that the other threads can answer pages.
    """
    if _judging.acquire(blocking=False):
        try:
            judging.judge_next()
        finally:
            _judging.release()
    return wait_for_verdict(submission, 0)
