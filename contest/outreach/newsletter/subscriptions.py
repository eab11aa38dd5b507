"""Email subscriptions: requested, confirmed by the owner of the address, changed, ended with one click."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction

from contest.infra import rate_limits
from contest.models import CONFIRMING, Letter, Mailing, Subscriber, Topic
from contest.players.email_addresses import canonical, canonical_or_none

# Days until a confirmation link expires, its number and interval per address, and the limits per hour.
DAYS_TO_CONFIRM = 3
MOST_ASKED = 3
ASK_AGAIN_AFTER = timedelta(hours=1)
MOST_ASKED_AN_HOUR, MOST_OF_NETWORK = 200, 20
_SALT = "contest.mailing"
_UNSENDABLE = ("console.EmailBackend", "dummy.EmailBackend")


class TooMany(Exception):
    """So many addresses were entered lately that somebody may be using the site to annoy people."""


def is_configured() -> bool:
    """Return whether letters can be sent: there is a mail server and a site URL for their links."""
    return bool(settings.SITE_URL) and not settings.EMAIL_BACKEND.endswith(_UNSENDABLE)


@transaction.atomic
def subscribe(
    email: str, topics: Iterable[str], language: str, at: datetime, *, is_proved: bool = False, address: str = ""
) -> None:
    """Request letters for *email* and ask its owner to confirm by letter, unless it *is_proved*. Raise TooMany.

    *address* is that of the client: its network has a share of the limit, and one that asked for none may always ask.

    The response does not reveal whether the address is known; only its owner can change the settings of a known one.
    """
    email = canonical(email)
    wanted = _topic_fields(topics, language)
    forget_unconfirmed(at)
    # Before looking up the address: a refusal must not reveal whether it is known.
    recent, network = Subscriber.objects.filter(asked_at__gt=at - ASK_AGAIN_AFTER), rate_limits.wide_network_of(address)
    limits = {"most": MOST_ASKED_AN_HOUR, "most_of_network": MOST_OF_NETWORK}
    if not is_proved and not rate_limits.has_room(recent, network, **limits):
        raise TooMany
    subscriber = Subscriber.objects.select_for_update().filter(email=email).first()
    if subscriber is None:
        subscriber = _create(email, wanted, at)
    elif is_proved or subscriber.confirmed_at is None:
        Subscriber.objects.filter(pk=subscriber.pk).update(**wanted)
    if is_proved:
        confirm(subscriber, at)
    else:
        _request_confirmation(subscriber, network, at)


def _create(email: str, wanted: dict[str, Any], at: datetime) -> Subscriber:
    try:
        with transaction.atomic():
            return Subscriber.objects.create(email=email, key=secrets.token_hex(16), asked_at=at, **wanted)
    except IntegrityError:  # requested twice at the same moment
        return Subscriber.objects.get(email=email)


def _request_confirmation(subscriber: Subscriber, network: str, at: datetime) -> None:
    requests = subscriber.asked if is_confirmation_pending(subscriber, at) else 0
    if requests >= MOST_ASKED or (requests and at < subscriber.asked_at + ASK_AGAIN_AFTER):
        return
    Subscriber.objects.filter(pk=subscriber.pk).update(asked=requests + 1, asked_at=at, network=network)
    expires_at = at + timedelta(days=DAYS_TO_CONFIRM)
    mailing = Mailing.objects.create(
        topic=CONFIRMING, key=secrets.token_hex(16), made_at=at, expires_at=expires_at, recipients=1
    )
    Letter.objects.create(mailing=mailing, subscriber=subscriber, next_try_at=at, is_urgent=True)


def forget_unconfirmed(at: datetime) -> None:
    Subscriber.objects.filter(confirmed_at=None, asked_at__lt=at - timedelta(days=DAYS_TO_CONFIRM)).delete()


def confirm(subscriber: Subscriber, at: datetime) -> None:
    """Confirm that the owner of the address wants letters."""
    Subscriber.objects.filter(pk=subscriber.pk).update(
        confirmed_at=at, asked=0, failures=0, stopped_at=None, network=""
    )


def change_topics(subscriber: Subscriber, topics: Iterable[str], language: str) -> None:
    Subscriber.objects.filter(pk=subscriber.pk).update(**_topic_fields(topics, language))


def unsubscribe(subscriber: Subscriber) -> None:
    """Delete the address and its unsent letters."""
    subscriber.delete()


def _topic_fields(topics: Iterable[str], language: str) -> dict[str, Any]:
    chosen = set(topics)
    return {"language": language, **{f"wants_{topic}": topic in chosen for topic in Topic.values}}


def export(emails: Iterable[str]) -> list[dict[str, Any]]:
    """Return the stored data about letters to *emails*, for the owner of these addresses."""
    subscribers = Subscriber.objects.filter(email__in=[canonical_or_none(email) or "" for email in emails])
    return [
        {
            "email": subscriber.email,
            "topics": subscriber.topics,
            "language": subscriber.language,
            "confirmed_at": subscriber.confirmed_at,
        }
        for subscriber in subscribers
    ]


def sign_token(subscriber: Subscriber, purpose: str) -> str:
    """Return the token of a link in a letter: it works without a login, for one purpose."""
    return signing.Signer(salt=f"{_SALT}.{purpose}").sign(subscriber.key)


def find_by_token(text: str, purpose: str) -> Subscriber | None:
    """Return the token's subscriber; None if the token is invalid or the subscription was ended."""
    try:
        key = signing.Signer(salt=f"{_SALT}.{purpose}").unsign(text)
    except signing.BadSignature:
        return None
    return Subscriber.objects.filter(key=key).first()


def is_confirmation_pending(subscriber: Subscriber, at: datetime) -> bool:
    return at < subscriber.asked_at + timedelta(days=DAYS_TO_CONFIRM)
