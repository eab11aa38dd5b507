import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.core.exceptions import ValidationError

from contest import judging
from contest.infra import clock, outbound_http
from contest.judging import receipt_chain
from contest.models import Delivery, Webhook
from contest.outreach import webhooks
from tests import cast, chain

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
SOON = 0.01  # seconds until the receiver notices that it must stop


class Receiver:
    def __init__(self):
        self.requests = []
        self.status = 200
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append((self.path, dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_args):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?x=1"


@pytest.fixture
def receiver(settings, monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 60.0)  # however busy the machine is
    settings.WEBHOOKS_MAY_STAY_INSIDE = True
    server = Receiver()
    thread = Thread(target=server.server.serve_forever, args=[SOON], daemon=True)
    thread.start()
    yield server
    server.server.shutdown()
    server.server.server_close()
    thread.join()


@pytest.fixture
def hook(during_round, receiver):
    player = cast.send("Ada", "rR").submission.player
    return webhooks.create_webhook(player, receiver.url, webhooks.Kind.values, cast.OPENS - timedelta(days=1))


def deliver(at):
    with clock.set_to(at):
        return webhooks.deliver()


def _received(receiver):
    return [json.loads(body) for _path, _headers, body in receiver.requests]


def test_a_new_leader_is_delivered_once_with_a_link_to_the_feed(hook, receiver, client, settings):
    """Without names, so that a renaming or an erasure applies; with the newest link (rule 24.2)."""
    judging.judge_until_empty()
    with clock.set_to(cast.DURING):
        chain.append_all()
        assert webhooks.collect(cast.DURING) == 4
        assert webhooks.collect(cast.DURING) == 0
        assert deliver(cast.DURING) == 4
        assert deliver(cast.DURING) == 0
        data = next(entry["data"] for entry in _received(receiver) if entry["type"] == "accepted")
        event = json.loads(client.get(data["event"].removeprefix(settings.SITE_URL)).content)
    assert (event["number"], event["at"], event["round"]) == (data["number"], data["at"], data["round"])
    assert event["submission"]["number"] == data["submission"]
    newest = receipt_chain.newest()
    assert all(
        entry["data"]["chain"] == {"number": newest.number, "link": newest.link} for entry in _received(receiver)
    )
    assert not [body for _path, _headers, body in receiver.requests if b"Ada" in body]
    received = {(entry["type"], entry["data"].get("slot"), entry["data"].get("by")) for entry in _received(receiver)}
    events = {("accepted", "main", None), ("best", "main", "moves"), ("best", "main", "pushes")}
    assert received == events | {("opened", None, None)}


def test_a_worker_killed_while_it_collects_leaves_everything_to_the_next(hook):
    judging.judge_until_empty()
    results = [[hook], KeyboardInterrupt]  # the second call would record its progress
    with mock.patch.object(Webhook.objects, "filter", side_effect=results), pytest.raises(KeyboardInterrupt):
        webhooks.collect(cast.DURING)
    assert not Delivery.objects.exists()
    assert webhooks.collect(cast.DURING) == 4


def test_events_since_the_last_collection_are_delivered_with_their_times(hook, receiver):
    """Rule 2.8: an unopened round is only announced; each receiver gets the events it has chosen."""
    late = webhooks.create_webhook(hook.player, receiver.url, ["opened", "best"], cast.OPENS + timedelta(hours=1))
    judging.judge_until_empty()
    opens_at = cast.CLOSES + timedelta(days=70)
    cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    webhooks.collect(cast.CLOSES + timedelta(days=30))
    deliveries = Delivery.objects.filter(webhook=hook).order_by("pk").values_list("event", "body__round", "body__at")
    first = [(kind, 1) for kind in ("accepted", "best", "best", "closed", "opened", "revealed")]
    assert sorted((event, number) for event, number, _at in deliveries) == [
        ("accepted", 1),
        ("announced", 2),
        *first[1:],
    ]
    times = {event: at for event, _number, at in deliveries}
    assert (times["opened"], times["closed"]) == tuple(map(webhooks.format_time, (cast.OPENS, cast.CLOSES)))
    assert [row.event for row in Delivery.objects.filter(webhook=late)] == ["best", "best"]


def test_the_receiver_can_verify_signature_and_time(hook, receiver):
    """With our own header, and with the documented lines for the header of Standard Webhooks."""
    page = (ROOT / "docs/reference/api.md").read_text()
    code = page.partition("In Python alone:\n\n```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)
    names["time"] = SimpleNamespace(time=cast.OPENS.timestamp)
    webhooks.collect(cast.OPENS)
    deliver(at := cast.OPENS + timedelta(minutes=1))
    path, headers, body = receiver.requests[0]
    signed_at, digest = (part.partition("=")[2] for part in headers["Leitai-Signature"].split(","))
    assert path == "/hook?x=1"
    assert int(signed_at) == int(at.timestamp()), "signed when it is sent"
    expected = hmac.new(hook.secret.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
    assert digest == expected
    assert headers["Leitai-Delivery"] == str(Delivery.objects.get().pk)
    assert len(base64.b64decode(hook.secret.removeprefix("whsec_"))) >= 24
    assert names["is_genuine"](hook.secret, headers, body)
    assert not names["is_genuine"](hook.secret, headers, body + b" ")
    assert not names["is_genuine"](hook.secret, {**headers, "Webhook-Timestamp": "1"}, body)


def test_the_signature_matches_the_published_example():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    at = datetime.fromtimestamp(1614265330, UTC)
    computed = webhooks.standard_signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', at)
    assert computed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_failed_delivery_is_retried_after_growing_pauses(hook, receiver):
    receiver.status = 500
    webhooks.collect(cast.OPENS)
    at = cast.OPENS
    for pause in webhooks.PAUSES:
        assert deliver(at) == 0
        assert deliver(at + pause - timedelta(seconds=1)) == 0
        at += pause
    assert len(receiver.requests) == len(webhooks.PAUSES)
    deliver(at)
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.next_try_at, delivery.last_answer) == (8, None, "HTTP 500")
    assert Webhook.objects.get().disabled_at == at


def test_a_redirect_is_not_followed_and_an_accepted_delivery_is_done_until_requested_again(hook, receiver):
    webhooks.collect(cast.OPENS)
    receiver.status = 307
    assert deliver(cast.OPENS) == 0
    assert Delivery.objects.get().last_answer == "HTTP 307"
    receiver.status = 204
    assert deliver(cast.OPENS + timedelta(minutes=1)) == 1
    assert Delivery.objects.get().next_try_at is None
    webhooks.retry_delivery(Delivery.objects.get(), cast.OPENS + timedelta(days=1))
    assert deliver(cast.OPENS + timedelta(days=1)) == 1
    assert len(receiver.requests) == 3
    receiver.server.server_close()
    webhooks.retry_delivery(Delivery.objects.get(), cast.OPENS + timedelta(days=2))
    deliver(cast.OPENS + timedelta(days=2))
    assert Delivery.objects.get().last_answer == "no answer: ConnectError"


def test_slow_receivers_hold_back_no_other_webhook(hook, monkeypatch):
    """Webhooks take turns; what follows a slow call to one waits ten times as long."""
    other = webhooks.create_webhook(hook.player, "https://other.example/", ["final"], cast.OPENS)
    Delivery.objects.bulk_create(
        Delivery(webhook=each, event="final", key=str(key), body={}, created_at=cast.OPENS, next_try_at=cast.OPENS)
        for each, count in ((hook, 60), (other, 1))
        for key in range(count)
    )
    posted = []

    def post_all(letters):
        posted.append([letter.url for letter in letters])
        return [outbound_http.Answer(is_taken=False, description="none", seconds=5.0) for _letter in letters]

    monkeypatch.setattr(outbound_http, "post_all", post_all)
    for seconds in (0, 15, 49):
        deliver(cast.OPENS + timedelta(seconds=seconds))
    assert [len(urls) for urls in posted] == [20]
    assert other.url in posted[0]


def test_a_webhook_that_is_created_twice_by_a_double_click_gets_each_event_once(during_round):
    player = cast.send("Ada", "rR").submission.player
    create = partial(webhooks.create_webhook, player, "https://a.example/")
    first = create(["final"], cast.DURING)
    assert create(["final"], cast.DURING) == first
    assert create(["opened"], cast.DURING) != first
    assert create(["final"], cast.DURING + 2 * webhooks.SENT_AGAIN) != first


def test_only_https_urls_are_accepted_and_five_per_player(during_round, settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    player = cast.send("Ada", "rR").submission.player
    for url in ("http://hook.example/", "ftp://hook.example/", "file:///etc/passwd", "hook", "https://"):
        with pytest.raises(ValidationError):
            webhooks.create_webhook(player, url, ["final"], cast.DURING)
    for number in range(5):
        webhooks.create_webhook(player, f"https://hook{number}.example/", ["final"], cast.DURING)
    with pytest.raises(ValidationError, match="5"):
        webhooks.create_webhook(player, "https://hook.example/", ["final"], cast.DURING)
