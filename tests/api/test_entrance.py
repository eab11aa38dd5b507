"""The entrance: answers submissions before Django's handler, in the same way; unusual requests go on to the site."""

import gzip
import io
import json
import re
import time
from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from types import SimpleNamespace

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, connection, transaction

from contest.entrance import posts
from contest.entrance.posts import SubmissionEntrance
from contest.front.doors import ARRIVED_AT
from contest.infra import clock, rate_limits
from contest.models import Round, Scope, Submission
from contest.players import api_tokens
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.fast_paths

GOOD = {"nickname": "Ann", "moves": "rR"}
# Requests that differ in how a batch handles them.
AMONG_OTHERS = ("a new nickname", "what was sent before", "no proof", "over the quota", "a batch", "a token")


@pytest.fixture
def site(one_connection):
    """The site without the entrance; it counts its requests."""

    class Site(WSGIHandler):
        asked = 0

        def __call__(self, environ, start):
            self.asked += 1
            return super().__call__(environ, start)

    return Site()


def environ_for(body, *, method="POST", query="", kind="application/json", **fields):
    """Return the WSGI environ of a request; *fields* are added to its headers."""
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = {"HTTP_HOST": "localhost", "HTTP_X_REQUEST_ID": "of-the-test", **fields}
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/api/v1/submissions/",
        "QUERY_STRING": query,
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(sent)),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.7",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": io.StringIO(),
        **{name: value for name, value in head.items() if value is not None},
    }


def ask(application, environ):
    started = []
    parts = application(environ, lambda status, head, *_more: started.extend((status, head)))
    body = b"".join(parts)
    if close := getattr(parts, "close", None):
        close()
    assert len({name.lower() for name, _value in started[1]}) == len(started[1])
    return started[0], dict(started[1]), body


@contextmanager
def rolled_back():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def plain(answer):
    """Return the response without random values and counters."""
    status, head, body = answer
    if re.fullmatch("[0-9a-f]{16}", head["X-Request-ID"]):
        head = {**head, "X-Request-ID": "ANEW"}
    packed = head.get("Content-Encoding") == "gzip"
    body = gzip.decompress(body) if packed else body
    if head["Content-Type"].startswith("text/html"):  # as for a foreign host
        lengths = {"Content-Length": "N"} if packed else {}  # a gzipped page has random padding
        return status, head | lengths, body
    payload = json.loads(body)
    if "id" in payload:
        head = {**head, "Location": head["Location"].replace(payload["id"], "ID")}
    payload = (
        {**payload, "results": [without_ids(item) for item in payload["results"]]}
        if "results" in payload
        else without_ids(payload)
    )
    # Random ids compress differently, and Django adds a random length as well.
    head |= {name: re.sub(r"(?<=[rt]=)\d+", "N", head[name]) for name in ("RateLimit",) if name in head}
    lengths = {} if "Accept-Encoding" in head.get("Vary", "") else {"Content-Length": str(len(body))}
    head = {name: value for name, value in head.items() if name not in ("Content-Length", "Content-Encoding")}
    return status, head | lengths, list(payload.items())


def without_ids(payload):
    """Return a receipt or a refusal without the values that differ each time."""
    if "id" not in payload:
        return payload
    payload = {**payload, "url": payload["url"].replace(payload["id"], "ID"), "id": "ID", "number": 0}
    return payload | ({"claim": "CLAIM"} if "claim" in payload else {})


def ask_batch(application, environs):
    """Send all of *environs* with `ask` as one batch, as the front server does."""
    started = [[] for _environ in environs]
    calls = [
        (environ, lambda status, head, *_more, to=to: to.extend((status, head)))
        for environ, to in zip(environs, started, strict=True)
    ]
    answers = application.answer_batch(calls)
    return [
        ask(application, environ) if parts is None else (*to[:1], dict(to[1]), b"".join(parts))
        for environ, to, parts in zip(environs, started, answers, strict=True)
    ]


def ask_among_others(application, environ):
    """Send the request with `ask` in a batch with unrelated requests, one of them refused."""
    others = [
        environ_for(body) for body in ({"nickname": "Another", "moves": "r"}, {}, {"nickname": "A4", "moves": "rR"})
    ]
    first, _refused, answer, last = ask_batch(application, [*others[:2], environ, others[2]])
    assert (first[0], last[0]) == ("202 Accepted", "202 Accepted")
    return answer


def both(site, make, way=ask, token=None):
    """Return the site's and the entrance's responses to the request that *make* returns, from the same state.

    *way* sends the request. *token* is a valid one: the entrance learns from it the response to tokens.
    """
    application = SubmissionEntrance(site)
    with rolled_back():  # teaches the entrance the response to such senders, whatever the request results in
        usual = make()
        body = {"moves": "rRrR"} if "HTTP_AUTHORIZATION" in usual else {"nickname": "Somebody", "moves": "rR"}
        usual["wsgi.input"] = io.BytesIO(sent := json.dumps(body).encode())
        usual |= {"CONTENT_LENGTH": str(len(sent)), "QUERY_STRING": ""}
        if token and "HTTP_AUTHORIZATION" in usual:
            usual["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        for unusual in ("HTTP_IDEMPOTENCY_KEY", "HTTP_COOKIE"):
            usual.pop(unusual, None)
        ask(application, usual)
    answers = []
    with rolled_back():
        answers.append(plain(ask(site, make())))
    with rolled_back():
        answers.append(plain(way(application, make())))
    return answers


@pytest.fixture
def people(round_, settings):
    """Ann with her claim and a submission, a program with its token, and a read-only token."""
    settings.QUOTA_PER_SECONDS = {60: 3, 3_600: 5}
    claim = cast.send("Ann", "r", idempotency_key="Ann's").claim
    busy = cast.send("Busy", "r").claim
    for moves in ("rr", "rrr"):
        cast.send("Busy", moves, claim=busy)
    robo, _claim = api_tokens.make_program("Robo", None, clock.now())
    return {
        "Ann": claim,
        "Busy": busy,
        "token": api_tokens.make(robo, None, clock.now()).text,
        "reads": api_tokens.make(robo, None, clock.now(), scopes=[Scope.READ]).text,
    }


CASES = {
    "a new nickname": (lambda _people: {"nickname": "New", "moves": "rR"}, {}),
    "one in Chinese": (lambda _people: {"nickname": "新人", "moves": "rR"}, {"HTTP_ACCEPT_LANGUAGE": "zh-CN"}),
    "a proved one": (lambda people: {**GOOD, "claim": people["Ann"]}, {}),
    "what was sent before": (lambda people: {**GOOD, "moves": "r", "claim": people["Ann"]}, {}),
    "a key again": (lambda people: {**GOOD, "moves": "r", "claim": people["Ann"]}, {"HTTP_IDEMPOTENCY_KEY": "Ann's"}),
    "a key of something else": (lambda people: {**GOOD, "claim": people["Ann"]}, {"HTTP_IDEMPOTENCY_KEY": "Ann's"}),
    "a bad key": (lambda people: {**GOOD, "claim": people["Ann"]}, {"HTTP_IDEMPOTENCY_KEY": "é"}),
    "no proof": (lambda _people: GOOD, {"HTTP_ACCEPT_LANGUAGE": "zh-Hans"}),
    "over the quota": (lambda people: {"nickname": "Busy", "moves": "rR", "claim": people["Busy"]}, {}),
    "a bad name": (lambda _people: {"nickname": "A\u200bnn", "moves": "r"}, {"HTTP_ACCEPT_LANGUAGE": "zh"}),
    "another country": (lambda people: {**GOOD, "claim": people["Ann"], "country": "fr"}, {}),
    "half a pair": (lambda _people: {"nickname": "New", "moves": "\ud800"}, {}),
    "a list": (lambda _people: [GOOD], {}),
    "a batch": (lambda people: {"submissions": [{**GOOD, "claim": people["Ann"]}, GOOD]}, {}),
    "no JSON": (lambda _people: b"{", {}),
    "deep nesting": (lambda _people: b"[" * 100_000, {}),
    "a mark at the beginning": (lambda _people: b'\xef\xbb\xbf{"nickname": "New", "moves": "r"}', {}),
    "too long a text": (lambda _people: {"nickname": "New", "moves": "r" * 2_097_153}, {}),
    "more than a request may be": (lambda _people: b" " * 2_621_441, {}),
    "a token": (lambda _people: {"moves": "rR"}, {"bearer": "token"}),
    "a token under another name": (lambda _people: GOOD, {"bearer": "token"}),
    "a token that reads": (lambda _people: {"moves": "rR"}, {"bearer": "reads"}),
    "a token of nobody": (lambda _people: {"moves": "rR"}, {"HTTP_AUTHORIZATION": "Bearer leitai_x"}),
    "another kind": (lambda _people: GOOD, {"kind": "text/plain"}),
    "a packed body": (lambda _people: GOOD, {"HTTP_CONTENT_ENCODING": "gzip"}),
    "another method": (lambda _people: GOOD, {"method": "PUT"}),
    "a question behind it": (lambda people: {**GOOD, "claim": people["Ann"]}, {"query": "wait=1"}),
    "a NUL behind it": (lambda people: {**GOOD, "claim": people["Ann"]}, {"query": "a=%00"}),
    "a cookie": (lambda _people: GOOD, {"HTTP_COOKIE": "claims=x; sessionid=y"}),
    "another origin": (lambda people: {**GOOD, "claim": people["Ann"]}, {"HTTP_ORIGIN": "https://example.org"}),
    "a host of nobody": (lambda _people: GOOD, {"HTTP_HOST": "evil.example.org"}),
    "behind a proxy": (lambda people: {**GOOD, "claim": people["Ann"]}, {"HTTP_X_FORWARDED_PROTO": "https"}),
    "accepts gzip": (lambda people: {**GOOD, "claim": people["Ann"]}, {"HTTP_ACCEPT_ENCODING": "gzip, br"}),
}
OTHER_KINDS = dict.fromkeys(("HTTP_HOST", "HTTP_X_FORWARDED_HOST"), "other.example.org")
OTHER_KINDS |= {"wsgi.url_scheme": "https", "HTTP_AUTHORIZATION": "token"}


def request_of(people, case, **more):
    make, about = CASES[case]
    fields = {**about, **more}
    if bearer := fields.pop("bearer", None):
        fields["HTTP_AUTHORIZATION"] = f"Bearer {people[bearer]}"
    return lambda: environ_for(make(people), **fields)


@pytest.mark.parametrize(
    ("way", "case"),
    cases([*product([ask], CASES), *product([ask_among_others], AMONG_OTHERS)], product([ask_among_others], CASES)),
)
def test_the_answer_equals_the_sites_answer(people, site, way, case):
    expected, actual = both(site, request_of(people, case), way, people["token"])
    assert actual == expected


@pytest.mark.parametrize("case", ["no proof", "a token", "accepts gzip"])
@pytest.mark.parametrize("packs", [False, True])
def test_the_answer_equals_the_sites_answer_with_other_settings(people, one_connection, settings, case, packs):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_HSTS_SECONDS, settings.SECURE_SSL_REDIRECT = 1_000, True
    packing = "contest.web.shell.middleware.Packing"
    others = [name for name in settings.MIDDLEWARE if name != packing]
    settings.MIDDLEWARE = [*([packing] if packs else []), *others]
    expected, actual = both(WSGIHandler(), request_of(people, case, HTTP_X_FORWARDED_PROTO="https"))
    assert actual == expected
    assert "Strict-Transport-Security" in actual[1]
    assert ("Accept-Encoding" in actual[1]["Vary"]) is packs or actual[0] != "202 Accepted"


def test_a_batch_is_numbered_in_order_of_arrival(round_, site):
    application = SubmissionEntrance(site)
    ask(application, environ_for(GOOD))
    answers = ask_batch(application, [environ_for({"nickname": f"n{n}", "moves": "rR"}) for n in range(20)])
    numbers = [json.loads(body)["number"] for _status, _head, body in answers]
    assert (site.asked, numbers) == (1, sorted(numbers))


@pytest.fixture
def stopped(monkeypatch):
    """A list with the time in seconds at which the entrance's clock is stopped."""
    at = [time.monotonic()]
    monkeypatch.setattr(posts, "time", SimpleNamespace(monotonic=lambda: at[0]))
    return at


def test_a_request_received_before_the_close_is_in_time_however_long_it_was_queued(round_, site, stopped):
    """Rule 3.3: the previous batch may have stalled."""
    application = SubmissionEntrance(site)
    ask(application, environ_for(GOOD))
    Round.objects.update(closes_at=cast.DURING - timedelta(seconds=2))
    early, late = (environ_for({"nickname": name, "moves": "rR"}) for name in ("Early", "Late"))
    early[ARRIVED_AT], late[ARRIVED_AT] = stopped[0] - 4, stopped[0]
    (first, _head, _body), (second, _head, _body) = ask_batch(application, [early, late])
    assert (first, second) == ("202 Accepted", "409 Conflict")
    assert Submission.objects.get(player__nickname="Early").received_at == cast.DURING - timedelta(seconds=4)


def count_site_requests(site, *requests):
    application = SubmissionEntrance(site)
    counts = []
    for environ in requests:
        before = site.asked
        ask(application, environ)
        counts.append(site.asked - before)
    return counts


def test_the_site_answers_the_first_request_of_each_kind(round_, site):
    made = [environ_for({"nickname": name, "moves": "rR"}) for name in ("Ann", "Bo", "Cy")]
    chinese = [environ_for({"nickname": name, "moves": "rR"}, HTTP_ACCEPT_LANGUAGE="zh-CN") for name in ("Dee", "Eve")]
    assert count_site_requests(site, *made, *chinese) == [1, 0, 0, 1, 0]
    assert Submission.objects.count() == 5


@pytest.mark.parametrize(("name", "value"), OTHER_KINDS.items())
def test_the_site_answers_requests_of_another_kind(people, site, settings, name, value):
    settings.ALLOWED_HOSTS = ["localhost", ".example.org"]
    value = f"Bearer {people[value]}" if value in people else value
    body = {"moves": "rR"} if name == "HTTP_AUTHORIZATION" else {"nickname": "Bo", "moves": "rR"}
    assert count_site_requests(
        site, environ_for({"nickname": "Cy", "moves": "rR"}), environ_for(body, **{name: value})
    ) == [1, 1]


def test_a_refused_request_is_tried_once(round_, site, monkeypatch):
    tried = []
    monkeypatch.setattr(rate_limits, "take_turns", lambda asked, _most: tried.extend(asked) or [0.0] * len(asked))
    application = SubmissionEntrance(site)
    ask(application, environ_for(GOOD))
    ask_batch(application, [environ_for({**GOOD, "claim": "wrong", "moves": "r"})])
    assert (site.asked, len(tried)) == (2, 2)


@pytest.mark.parametrize("bearer", [None, "token"])
def test_a_post_is_counted_once_and_before_it_is_read(people, site, monkeypatch, bearer):
    entrance, passed = SubmissionEntrance(site), []
    fields = {"HTTP_AUTHORIZATION": f"Bearer {people[bearer]}"} if bearer else {}
    entry = {"moves": "rR"} if bearer else {"nickname": "Cy", "moves": "rR"}
    assert ask(entrance, environ_for(entry, **fields))[0] == "202 Accepted"
    monkeypatch.setattr(rate_limits, "_pass", lambda gate, amount: passed.append((gate.key.partition(":")[0], amount)))
    ask(entrance, environ_for(b"no JSON", **fields))
    assert passed == [("token" if bearer else "form", 1)]

    def refuse(_gate, _amount):
        raise rate_limits.Busy(30, 7)

    monkeypatch.setattr(rate_limits, "_pass", refuse)
    status, head, _body = ask(
        entrance, environ_for(entry, **fields) | {"wsgi.input": SimpleNamespace(read=None, readline=None)}
    )
    assert (status[:3], head["Retry-After"]) == ("429", "7")


@pytest.mark.parametrize("bearer", [None, "token"])
def test_the_site_reports_a_database_outage(people, site, bearer):
    application = SubmissionEntrance(site)
    proof = {"HTTP_AUTHORIZATION": f"Bearer {people[bearer]}"} if bearer else {}
    named = {} if bearer else {"nickname": "Cy"}
    ask(application, environ_for({**named, "moves": "rR"}, **proof))

    def away(*_query):
        raise OperationalError

    with connection.execute_wrapper(away):
        status, head, _body = ask(application, environ_for({**named, "moves": "r"}, **proof))
    assert (status, head["Retry-After"]) == ("503 Service Unavailable", "5")
