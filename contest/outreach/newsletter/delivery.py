"""Send letters in small batches, each letter once, within the rate limit (docs/how-to/operations.md).

The rows of letters are the queue (`infra.job_queue`). A worker claims a letter, hands it to the mail server, and
records the answer. If the worker dies in between, the letter is doubtful: it may have arrived, so it is not sent again.
Nobody gets a letter twice; a killed worker costs at most the letter it held.
"""

import logging
import smtplib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q

from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.models import Letter, Subscriber
from contest.outreach.newsletter.digest import KEPT
from contest.outreach.newsletter.messages import build_message
from contest.outreach.newsletter.subscriptions import forget_unconfirmed, is_configured

log = logging.getLogger(__name__)

MOST_A_RUN = 20
# Delays before each retry; after the last the letter is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
# Longer than a mail server may need for one letter.
LEASE = timedelta(minutes=5)
QUEUE = Queue(
    Letter,
    open=Q(state=Letter.State.WAITING),  # excludes letters being sent: they are never sent again
    lease=LEASE,
    most_attempts=len(PAUSES) + 1,
    given_up={"state": Letter.State.FAILED},
)
_LATE = timedelta(minutes=30)


def send() -> int:
    """Send a batch of due letters within the rate limit; return how many letters were claimed."""
    at = clock.now_at_database()
    _settle(at)
    if not is_configured() or not Letter.objects.due(at).exists():
        return 0
    try:
        server = get_connection()
        server.open()
    except (OSError, smtplib.SMTPException) as error:  # nothing is claimed: all letters wait
        log.warning("The mail server does not answer (%s).", type(error).__name__)
        return 0
    taken = 0
    try:
        while taken < MOST_A_RUN and (letter := _claim_letter()):
            taken += 1
            if not _send(letter, server):
                break
    finally:
        server.close()
    return taken


def _settle(at: datetime) -> None:
    """Mark interrupted letters as doubtful, expire late ones, and delete old letters and unconfirmed subscribers."""
    QUEUE.overdue(at).filter(state=Letter.State.SENDING).update(state=Letter.State.DOUBTFUL, answer="cut off")
    Letter.objects.waiting().filter(mailing__expires_at__lte=at).update(state=Letter.State.EXPIRED)
    Letter.objects.filter(mailing__made_at__lt=at - KEPT).exclude(state=Letter.State.WAITING).delete()
    forget_unconfirmed(at)


def _claim_letter() -> Letter | None:
    """Claim one letter, unless as many as may be sent in a minute have been claimed."""
    at = clock.now_at_database()
    if Letter.objects.filter(claimed_at__gt=at - timedelta(minutes=1)).count() >= settings.MAIL_PER_MINUTE:
        return None
    due = Letter.objects.due(at).order_by("-is_urgent", "next_try_at", "pk")
    return QUEUE.claim(due, state=Letter.State.SENDING, claimed_at=at)


def _send(letter: Letter, server: BaseEmailBackend) -> bool:
    """Send the letter and record the answer; return whether the server still accepts letters."""
    try:
        mail = build_message(letter, clock.now())
        if mail is None:
            _record_result(letter, Letter.State.EXPIRED, "nothing to tell")
            return True
        mail.connection = server
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _text in error.recipients.values()]
        _record_refusal(letter, max(codes, default=550))
        return True
    except smtplib.SMTPDataError as error:
        if error.smtp_code < 500:
            _postpone(letter, error.smtp_code)
        else:
            _record_result(letter, Letter.State.FAILED, str(error.smtp_code))
        return True
    except smtplib.SMTPResponseException as error:  # the server refuses us now: no address is at fault
        _postpone(letter, error.smtp_code)
        return False
    except (OSError, smtplib.SMTPException) as error:  # connection lost: the letter may have arrived
        _record_result(letter, Letter.State.DOUBTFUL, type(error).__name__)
        return False
    except UnicodeError:  # no server accepts such an address
        _fail(letter, "unsendable")
        return True
    except ValueError as error:  # invalid header: never sent, and no address is at fault
        log.warning("Letter %s cannot be sent (%s).", letter.pk, type(error).__name__)
        _record_result(letter, Letter.State.FAILED, "unsendable")
        return True
    _record_result(letter, Letter.State.SENT, "")
    Subscriber.objects.filter(pk=letter.subscriber_id, failures__gt=0).update(failures=0)
    return True


def _record_result(letter: Letter, state: str, answer: str) -> None:
    """Record the result of a letter, even if it was marked as doubtful meanwhile."""
    QUEUE.close(letter, state=state, answer=answer[:40], sent_at=clock.now() if state == Letter.State.SENT else None)


def _record_refusal(letter: Letter, code: int) -> None:
    """Record that the address was refused, permanently or temporarily."""
    if code < 500:
        _postpone(letter, code)
    else:
        _fail(letter, str(code))


def _fail(letter: Letter, answer: str) -> None:
    """Give the letter up and count a failure of its address; after several in a row the address is paused."""
    _record_result(letter, Letter.State.FAILED, answer)
    Subscriber.objects.filter(pk=letter.subscriber_id).update(failures=F("failures") + 1)
    most = max(settings.MAIL_MOST_REFUSALS, 1)
    worn_out = Subscriber.objects.filter(pk=letter.subscriber_id, failures__gte=most, stopped_at=None)
    worn_out.update(stopped_at=clock.now())


def _postpone(letter: Letter, code: int) -> None:
    if letter.attempts > len(PAUSES):
        _record_result(letter, Letter.State.FAILED, str(code))
        return
    next_try_at = clock.now_at_database() + PAUSES[letter.attempts - 1]
    QUEUE.close(letter, state=Letter.State.WAITING, next_try_at=next_try_at, answer=str(code))


@dataclass(frozen=True)
class Condition:
    """State of the mail queue: letters waiting, whether any is late, and failures of the last day.

    *resting* is the number of addresses that refused so many letters that they get no more.
    """

    waiting: int
    is_late: bool
    failed: int
    doubtful: int
    resting: int

    @property
    def is_well(self) -> bool:
        return not self.is_late and not self.failed and not self.doubtful


def queue_condition(at: datetime) -> Condition:
    """Return the state of the queue; a letter is late if it has been due for longer than the rate limit explains."""
    waiting = Letter.objects.due(at)
    longest = _LATE + timedelta(minutes=waiting.count() / max(settings.MAIL_PER_MINUTE, 1))
    lately = Letter.objects.filter(claimed_at__gt=at - timedelta(days=1))
    return Condition(
        waiting.count(),
        waiting.filter(next_try_at__lt=at - longest).exists(),
        lately.filter(state=Letter.State.FAILED).count(),
        lately.filter(state=Letter.State.DOUBTFUL).count(),
        Subscriber.objects.exclude(stopped_at=None).count(),
    )
