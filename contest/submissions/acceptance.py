"""The only way in: every door calls `accept`, which stores a submission durably or refuses it with words.

A receipt means durable; durable means judged exactly once (docs/judging.md).
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
from contest.infra.database.passing_trouble import will_pass
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
# By what was named and the instant, in one call.
_Rounds = dict[tuple[_Named, datetime], list[Round]]

# Most are sent so: to whatever round is open.
_UNNAMED: _Named = (None, "", False)
# How often a post whose new nickname was taken in that very moment is tried.
_ATTEMPTS = 3
# A text that pushes its address's turn back by so much is stored by itself.
_COSTLY = timedelta(seconds=0.1)
# Most verdicts come within some milliseconds; who waits for a slow one is not asked for so often.
_FIRST_POLL_SECONDS = 0.005
_POLL_SECONDS = 0.05


def accept(entry: Entry, *, door: Door, viewer: Viewer | None = None, address: str = "") -> Receipt:
    """Store *entry* for judging and return its receipt, or raise Refused (rules 5.4 to 5.10).

    The same text again, or the same idempotency key, returns the first receipt. *address*: where the request came
    from; without one, as for an import, there is no limit by address.
    """
    (answer,) = accept_all([entry], door=door, viewer=viewer, address=address)
    if isinstance(answer, Refused):
        raise answer
    return answer


@prepared_statements()
def accept_all(
    entries: Sequence[Entry], *, door: Door, viewer: Viewer | None = None, address: str = ""
) -> list[Receipt | Refused]:
    """`accept` of each of *entries*, which came in one request, in their order; one bad one spoils no other."""
    answers = _accept([Sent(entry, viewer, address) for entry in entries], door)
    for answer in answers:
        if not isinstance(answer, Receipt | Refused):
            raise answer
    return cast(list[Receipt | Refused], answers)


@prepared_statements()
def accept_together(those: Sequence["Sent"], *, door: Door) -> list[_Answer]:
    """`accept` of what came in requests of their own, in its order: what it would raise of one is the answer to it."""
    return _accept(those, door)


@dataclass(frozen=True, repr=False)  # neither texts nor claims belong in a log
class Sent:
    """What came in by a door: by whose right, from where, how many seconds *ago*, and in which language it is answered.

    Without a *language* it is the one of this moment.
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
    """Return how to read each of *those*; the time at which it came is taken before anything may wait (rule 3.3)."""
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
    """Read and store in their order, a costly one by itself: what is sent again gives its turn back before the next.

    While the database is in trouble nobody else waits for it in vain.
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
        if trouble := next((one for one in answers.values() if isinstance(one, Exception) and will_pass(one)), None):
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
    """What is to be known of what came in *at* that instant before it is stored; nothing here waits for others.

    *rounds*: those that were found for this call. Raise Refused, in the sender's language.
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
    """What round is named, for which there is one answer at one instant."""
    return entry.round, entry.track, entry.practice


def _store_all(arrivals: Sequence[Arrival]) -> list[_Answer]:
    """Store *arrivals*, in their order."""
    kept = []
    for answer, arrival in zip(_in_batches(arrivals), arrivals, strict=True):
        receipt = answer or _alone(arrival)
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


def _store(arrivals: Sequence[Arrival]) -> Sequence[_Answer | None]:
    """Store the first of *arrivals*, as many as go into one transaction; what failed is answered, never raised."""
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
