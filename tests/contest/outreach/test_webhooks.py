import base64
import hashlib
import hmac
import json
import socket
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.core.exceptions import ValidationError

from contest import judging
from contest.infra import clock, outbound_http
from contest.models import Delivery, Webhook
from contest.outreach import webhooks
from tests import cast

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
SOON = 0.01  # seconds until the receiver hears that it shall end


class Receiver:
    """A real receiver on this machine."""

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
def receiver(settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = True
    made = Receiver()
    thread = Thread(target=made.server.serve_forever, args=[SOON], daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def hook(during_round, receiver):
    player = cast.send("Ada", "rR").submission.player
    return webhooks.make(player, receiver.url, webhooks.Kind.values, cast.OPENS - timedelta(days=1))


def deliver(at):
    with clock.set_to(at):
        return webhooks.deliver()


def _told(receiver):
    return [json.loads(body) for _path, _headers, body in receiver.requests]


def test_who_leads_is_told_once(hook, receiver):
    judging.judge_until_empty()
    with clock.set_to(cast.DURING):
        assert webhooks.collect(cast.DURING) == 4
        assert webhooks.collect(cast.DURING) == 0
        assert deliver(cast.DURING) == 4
        assert deliver(cast.DURING) == 0
    told = sorted((entry["type"], entry["data"].get("slot"), entry["data"].get("by")) for entry in _told(receiver)[1:])
    assert told == [("accepted", "main", None), ("best", "main", "moves"), ("best", "main", "pushes")]


def test_what_is_told_leads_to_the_event_in_the_feed(hook, receiver, client, settings):
    judging.judge_until_empty()
    with clock.set_to(cast.DURING):
        webhooks.collect(cast.DURING)
        deliver(cast.DURING)
        data = next(entry["data"] for entry in _told(receiver) if entry["type"] == "accepted")
        event = json.loads(client.get(data["event"].removeprefix(settings.SITE_URL)).content)
    assert (event["number"], event["at"], event["round"]) == (data["number"], data["at"], data["round"])
    assert event["submission"]["number"] == data["submission"]


def test_nobody_is_named_so_that_a_renaming_or_an_erasure_holds(hook, receiver):
    judging.judge_until_empty()
    webhooks.collect(cast.DURING)
    deliver(cast.DURING)
    assert not [body for _path, _headers, body in receiver.requests if b"Ada" in body]


def test_nothing_is_left_out_however_long_nobody_collected(hook):
    judging.judge_until_empty()
    webhooks.collect(cast.CLOSES + timedelta(days=30))
    told = list(Delivery.objects.order_by("pk").values_list("event", flat=True))
    assert told == ["opened", "accepted", "closed", "revealed", "best", "best"]


def test_only_what_was_chosen_is_told(during_round, receiver):
    player = cast.send("Ada", "rR").submission.player
    webhooks.make(player, receiver.url, ["best"], cast.OPENS)
    judging.judge_until_empty()
    webhooks.collect(cast.CLOSES + timedelta(minutes=1))
    assert set(Delivery.objects.values_list("event", flat=True)) == {"best"}


def test_a_worker_that_is_killed_while_it_collects_leaves_everything_to_the_next(hook, monkeypatch):
    judging.judge_until_empty()
    with monkeypatch.context() as patch:
        patch.setattr(webhooks.Webhook.objects, "filter", _killed_at(webhooks.Webhook.objects.filter, 2))
        with pytest.raises(KeyboardInterrupt):
            webhooks.collect(cast.DURING)
    assert not Delivery.objects.exists()
    assert webhooks.collect(cast.DURING) == 4


def _killed_at(act, call):
    calls = []

    def do(*words, **named):
        calls.append(words)
        if len(calls) == call:
            raise KeyboardInterrupt
        return act(*words, **named)

    return do


def test_opening_closing_and_results_are_told_from_their_times(hook, receiver):
    webhooks.collect(cast.OPENS + timedelta(minutes=1))
    webhooks.collect(cast.CLOSES + timedelta(minutes=1))
    told = Delivery.objects.order_by("pk").values_list("event", "body__at", "body__round")
    at = {name: webhooks.spell_time(moment) for name, moment in (("opens", cast.OPENS), ("closes", cast.CLOSES))}
    assert list(told) == [("opened", at["opens"], 1), ("closed", at["closes"], 1), ("revealed", at["closes"], 1)]


def test_nothing_is_told_of_a_round_before_it_opens(hook):
    """Rule 2.8."""
    opens_at = cast.CLOSES + timedelta(days=7)
    cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    webhooks.collect(cast.DURING)
    assert set(Delivery.objects.filter(body__round=2).values_list("event", flat=True)) <= {"announced"}


def test_what_happened_before_the_subscription_is_not_told(during_round, receiver):
    player = cast.send("Ada", "rR").submission.player
    webhooks.make(player, receiver.url, ["opened"], cast.OPENS + timedelta(hours=1))
    assert webhooks.collect(cast.OPENS + timedelta(hours=2)) == 0


def test_the_receiver_can_check_who_signed_and_when(hook, receiver):
    webhooks.collect(cast.OPENS)
    deliver(cast.OPENS)
    path, headers, body = receiver.requests[0]
    signed_at, digest = (part.partition("=")[2] for part in headers["Leitai-Signature"].split(","))
    assert path == "/hook?x=1"
    assert int(signed_at) == int(cast.OPENS.timestamp())
    expected = hmac.new(hook.secret.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
    assert digest == expected
    assert headers["Leitai-Delivery"] == str(Delivery.objects.get().pk)


def test_a_receiver_of_standard_webhooks_can_check_it_too(hook, receiver):
    """As the published vectors of Standard Webhooks 1.0 are made: base64 of HMAC-SHA256 over id.time.body."""
    webhooks.collect(cast.OPENS)
    deliver(cast.OPENS)
    _path, headers, body = receiver.requests[0]
    signed = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["Webhook-Signature"] == f"v1,{expected}"
    assert len(key) >= 24


def test_the_lines_of_the_documentation_check_a_delivery(hook, receiver):
    code = (ROOT / "docs/api.md").read_text().partition("In Python alone:\n\n```python\n")[2].partition("```")[0]
    names = {}
    exec(code, names)
    now = datetime.now(UTC)
    webhooks.send_test(hook, now)
    deliver(now)
    _path, headers, body = receiver.requests[0]
    assert names["is_genuine"](hook.secret, headers, body)
    assert not names["is_genuine"](hook.secret, headers, body + b" ")
    assert not names["is_genuine"](hook.secret, {**headers, "Webhook-Timestamp": "1"}, body)


def test_the_signature_is_that_of_the_published_example():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    at = datetime.fromtimestamp(1614265330, UTC)
    said = webhooks.standard_signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', at)
    assert said == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_test_is_sent_at_the_owners_wish_but_not_for_ever(hook, receiver):
    assert [bool(webhooks.send_test(hook, cast.DURING)) for _ in range(6)] == [True] * 5 + [False]
    deliver(cast.DURING)
    assert {entry["type"] for entry in _told(receiver)} == {"test"}
    assert webhooks.send_test(hook, cast.DURING + timedelta(minutes=1, seconds=1))


def test_a_failed_delivery_is_tried_again_later_and_later(hook, receiver):
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


def test_a_delivery_that_was_taken_after_trouble_is_done(hook, receiver):
    receiver.status = 503
    webhooks.collect(cast.OPENS)
    deliver(cast.OPENS)
    receiver.status = 204
    assert deliver(cast.OPENS + timedelta(minutes=1)) == 1
    assert Delivery.objects.get().next_try_at is None


class Slow:
    """Receivers that take all the time they may, while another worker comes by."""

    def __init__(self, monkeypatch):
        self.posts, self.times = [], []
        self.at, self.is_nested = cast.OPENS, False
        monkeypatch.setattr(clock, "now_at_database", lambda: self.at)
        monkeypatch.setattr(outbound_http, "post_all", self.post_all)

    def post_all(self, letters):
        letters = list(letters)
        for letter in letters:
            self.posts.append(letter.headers["Leitai-Delivery"])
            self.times.append((int(letter.headers["Leitai-Signature"].split(",")[0][2:]), int(self.at.timestamp())))
        self.at += timedelta(seconds=outbound_http.SECONDS)
        if not self.is_nested:
            self.is_nested = True
            webhooks.deliver(7)
            self.is_nested = False
        self.at += timedelta(seconds=outbound_http.SECONDS)
        return [outbound_http.Answer(is_taken=True, words="HTTP 200") for _letter in letters]


def outbox(hook, count):
    rows = [Delivery(webhook=hook, event="final", key=str(place), body={}) for place in range(count)]
    for row in rows:
        row.created_at = row.next_try_at = cast.OPENS
    Delivery.objects.bulk_create(rows)


def test_a_slow_receiver_gets_nothing_twice_from_two_workers(hook, monkeypatch):
    outbox(hook, 60)
    slow = Slow(monkeypatch)
    while webhooks.deliver():
        pass
    assert len(slow.posts) == len(set(slow.posts)) == 60


def test_each_delivery_is_signed_when_it_leaves(hook, monkeypatch):
    outbox(hook, 60)
    slow = Slow(monkeypatch)
    while webhooks.deliver():
        pass
    assert len({signed for signed, _left in slow.times}) > 3
    assert all(signed == left for signed, left in slow.times)


def test_a_redirect_is_not_followed(hook, receiver):
    receiver.status = 307
    webhooks.collect(cast.OPENS)
    assert deliver(cast.OPENS) == 0
    assert Delivery.objects.get().last_answer == "HTTP 307"


def test_a_delivery_is_sent_once_more_on_request(hook, receiver):
    webhooks.collect(cast.OPENS)
    deliver(cast.OPENS)
    webhooks.again(Delivery.objects.get(), cast.OPENS + timedelta(days=1))
    assert deliver(cast.OPENS + timedelta(days=1)) == 1
    assert len(receiver.requests) == 2


PRIVATE = [
    "127.0.0.1", "10.0.0.7", "192.168.1.1", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1", "0.0.0.0",
    "fec0::1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "224.0.0.1", "ff0e::1", "100.64.0.1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_into_our_own_network_is_refused(monkeypatch, settings, address):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False

    def resolve(_host, port, **_options):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port)), (0, 0, 0, "", (address, port))]

    with monkeypatch.context() as changed:  # for no longer than it takes
        changed.setattr(socket, "getaddrinfo", resolve)
        answer = outbound_http.post("https://hook.example/", b"{}", {})
    assert answer == outbound_http.Answer(is_taken=False, words="refused: not a public address")


def test_a_public_name_is_connected_to_at_the_address_that_was_looked_at(monkeypatch, settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]
    with monkeypatch.context() as changed, outbound_http.httpx.Client() as client:
        changed.setattr(socket, "getaddrinfo", lambda *_args, **_options: public)
        request = outbound_http._pin(client, "https://hook.example/a?b=c", b"{}", {})
    assert str(request.url) == "https://93.184.216.34/a?b=c"
    assert request.headers["Host"] == "hook.example"
    assert request.extensions["sni_hostname"] == "hook.example"


@pytest.mark.parametrize(
    "url", ["http://hook.example/", "ftp://hook.example/", "file:///etc/passwd", "hook", "https://"]
)
def test_only_https_addresses_are_taken(during_round, settings, url):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    player = cast.send("Ada", "rR").submission.player
    with pytest.raises(ValidationError):
        webhooks.make(player, url, ["final"], cast.DURING)


def test_a_player_has_five_webhooks_at_most(during_round, settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    player = cast.send("Ada", "rR").submission.player
    for number in range(5):
        webhooks.make(player, f"https://hook{number}.example/", ["final"], cast.DURING)
    with pytest.raises(ValidationError, match="5"):
        webhooks.make(player, "https://hook.example/", ["final"], cast.DURING)


def test_nobody_answering_is_a_failure_in_words(hook, receiver, monkeypatch):
    receiver.server.shutdown()
    receiver.server.server_close()
    webhooks.collect(cast.OPENS)
    deliver(cast.OPENS)
    assert Delivery.objects.get().last_answer == "no answer: ConnectError"
