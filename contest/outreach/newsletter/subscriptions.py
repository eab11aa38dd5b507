"""Who wants letters: asked for, confirmed by the owner of the address, changed, ended with one press."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction

from contest.models import CONFIRMING, Letter, Mailing, Subscriber, Topic
from contest.players.email_addresses import canonical, canonical_or_none

# How long an address has to be confirmed, how often and how soon it may be asked, and how many in all in an hour.
DAYS_TO_CONFIRM = 3
MOST_ASKED = 3
ASK_AGAIN_AFTER = timedelta(hours=1)
MOST_ASKED_AN_HOUR = 200
_SALT = "contest.mailing"
_UNSENDABLE = ("console.EmailBackend", "dummy.EmailBackend")


class TooMany(Exception):
    """So many addresses were asked lately that somebody may be using the site to annoy people."""


def is_configured() -> bool:
    """Whether letters can leave: by a mail server, and with links that lead here."""
    return bool(settings.SITE_URL) and not settings.EMAIL_BACKEND.endswith(_UNSENDABLE)


@transaction.atomic
def ask(email: str, topics: Iterable[str], language: str, at: datetime, *, is_proved: bool = False) -> None:
    """Note that *email* wants letters; a letter asks its owner, unless it *is_proved*. Raise TooMany.

    Whoever asks learns nothing of whether the address is known; what a known one gets changes only by its owner.
    """
    email = canonical(email)
    wanted = _wishes(topics, language)
    forget_unconfirmed(at)
    # Before the address is looked up: a refusal must not tell whether it is known.
    if not is_proved and Subscriber.objects.filter(asked_at__gt=at - ASK_AGAIN_AFTER).count() >= MOST_ASKED_AN_HOUR:
        raise TooMany
    subscriber = Subscriber.objects.select_for_update().filter(email=email).first()
    if subscriber is None:
        subscriber = _create(email, wanted, at)
    elif is_proved or subscriber.confirmed_at is None:
        Subscriber.objects.filter(pk=subscriber.pk).update(**wanted)
    if is_proved:
        Subscriber.objects.filter(pk=subscriber.pk).update(confirmed_at=at, failures=0, stopped_at=None, asked=0)
    else:
        _ask_owner(subscriber, at)


def _create(email: str, wanted: dict[str, Any], at: datetime) -> Subscriber:
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


def forget_unconfirmed(at: datetime) -> None:
    Subscriber.objects.filter(confirmed_at=None, asked_at__lt=at - timedelta(days=DAYS_TO_CONFIRM)).delete()


def confirm(subscriber: Subscriber, at: datetime) -> None:
    """The owner of the address wants letters."""
    Subscriber.objects.filter(pk=subscriber.pk).update(confirmed_at=at, asked=0, failures=0, stopped_at=None)


def change(subscriber: Subscriber, topics: Iterable[str], language: str) -> None:
    Subscriber.objects.filter(pk=subscriber.pk).update(**_wishes(topics, language))


def end(subscriber: Subscriber) -> None:
    """Forget the address, and what was to be sent to it."""
    subscriber.delete()


def _wishes(topics: Iterable[str], language: str) -> dict[str, Any]:
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
