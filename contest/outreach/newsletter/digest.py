"""Mailings: one for each event worth an email, with a letter for each current subscriber."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Letter, Mailing, Post, Round, Subscriber, Topic
from contest.outreach.newsletter import own_news
from contest.outreach.newsletter.subscriptions import is_configured
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

REMIND_BEFORE = timedelta(hours=24)
KEPT = timedelta(days=30)
_FRESH = timedelta(hours=12)
_NOBODY = Viewer()


@dataclass(frozen=True)
class DigestItem:
    """Subject of a mailing: its topic, its round if any, and until when it matters."""

    topic: Topic
    key: str
    round: Round | None
    until: datetime


def create_mailings(at: datetime) -> int:
    """Create letters about recent events; return how many. Idempotent: each event is mailed once."""
    if not is_configured():
        return 0
    return sum(_create_mailing(item, at) for item in _happenings(at))


def _happenings(at: datetime) -> Iterator[DigestItem]:
    for round_ in Round.objects.open(at):
        if round_.opens_at > at - _FRESH:
            yield DigestItem(Topic.OPENING, f"{round_.number}", round_, round_.closes_at)
        if at < round_.closes_at <= at + REMIND_BEFORE and round_.opens_at < at - _FRESH:
            # An extended round gets a new reminder: its close has changed.
            yield DigestItem(Topic.CLOSING, f"{round_.number}:{round_.closes_at:%Y%m%d%H%M}", round_, round_.closes_at)
    for snapshot in visibility.snapshots(_NOBODY, at).filter(made_at__gt=at - _FRESH).select_related("round"):
        key = f"{snapshot.round.number}:{snapshot.revision}"
        yield DigestItem(Topic.RESULTS, key, snapshot.round, snapshot.made_at + timedelta(days=7))
    yield DigestItem(Topic.BELL, f"{at:%Y-%m-%d}", None, at + timedelta(days=1))


def _create_mailing(item: DigestItem, at: datetime) -> int:
    if Mailing.objects.filter(topic=item.topic, key=item.key).exists():
        return 0
    return _save_mailing(
        Mailing(topic=item.topic, key=item.key, round=item.round, made_at=at, expires_at=item.until)
    ).recipients


@transaction.atomic
def _save_mailing(mailing: Mailing) -> Mailing:
    """Save the mailing with a letter for each current subscriber; later subscribers do not get it."""
    try:
        with transaction.atomic():
            mailing.save()
    except IntegrityError:  # another worker has just created it
        return Mailing(recipients=0)
    wanting: QuerySet[Subscriber] = Subscriber.objects.wanting(mailing.topic).order_by("pk")
    if mailing.topic == Topic.BELL:
        wanting = own_news.with_an_account(wanting)
    letters = [Letter(mailing=mailing, subscriber=subscriber, next_try_at=mailing.made_at) for subscriber in wanting]
    Letter.objects.bulk_create(letters, batch_size=500)
    mailing.recipients = len(letters)
    mailing.save(update_fields=["recipients"])
    return mailing


def count_recipients(topic: str) -> int:
    return Subscriber.objects.wanting(topic).count()


def find_mailing(post: Post) -> Mailing | None:
    """Return the mailing about the post, if any."""
    return Mailing.objects.filter(topic=Topic.NEWS, key=f"post:{post.pk}").first()


@transaction.atomic
def mail_post(post: Post, at: datetime, by: Actor) -> Mailing:
    """Mail the post to all subscribers of news, once. Raise ValidationError."""
    if not is_configured():
        raise ValidationError(_("No mail server is set up: email cannot be sent."))
    if post.published_at is None or post.published_at > at:
        raise ValidationError(_("Nobody can read this post yet: publish it first."))
    mailing = Mailing(topic=Topic.NEWS, key=f"post:{post.pk}", post=post, made_at=at, expires_at=at + KEPT)
    saved = _save_mailing(mailing)
    if saved.pk is None:
        raise ValidationError(_("This post was sent already."))
    audit_log.record(by, "mail post", post, after={"recipients": saved.recipients})
    return saved
