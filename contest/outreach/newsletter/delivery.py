"""Letters by e-mail to who has asked for them: opt-in, one press to end, sent in small batches (docs/operations.md).

The row of a letter is the queue (`infra.job_queue`). A worker claims one letter, hands it to the mail server, and notes
the answer. One that falls silent in between leaves that letter in doubt: it may have arrived, so it is not sent again.
Nobody gets a letter twice; a killed worker costs at most the one it held.
"""

import logging
import secrets
import smtplib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from contest import visibility
from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.models import CONFIRMING, Letter, Mailing, Post, Round, Subscriber, Topic
from contest.outreach import announcements as announcing
from contest.players.email_addresses import canonical, canonical_or_none
from contest.staff import audit_log as audit
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

log = logging.getLogger(__name__)

MOST_A_RUN = 20
REMIND_BEFORE = timedelta(hours=24)
# How long an address has to be confirmed, how often and how soon it may be asked, and how many in all in an hour.
DAYS_TO_CONFIRM = 3
MOST_ASKED = 3
ASK_AGAIN_AFTER = timedelta(hours=1)
MOST_ASKED_AN_HOUR = 200
# How long after a failed try the next one comes; then the letter is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
# Longer than a mail server may take over one letter.
LEASE = timedelta(minutes=5)
QUEUE = Queue(
    Letter,
    open=Q(state=Letter.State.WAITING),  # not one that is being sent: nobody takes it over
    lease=LEASE,
    most_attempts=len(PAUSES) + 1,
    given_up={"state": Letter.State.FAILED},
)
_LATE = timedelta(minutes=30)
_FRESH = timedelta(hours=12)
_KEPT = timedelta(days=30)
_NOBODY = Viewer()
_SALT = "contest.mailing"
_UNSENDABLE = ("console.EmailBackend", "dummy.EmailBackend")


class TooMany(Exception):
    """So many addresses were asked lately that somebody may be using the site to annoy people."""


def is_configured() -> bool:
    """Whether letters can leave: by a mail server, and with links that lead here."""
    return bool(settings.SITE_URL) and not settings.EMAIL_BACKEND.endswith(_UNSENDABLE)


# Subscribing


@transaction.atomic
def ask(email: str, topics: Iterable[str], language: str, at: datetime, *, is_proved: bool = False) -> None:
    """Note that *email* wants letters; a letter asks its owner, unless it *is_proved*. Raise TooMany.

    Whoever asks learns nothing of whether the address is known; what a known one gets changes only by its owner.
    """
    email = canonical(email)
    wanted = _wanted(topics, language)
    _forget_unconfirmed(at)
    # Before the address is looked up: a refusal must not tell whether it is known.
    if not is_proved and Subscriber.objects.filter(asked_at__gt=at - ASK_AGAIN_AFTER).count() >= MOST_ASKED_AN_HOUR:
        raise TooMany
    subscriber = Subscriber.objects.select_for_update().filter(email=email).first()
    if subscriber is None:
        subscriber = _made(email, wanted, at)
    elif is_proved or subscriber.confirmed_at is None:
        Subscriber.objects.filter(pk=subscriber.pk).update(**wanted)
    if is_proved:
        Subscriber.objects.filter(pk=subscriber.pk).update(confirmed_at=at, failures=0, stopped_at=None, asked=0)
    else:
        _ask_owner(subscriber, at)


def _made(email: str, wanted: dict[str, Any], at: datetime) -> Subscriber:
    try:
        with transaction.atomic():
            return Subscriber.objects.create(email=email, key=secrets.token_hex(16), asked_at=at, **wanted)
    except IntegrityError:  # asked for twice in the same moment
        return Subscriber.objects.get(email=email)


def _ask_owner(subscriber: Subscriber, at: datetime) -> None:
    asked = subscriber.asked if is_still_asked(subscriber, at) else 0
    if asked >= MOST_ASKED or (asked and at < subscriber.asked_at + ASK_AGAIN_AFTER):
        return
    Subscriber.objects.filter(pk=subscriber.pk).update(asked=asked + 1, asked_at=at)
    expires_at = at + timedelta(days=DAYS_TO_CONFIRM)
    mailing = Mailing.objects.create(
        topic=CONFIRMING, key=secrets.token_hex(16), made_at=at, expires_at=expires_at, recipients=1
    )
    Letter.objects.create(mailing=mailing, subscriber=subscriber, next_try_at=at, is_urgent=True)


def _forget_unconfirmed(at: datetime) -> None:
    Subscriber.objects.filter(confirmed_at=None, asked_at__lt=at - timedelta(days=DAYS_TO_CONFIRM)).delete()


def confirm(subscriber: Subscriber, at: datetime) -> None:
    """The owner of the address wants letters."""
    Subscriber.objects.filter(pk=subscriber.pk).update(confirmed_at=at, asked=0, failures=0, stopped_at=None)


def change(subscriber: Subscriber, topics: Iterable[str], language: str) -> None:
    Subscriber.objects.filter(pk=subscriber.pk).update(**_wanted(topics, language))


def end(subscriber: Subscriber) -> None:
    """Forget the address, and what was to be sent to it."""
    subscriber.delete()


def _wanted(topics: Iterable[str], language: str) -> dict[str, Any]:
    chosen = set(topics)
    return {"language": language, **{f"wants_{topic}": topic in chosen for topic in Topic.values}}


def export(emails: Iterable[str]) -> list[dict[str, Any]]:
    """What is kept about the letters to *emails*, for the one to whom these belong."""
    found = Subscriber.objects.filter(email__in=[canonical_or_none(email) or "" for email in emails])
    return [
        {"email": one.email, "topics": one.topics, "language": one.language, "confirmed_at": one.confirmed_at}
        for one in found
    ]


def token(subscriber: Subscriber, purpose: str) -> str:
    """What a link in a letter carries: it works without a login, for this purpose alone."""
    return signing.Signer(salt=f"{_SALT}.{purpose}").sign(subscriber.key)


def of_token(text: str, purpose: str) -> Subscriber | None:
    """Whose link it is; None where it is nobody's, or its owner has ended the letters."""
    try:
        key = signing.Signer(salt=f"{_SALT}.{purpose}").unsign(text)
    except signing.BadSignature:
        return None
    return Subscriber.objects.filter(key=key).first()


def is_still_asked(subscriber: Subscriber, at: datetime) -> bool:
    return at < subscriber.asked_at + timedelta(days=DAYS_TO_CONFIRM)


# Collecting


@dataclass(frozen=True)
class Told:
    """Something to tell: of which topic, about which round, and until when it matters."""

    topic: Topic
    key: str
    round: Round
    until: datetime


def collect(at: datetime) -> int:
    """Write letters about what has happened lately; return how many. The same is told once, however often asked."""
    if not is_configured():
        return 0
    return sum(_tell(told, at) for told in _happened(at))


def _happened(at: datetime) -> Iterator[Told]:
    for round_ in Round.objects.open(at):
        if round_.opens_at > at - _FRESH:
            yield Told(Topic.OPENING, f"{round_.number}", round_, round_.closes_at)
        if at < round_.closes_at <= at + REMIND_BEFORE and round_.opens_at < at - _FRESH:
            # An extended round is told of again: the close is another.
            yield Told(Topic.CLOSING, f"{round_.number}:{round_.closes_at:%Y%m%d%H%M}", round_, round_.closes_at)
    for snapshot in visibility.snapshots(_NOBODY, at).filter(made_at__gt=at - _FRESH).select_related("round"):
        key = f"{snapshot.round.number}:{snapshot.revision}"
        yield Told(Topic.RESULTS, key, snapshot.round, snapshot.made_at + timedelta(days=7))


def _tell(told: Told, at: datetime) -> int:
    if Mailing.objects.filter(topic=told.topic, key=told.key).exists():
        return 0
    return _make(
        Mailing(topic=told.topic, key=told.key, round=told.round, made_at=at, expires_at=told.until)
    ).recipients


@transaction.atomic
def _make(mailing: Mailing) -> Mailing:
    """Keep the mailing with a letter for each who wants it now; whoever subscribes later is not told of it."""
    try:
        with transaction.atomic():
            mailing.save()
    except IntegrityError:  # another worker has just made it
        return Mailing(recipients=0)
    wanting = Subscriber.objects.wanting(mailing.topic).order_by("pk")
    letters = [Letter(mailing=mailing, subscriber=one, next_try_at=mailing.made_at) for one in wanting]
    Letter.objects.bulk_create(letters, batch_size=500)
    mailing.recipients = len(letters)
    mailing.save(update_fields=["recipients"])
    return mailing


def recipients(topic: str) -> int:
    return Subscriber.objects.wanting(topic).count()


def of_post(post: Post) -> Mailing | None:
    """The mailing that has told of the post."""
    return Mailing.objects.filter(topic=Topic.NEWS, key=f"post:{post.pk}").first()


@transaction.atomic
def tell_of_post(post: Post, at: datetime, by: Actor) -> Mailing:
    """Send the post to everybody who wants news, once. Raise ValidationError."""
    if not is_configured():
        raise ValidationError(_("No mail server is set: letters cannot leave."))
    if post.published_at is None or post.published_at > at:
        raise ValidationError(_("Nobody can read this post yet: publish it first."))
    mailing = Mailing(topic=Topic.NEWS, key=f"post:{post.pk}", post=post, made_at=at, expires_at=at + _KEPT)
    made = _make(mailing)
    if made.pk is None:
        raise ValidationError(_("This post was sent already."))
    audit.record(by, "mail post", post, after={"recipients": made.recipients})
    return made


# Sending


def send() -> int:
    """Send a batch of what is due, no faster than the site may; return how many letters were taken up."""
    at = clock.now_at_database()
    _settle(at)
    if not is_configured() or not Letter.objects.due(at).exists():
        return 0
    try:
        server = get_connection()
        server.open()
    except (OSError, smtplib.SMTPException) as error:  # nothing is claimed: all of it waits
        log.warning("The mail server does not answer (%s).", type(error).__name__)
        return 0
    taken = 0
    try:
        while taken < MOST_A_RUN and (letter := _claim()):
            taken += 1
            if not _send(letter, server):
                break
    finally:
        server.close()
    return taken


def _settle(at: datetime) -> None:
    """Close what is over: letters cut off, letters too late to matter, old ones."""
    QUEUE.lapsed(at).filter(state=Letter.State.SENDING).update(state=Letter.State.DOUBTFUL, answer="cut off")
    Letter.objects.waiting().filter(mailing__expires_at__lte=at).update(state=Letter.State.EXPIRED)
    Letter.objects.filter(mailing__made_at__lt=at - _KEPT).exclude(state=Letter.State.WAITING).delete()
    _forget_unconfirmed(at)


def _claim() -> Letter | None:
    """Take one letter that nobody else has, unless as many as may leave in a minute have left."""
    at = clock.now_at_database()
    if Letter.objects.filter(claimed_at__gt=at - timedelta(minutes=1)).count() >= settings.MAIL_PER_MINUTE:
        return None
    due = Letter.objects.due(at).order_by("-is_urgent", "next_try_at", "pk")
    return QUEUE.claim(due, state=Letter.State.SENDING, claimed_at=at)


def _send(letter: Letter, server: BaseEmailBackend) -> bool:
    """Hand the letter over and note the answer; return whether the server goes on taking letters."""
    try:
        message = _message(letter, clock.now())
        if message is None:
            _note(letter, Letter.State.EXPIRED, "nothing to tell")
            return True
        message.connection = server
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _words in error.recipients.values()]
        _refused(letter, max(codes, default=550))
        return True
    except smtplib.SMTPDataError as error:
        if error.smtp_code < 500:
            _put_off(letter, error.smtp_code)
        else:
            _note(letter, Letter.State.FAILED, str(error.smtp_code))
        return True
    except smtplib.SMTPResponseException as error:  # it does not take letters from us now: nobody's address is at fault
        _put_off(letter, error.smtp_code)
        return False
    except (OSError, smtplib.SMTPException) as error:  # cut off: it may have arrived
        _note(letter, Letter.State.DOUBTFUL, type(error).__name__)
        return False
    except UnicodeError:  # no server can take such an address
        _fail(letter, "unsendable")
        return True
    except ValueError as error:  # a bad header: it never left, and nobody's address is at fault
        log.warning("Letter %s cannot be sent (%s).", letter.pk, type(error).__name__)
        _note(letter, Letter.State.FAILED, "unsendable")
        return True
    _note(letter, Letter.State.SENT, "")
    Subscriber.objects.filter(pk=letter.subscriber_id, failures__gt=0).update(failures=0)
    return True


def _note(letter: Letter, state: str, answer: str) -> None:
    """Say what became of a letter, also of one that was thought to be cut off meanwhile."""
    QUEUE.close(letter, state=state, answer=answer[:40], sent_at=clock.now() if state == Letter.State.SENT else None)


def _refused(letter: Letter, code: int) -> None:
    """The address is refused for good, or for now."""
    if code < 500:
        _put_off(letter, code)
    else:
        _fail(letter, str(code))


def _fail(letter: Letter, answer: str) -> None:
    """Give the letter up, which counts against its address: after several in a row the address rests."""
    _note(letter, Letter.State.FAILED, answer)
    Subscriber.objects.filter(pk=letter.subscriber_id).update(failures=F("failures") + 1)
    most = max(settings.MAIL_MOST_REFUSALS, 1)
    worn_out = Subscriber.objects.filter(pk=letter.subscriber_id, failures__gte=most, stopped_at=None)
    worn_out.update(stopped_at=clock.now())


def _put_off(letter: Letter, code: int) -> None:
    if letter.attempts > len(PAUSES):
        _note(letter, Letter.State.FAILED, str(code))
        return
    next_try_at = clock.now_at_database() + PAUSES[letter.attempts - 1]
    QUEUE.close(letter, state=Letter.State.WAITING, next_try_at=next_try_at, answer=str(code))


# What a letter says


def _message(letter: Letter, at: datetime) -> EmailMessage | None:
    """The letter in its reader's language, of nothing that a stranger may not see now; None: nothing to tell."""
    mailing, subscriber = letter.mailing, letter.subscriber
    with override(subscriber.language):
        if mailing.topic == CONFIRMING:
            subject, text = _confirming(subscriber)
            links = ""
        else:
            found = _of_post(mailing.post, at) if mailing.post else _of_round(mailing, at)
            if found is None:
                return None
            subject, text = found
            links = _footer(subscriber, mailing)
        end_url = _full("mail-end", token(subscriber, "end"))
    subject = " ".join(subject.split())  # a header is one line
    host = urlsplit(settings.SITE_URL).hostname
    headers = {
        "List-Unsubscribe": f"<{end_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": f"Leitai <letters.{host}>",
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<letter-{letter.pk}-{subscriber.key[:8]}@{host}>",
    }
    return EmailMessage(subject, f"{text}{links}\n", settings.DEFAULT_FROM_EMAIL, [subscriber.email], headers=headers)


def sample(post: Post, at: datetime) -> str:
    """What the letter about a post says, but for its last lines, for the organiser to look at."""
    found = _of_post(post, at)
    return "\n\n".join(found) if found else ""


def _confirming(subscriber: Subscriber) -> tuple[str, str]:
    if subscriber.confirmed_at is not None and subscriber.stopped_at is None:
        words = _(
            "Somebody, most likely you, asked for letters to this address. It gets them already; what it gets can be "
            "changed or ended here:\n\n%(url)s"
        )
        url = _full("mail-settings", token(subscriber, "settings"))
        return _("Leitai: you get letters already"), words % {"url": url}
    words = _(
        "Somebody, most likely you, asked for letters about the Sokoban contest to this address.\n\nOpen this address "
        "and press the button there if you want them:\n\n%(url)s\n\nIt works for %(days)s days. If you did not ask, do "
        "nothing: the address is forgotten then."
    )
    url = _full("mail-confirm", token(subscriber, "confirm"))
    return _("Leitai: do you want letters?"), words % {"url": url, "days": DAYS_TO_CONFIRM}


def _of_round(mailing: Mailing, at: datetime) -> tuple[str, str] | None:
    if mailing.round is None or mailing.round.cancelled_at:
        return None
    subjects = {
        Topic.OPENING: _("%(round)s has opened"),
        Topic.CLOSING: _("%(round)s closes in 24 hours"),
        Topic.RESULTS: _("The results of %(round)s are final"),
    }
    subject = subjects[Topic(mailing.topic)] % {"round": mailing.round}
    return f"Leitai: {subject}", announcing.plain(mailing.round, at, site=settings.SITE_URL)


def _of_post(post: Post, at: datetime) -> tuple[str, str] | None:
    if post.published_at is None or post.published_at > at:
        return None
    title, text = announcing.plain_post(post, site=settings.SITE_URL)
    return f"Leitai: {title}", text


def _footer(subscriber: Subscriber, mailing: Mailing) -> str:
    words = _(
        "You get this letter because you asked for “%(topic)s” at %(site)s.\nOther letters, or another language: "
        "%(settings)s\nNo more letters: %(end)s"
    )
    values = {
        "topic": Topic(mailing.topic).label,
        "site": settings.SITE_URL,
        "settings": _full("mail-settings", token(subscriber, "settings")),
        "end": _full("mail-end", token(subscriber, "end")),
    }
    return "\n\n-- \n" + words % values


def _full(name: str, *args: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


# How it goes


@dataclass(frozen=True)
class Condition:
    """How letters stand: how many wait, whether they wait too long, what became of those of the last day.

    *resting* addresses have refused so many that they get no more.
    """

    waiting: int
    is_late: bool
    failed: int
    doubtful: int
    resting: int

    @property
    def is_well(self) -> bool:
        return not self.is_late and not self.failed and not self.doubtful


def condition(at: datetime) -> Condition:
    """Late is what has been due for longer than the throttle explains."""
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
