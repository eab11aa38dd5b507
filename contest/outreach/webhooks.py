"""Tell programs of what happens: collect events into the outbox, deliver them signed, try again (docs/api.md).

The outbox has one row for each event and webhook (unique), so collecting twice writes nothing twice. The rows are a
queue (`infra.job_queue`), claimed one by one, so that a slow receiver uses up no lease but its own. Delivery is at
least once, for a worker may be killed behind the answer; a receiver tells repeated ones by the header Leitai-Delivery.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest import visibility
from contest.infra import clock, outbound_http
from contest.infra.job_queue import Queue
from contest.models import Delivery, Level, Metric, Player, Round, Snapshot, Webhook
from contest.rankings import standings
from contest.visibility import Viewer

MOST_PER_PLAYER = 5
# How long after the first, second ... failed try the next one comes; then it is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440))
LEASE = timedelta(minutes=2)  # many times what a request may take (outbound_http.SECONDS)
_KEPT = timedelta(days=30)
_RECENT = timedelta(days=2)
_SILENT = timedelta(days=3)
NOBODY = Viewer()
QUEUE = Queue(
    Delivery,
    open=models.Q(delivered_at=None, next_try_at__isnull=False),
    lease=LEASE,
    most_attempts=len(PAUSES) + 1,
    given_up={"next_try_at": None},
)


class Event(models.TextChoices):
    ROUND_OPENED = "round_opened", gettext_lazy("a round has opened")
    ROUND_CLOSED = "round_closed", gettext_lazy("a round has closed and is revealed")
    RESULTS = "results", gettext_lazy("results are final or revised")
    NEW_BEST = "new_best", gettext_lazy("somebody leads a ranking")


@dataclass(frozen=True)
class Happened:
    """An event: what, about what (told once for each), since when, and what is said of it: public things only."""

    event: Event
    key: str
    at: datetime
    body: dict[str, Any]


def make(player: Player, url: str, events: Iterable[str], at: datetime) -> Webhook:
    """Subscribe *url*. Raise ValidationError where the address cannot be told anything."""
    schemes = ["https"] if not settings.WEBHOOKS_MAY_STAY_INSIDE else ["https", "http"]
    URLValidator(schemes, message=_("Give an https address."))(url)
    chosen = [event for event in Event.values if event in set(events)]
    if not chosen:
        raise ValidationError(_("Choose at least one event."))
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if player.webhooks.count() >= MOST_PER_PLAYER:
            raise ValidationError(_("A player has up to %(most)s webhooks.") % {"most": MOST_PER_PLAYER})
        return Webhook.objects.create(
            player=player, url=url, secret=secrets.token_urlsafe(32), events=chosen, created_at=at
        )


# Collecting


def collect(at: datetime) -> int:
    """Write what happened lately into the outbox of everybody who wants to know; return how many rows are new."""
    hooks = list(Webhook.objects.filter(disabled_at=None))
    if not hooks:
        return 0
    happened = list(_events(at))
    before = Delivery.objects.count()
    Delivery.objects.bulk_create(
        [
            Delivery(webhook=hook, event=event.event, key=event.key, body=event.body, created_at=at, next_try_at=at)
            for hook in hooks
            for event in happened
            if event.event in hook.events and event.at >= hook.created_at
        ],
        ignore_conflicts=True,
    )
    return Delivery.objects.count() - before


def _events(at: datetime) -> Iterator[Happened]:
    since = at - _RECENT
    for round_ in visibility.opened_rounds(NOBODY, at).filter(opens_at__gte=since):
        yield Happened(Event.ROUND_OPENED, f"{round_.number}", round_.opens_at, _round(round_))
    for round_ in Round.objects.revealed(at).filter(closes_at__gte=since - timedelta(days=1)):
        yield Happened(Event.ROUND_CLOSED, f"{round_.number}", round_.reveals_at, _round(round_))
    for snapshot in visibility.snapshots(NOBODY, at).filter(made_at__gte=since).select_related("round"):
        yield _results(snapshot)
    for level in visibility.levels(NOBODY, at).filter(round__in=Round.objects.open(at), voided_at=None):
        yield from _leaders(level)


def _round(round_: Round) -> dict[str, Any]:
    return {"round": round_.number, "url": _full(round_.get_absolute_url())}


def _results(snapshot: Snapshot) -> Happened:
    body = {**_round(snapshot.round), "revision": snapshot.revision, "sha256": snapshot.sha256}
    return Happened(Event.RESULTS, f"{snapshot.round.number}:{snapshot.revision}", snapshot.made_at, body)


def _leaders(level: Level) -> Iterator[Happened]:
    """Who leads the round's own rankings now (rule 16.4); a lead that lasted less than a look is not told."""
    for metric in Metric:
        best = standings.best_rows(level, metric).select_related("player").first()
        if best:
            body = {
                "round": level.round.number,
                "slot": level.slot,
                "by": metric.value,
                "moves": best.moves,
                "pushes": best.pushes,
                "player": {"number": best.player_id, "name": best.player.nickname},
                "url": _full(level.get_absolute_url()),
            }
            key = f"{level.round.number}:{level.slot}:{metric}:{best.submission_id}"
            yield Happened(Event.NEW_BEST, key, best.received_at, body)


def _full(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


# Delivering


def deliver(most: int = 20) -> int:
    """Send up to *most* deliveries that are due, all at once; return how many were taken."""
    claimed = list(islice(iter(_claim, None), most))
    letters = [_letter(delivery) for delivery in claimed]  # no question to the database while they are under way
    answers = outbound_http.post_all(letters) if letters else []
    for delivery, answer in zip(claimed, answers, strict=True):
        _note(delivery, answer)
    Delivery.objects.filter(created_at__lt=clock.now() - _KEPT).delete()
    return sum(answer.is_taken for answer in answers)


def again(delivery: Delivery, at: datetime) -> None:
    """Send a delivery once more, at the receiver's wish."""
    Delivery.objects.filter(pk=delivery.pk).update(
        next_try_at=at, delivered_at=None, attempts=0, claim_token=None, lease_until=None
    )


def _claim() -> Delivery | None:
    at = clock.now_at_database()
    due = Delivery.objects.filter(next_try_at__lte=at, webhook__disabled_at=None).order_by("next_try_at", "pk")
    return QUEUE.claim(due)


def _letter(delivery: Delivery) -> outbound_http.Letter:
    body = json.dumps({"event": delivery.event, "id": delivery.pk, **delivery.body}, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Leitai-Webhook",
        "Leitai-Event": delivery.event,
        "Leitai-Delivery": str(delivery.pk),
        "Leitai-Signature": signature(delivery.webhook.secret, body, clock.now_at_database()),
    }
    return outbound_http.Letter(delivery.webhook.url, body, headers)


def _note(delivery: Delivery, answer: outbound_http.Answer) -> None:
    at = clock.now_at_database()
    is_last = delivery.attempts > len(PAUSES)
    QUEUE.close(
        delivery,
        last_answer=answer.words[:200],
        delivered_at=at if answer.is_taken else None,
        next_try_at=None if answer.is_taken or is_last else at + PAUSES[delivery.attempts - 1],
    )
    if is_last and not answer.is_taken:
        _disable_if_silent(delivery.webhook, at)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """What the header Leitai-Signature says: when it was signed, and an HMAC-SHA256 of "time.body".

    A receiver computes the same from its secret, compares in constant time, and refuses a time that is minutes old.
    """
    signed_at = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={signed_at},v1={digest}"


def _disable_if_silent(hook: Webhook, at: datetime) -> None:
    """A receiver that took nothing for days is told nothing more, until its owner makes it anew."""
    if not hook.deliveries.filter(delivered_at__gte=at - _SILENT).exists():
        Webhook.objects.filter(pk=hook.pk).update(disabled_at=at)
