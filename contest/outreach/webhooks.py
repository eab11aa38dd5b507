"""Webhooks: collect events into the outbox, deliver them signed, retry (docs/reference/api.md).

Events come from the feed (`events`). The outbox has one row for each event and webhook (unique).
The rows are a job queue (`infra.job_queue`), claimed one by one, so that a slow receiver uses up only its own lease.
Delivery is at least once, as a worker may be killed after the answer; receivers deduplicate by Webhook-Id.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models, transaction
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from contest.infra import clock, identity, outbound_http
from contest.infra.job_queue import Queue
from contest.judging import receipt_chain
from contest.models import Delivery, Event, Player, Webhook
from contest.outreach import events
from contest.players.acts import lock

MOST_PER_PLAYER = 5
SENT_AGAIN = timedelta(minutes=1)  # a double click, or a page that is loaded again
SHOWN = 50  # deliveries, on the owner's page
_LONGEST_URL = 500
# Delays before each retry; after the last the delivery is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440))
LEASE = timedelta(minutes=2)  # many times the longest request (outbound_http.SECONDS)
_KEPT = timedelta(days=30)
_SILENT = timedelta(days=3)
_PREFIX = "whsec_"
_MOST_TESTS, TESTS_IN = 5, timedelta(minutes=1)
# A call that takes longer than this delays the other deliveries of its webhook by ten times as long: a slow receiver
# gets a tenth of one of the calls that run at once.
_SLOW_SECONDS, _SLOW_FACTOR = 1.0, 10
# Counted against the bytes a day of the network that creates a webhook (rule 5.9): deliveries are stored for 30 days.
STORED_BYTES = 4_194_304
QUEUE = Queue(
    Delivery,
    open=models.Q(delivered_at=None, next_try_at__isnull=False),
    lease=LEASE,
    most_attempts=len(PAUSES) + 1,
    given_up={"next_try_at": None},
)


class Kind(models.TextChoices):
    """Kinds of events that can be subscribed to: those of the feed (`events`)."""

    ANNOUNCED = Event.Kind.ANNOUNCED, gettext_lazy("a round is announced")
    OPENED = Event.Kind.OPENED, gettext_lazy("a round has opened")
    CLOSED = Event.Kind.CLOSED, gettext_lazy("a round has closed")
    REVEALED = Event.Kind.REVEALED, gettext_lazy("a round is revealed")
    FINAL = Event.Kind.FINAL, gettext_lazy("results are final")
    REVISED = Event.Kind.REVISED, gettext_lazy("results are revised")
    CANCELLED = Event.Kind.CANCELLED, gettext_lazy("a round is cancelled")
    POSTPONED = Event.Kind.POSTPONED, gettext_lazy("a round opens or closes later")
    VOID = Event.Kind.VOID, gettext_lazy("a submission or a level becomes void, or a submission counts again")
    REJUDGED = Event.Kind.REJUDGED, gettext_lazy("an accepted submission gets another verdict")
    NOTE = Event.Kind.NOTE, gettext_lazy("the organisers add a note to a round")
    ACCEPTED = Event.Kind.ACCEPTED, gettext_lazy("a submission is accepted")
    BEST = Event.Kind.BEST, gettext_lazy("somebody leads a ranking")
    POST = Event.Kind.POST, gettext_lazy("a post is published")
    MACHINE = Event.Kind.MACHINE, gettext_lazy("the machine has tried a level")


TEST = "test"  # sent by the test button on the page


def create_webhook(player: Player, url: str, kinds: Iterable[str], at: datetime) -> Webhook:
    """Subscribe *url*, once if it is sent twice; deliveries link to pages in the active language.

    Raise ValidationError if the URL, the events or the number of webhooks is not allowed.
    Its code is invalid (the URL), no_events or too_many.
    """
    schemes = ["https"] if not settings.WEBHOOKS_MAY_STAY_INSIDE else ["https", "http"]
    URLValidator(schemes, message=_("Enter an https URL."))(url)
    if len(url) > _LONGEST_URL:
        raise ValidationError(_("This has %(most)d characters at most.") % {"most": _LONGEST_URL}, "invalid")
    chosen = [kind for kind in Kind.values if kind in set(kinds)]
    if not chosen:
        raise ValidationError(_("Choose at least one event."), "no_events")
    events.record_events(at)
    with transaction.atomic():
        lock(player)
        same = player.webhooks.filter(url=url, disabled_at=None, created_at__gt=at - SENT_AGAIN)
        if twin := next((hook for hook in same if hook.events == chosen), None):
            return twin
        if player.webhooks.count() >= MOST_PER_PLAYER:
            raise ValidationError(_("A player has up to %(most)s webhooks.") % {"most": MOST_PER_PLAYER}, "too_many")
        return Webhook.objects.create(
            player=player,
            url=url,
            secret=_new_secret(),
            language=get_language() or identity.language(),
            events=chosen,
            created_at=at,
            told=events.last_number(),
        )


def _new_secret() -> str:
    """Return a secret in the format of Standard Webhooks: at least 24 random bytes."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


# Collecting


def collect(at: datetime) -> int:
    """Write new events of the feed into the outbox of each webhook that subscribes to them; return how many.

    Each webhook stores the last event it was served, so that no event is missed or repeated, however rarely
    this runs.
    """
    hooks = list(Webhook.objects.filter(disabled_at=None))
    return sum(_collect_for(hook, at) for hook in hooks) if hooks and events.record_events(at) >= 0 else 0


def _collect_for(hook: Webhook, at: datetime) -> int:
    with transaction.atomic(), override(hook.language):
        hook = Webhook.objects.select_for_update(of=("self",)).get(pk=hook.pk)
        new_events = events.read_events(hook.told, at)
        chain = _newest_link() if new_events else {}
        rows = [
            Delivery(
                webhook=hook, event=event.kind, key=str(event.number), body=_event_data(event) | chain, created_at=at
            )
            for event in new_events
            if event.kind in hook.events and event.at >= hook.created_at
        ]
        for row in rows:
            row.next_try_at = at
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)
        if new_events:
            Webhook.objects.filter(pk=hook.pk).update(told=new_events[-1].number)
    return len(rows)


def _newest_link() -> dict[str, Any]:
    """Return the newest link of the receipt chain: recipients of events thereby hold a copy of it (rule 24.2)."""
    link = receipt_chain.newest()
    return {"chain": {"number": link.number, "link": link.link}} if link else {}


def _event_data(event: Event) -> dict[str, Any]:
    """Return the payload of an event: ids and URLs only; other data is read there, after renames and erasure."""
    about = event.post or (event.submission and event.submission.level) or event.round
    about_level = event.submission or event.search
    level = about_level.level if about_level else None
    noted = event.note.values.get("slot") if event.note else None
    facts = {
        "number": event.number,
        "at": format_time(event.at),
        "round": event.round.number if event.round else None,
        "slot": level.slot if level else noted,
        "submission": event.submission.number if event.submission else None,
        "by": event.by or None,
        "revision": event.revision,
        "url": _full_url(about.get_absolute_url()) if about else None,
        "event": _full_url(f"/api/v1/events/?after={(event.number or 1) - 1}&limit=1"),
    }
    return {name: value for name, value in facts.items() if value is not None}


def format_time(at: datetime) -> str:
    """Return *at* in UTC with microseconds, the API's format."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _full_url(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


# Delivering


def deliver(most: int = 20) -> int:
    """Send up to *most* due deliveries, all at once; return how many were accepted. Webhooks take turns."""
    claimed: list[Delivery] = []
    while len(claimed) < most and (delivery := _claim_delivery(claimed)):
        claimed.append(delivery)
    letters = [
        _build_request(delivery) for delivery in claimed
    ]  # before sending: no queries while requests are under way
    answers = outbound_http.post_all(letters) if letters else []
    for delivery, answer in zip(claimed, answers, strict=True):
        _record_answer(delivery, answer)
    Delivery.objects.filter(created_at__lt=clock.now() - _KEPT).delete()
    return sum(answer.is_taken for answer in answers)


def retry_delivery(delivery: Delivery, at: datetime) -> None:
    """Send a delivery again, at the receiver's request."""
    Delivery.objects.filter(pk=delivery.pk).update(
        next_try_at=at, delivered_at=None, attempts=0, claim_token=None, lease_until=None
    )


@transaction.atomic
def send_test(hook: Webhook, at: datetime) -> Delivery | None:
    """Queue a test delivery, so that the owner sees whether it arrives; return None if too many were sent."""
    hook = Webhook.objects.select_for_update(no_key=True, of=("self",)).get(pk=hook.pk)
    if hook.deliveries.filter(event=TEST, created_at__gt=at - TESTS_IN).count() >= _MOST_TESTS:
        return None
    body = {"at": format_time(at), "url": _full_url("/")}
    return Delivery.objects.create(
        webhook=hook, event=TEST, key=secrets.token_hex(8), body=body, created_at=at, next_try_at=at
    )


def _claim_delivery(claimed: Iterable[Delivery]) -> Delivery | None:
    """Claim the delivery that has been due longest, of a webhook with none in *claimed* if there is one."""
    at = clock.now_at_database()
    due = Delivery.objects.filter(next_try_at__lte=at, webhook__disabled_at=None).order_by("next_try_at", "pk")
    return QUEUE.claim(due.exclude(webhook__in={delivery.webhook_id for delivery in claimed})) or QUEUE.claim(due)


def _build_request(delivery: Delivery) -> outbound_http.OutboundRequest:
    payload = {"type": delivery.event, "timestamp": delivery.body.get("at"), "data": delivery.body}
    body = json.dumps(payload, ensure_ascii=False).encode()
    at, secret = clock.now_at_database(), delivery.webhook.secret
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Leitai-Webhook",
        "Webhook-Id": f"delivery_{delivery.pk}",
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": standard_signature(secret, f"delivery_{delivery.pk}", body, at),
        "Leitai-Event": delivery.event,
        "Leitai-Delivery": str(delivery.pk),
        "Leitai-Signature": signature(secret, body, at),
    }
    return outbound_http.OutboundRequest(delivery.webhook.url, body, headers)


def _record_answer(delivery: Delivery, answer: outbound_http.Answer) -> None:
    at = clock.now_at_database()
    is_last = delivery.attempts > len(PAUSES)
    QUEUE.close(
        delivery,
        last_answer=answer.description[:200],
        delivered_at=at if answer.is_taken else None,
        next_try_at=None if answer.is_taken or is_last else at + PAUSES[delivery.attempts - 1],
    )
    if is_last and not answer.is_taken:
        _disable_if_silent(delivery.webhook, at)
    if answer.seconds > _SLOW_SECONDS:
        until = at + timedelta(seconds=_SLOW_FACTOR * answer.seconds)
        delivery.webhook.deliveries.filter(delivered_at=None, next_try_at__lt=until).update(next_try_at=until)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Return the header Leitai-Signature: the time of signing, and an HMAC-SHA256 of "time.body".

    A receiver computes the same from its secret, compares in constant time, and refuses a time that is minutes old.
    """
    signed_at = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={signed_at},v1={digest}"


def standard_signature(secret: str, message_id: str, body: bytes, at: datetime) -> str:
    """Return the Standard Webhooks 1.0 signature: base64 HMAC-SHA256 of "id.time.body" with the bytes after whsec_."""
    key = base64.b64decode(secret.removeprefix(_PREFIX)) if secret.startswith(_PREFIX) else secret.encode()
    signed = f"{message_id}.{int(at.timestamp())}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _disable_if_silent(hook: Webhook, at: datetime) -> None:
    """Disable a webhook that accepted nothing for days; its owner must create it again."""
    if not hook.deliveries.filter(delivered_at__gte=at - _SILENT).exists():
        Webhook.objects.filter(pk=hook.pk).update(disabled_at=at)
