"""The one address to which all send, POST /api/v1/submissions/, answered before Django's handler and middleware.

Nothing is said here that the site would not say. What stands around a receipt, whatever part of the site puts it there,
is taken from the last receipt that the site itself gave to who came in the same way, for an hour. Whoever comes in any
other way, with a cookie, a batch, or a field of the head that is not named here, goes on to the site; and so does what
cannot be taken in, with the reason why: all refusals are worded in one place.
"""

import io
import re
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import Error
from django.urls import ResolverMatch, resolve, reverse
from django.utils.translation import override
from rest_framework.exceptions import APIException

from contest.api import json_texts, sending
from contest.api.authentication import token_in
from contest.api.base import rate_fields_of_all
from contest.api.serializers import submissions as objects
from contest.api.serializers.problems import Invalid
from contest.entrance import keys, packing
from contest.front.answers import language_of_programs
from contest.front.doors import CAME
from contest.infra import client_ip, logs
from contest.models import Scope, Token
from contest.submissions import Receipt, Sent

Environ = dict[str, Any]
_RECEIPT = objects.ReceiptSerializer()
Start = Callable[..., Any]
Head = list[tuple[str, str]]

_GZIP = re.compile(r"\bgzip\b")
# What each answer says of itself alone.
_ITS_OWN = {
    "content-encoding", "content-length", "idempotency-replayed", "location", "ratelimit", "ratelimit-policy",
    "set-cookie", "x-request-id",
}  # fmt: skip
# It hangs on settings alone, for which a process begins anew.
_KEPT_SECONDS = 3_600.0
_MOST_KINDS = 64


@dataclass(frozen=True)
class _Frame:
    """Headers around a receipt, and *where* submissions are."""

    head: Head
    where: str
    since: float = field(default_factory=time.monotonic)

    @property
    def holds(self) -> bool:
        return time.monotonic() - self.since < _KEPT_SECONDS

    @property
    def may_be_packed(self) -> bool:
        return any(name == "Vary" and "Accept-Encoding" in value for name, value in self.head)


@dataclass(repr=False)  # neither texts nor tokens belong in a log
class _Post:
    """A post that may be answered here, and what comes of it; without an *answer* it is for the site."""

    environ: Environ
    frame: _Frame
    language: str
    started: float = field(default_factory=time.monotonic)
    request_id: str = ""
    number: int | None = None  # of the submission
    answer: tuple[Head, bytes] | None = None


class SubmissionEntrance:
    """The *site* as web servers call it (PEP 3333), with receipts given here, for one post or for many at once."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site
        self._frames: dict[Hashable, _Frame] = {}

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        (answered,) = self.answer_together([(environ, start)])
        if answered is not None:
            return answered
        kind = self._kind(environ)
        return self._site(environ, start if kind is None else self._watch(kind, start))

    def answer_together(self, calls: Sequence[tuple[Environ, Start]]) -> list[Iterable[bytes] | None]:
        """What is answered to each of *calls*; None of one that is for the site, which has to be called by itself.

        One transaction stores all, and what there is to ask about them is asked once. Nobody waits for another: this is
        for posts that have come, in their order.
        """
        posts = [self._post(environ) for environ, _start in calls]
        if mine := [post for post in posts if post]:
            self._answer(mine)
        answers: list[Iterable[bytes] | None] = []
        for post, (_environ, start) in zip(posts, calls, strict=True):
            if post and post.answer:
                head, body = post.answer
                start("202 Accepted", head)
                answers.append([body])
            else:
                answers.append(None)
        return answers

    @cached_property
    def _path(self) -> str:
        return reverse("api-submissions")

    @cached_property
    def _match(self) -> ResolverMatch:
        return resolve(self._path)

    def _kind(self, environ: Environ) -> Hashable:
        return keys.post_key(environ) if environ["PATH_INFO"] == self._path else None

    def _post(self, environ: Environ) -> _Post | None:
        """One that comes in a way that is known; nobody has tried to take it in yet."""
        kind = self._kind(environ)
        frame = None if kind is None else self._frames.get(kind)
        if frame is None or not frame.holds or sending.FAILED in environ:
            return None
        return _Post(environ, frame, language_of_programs(environ.get("HTTP_ACCEPT_LANGUAGE", "")))

    def _watch(self, kind: Hashable, start: Start) -> Start:
        """*start*, which keeps what the site says around a receipt."""

        def watch(status: str, head: Head, *more: Any) -> Any:
            where = next((value for name, value in head if name == "Location"), "")
            if status.startswith("202 ") and where and all(name != "Set-Cookie" for name, _value in head):
                if len(self._frames) >= _MOST_KINDS:
                    self._frames.clear()
                around = [(name, value) for name, value in head if name.lower() not in _ITS_OWN]
                self._frames[kind] = _Frame(around, where.rstrip("/").rpartition("/")[0])
            return start(status, head, *more)

        return watch

    def _answer(self, posts: Sequence[_Post]) -> None:
        request_started.send(sender=type(self), environ=posts[0].environ)
        try:
            _take_in(posts)
        finally:
            request_finished.send(sender=type(self))
        if settings.LOG_REQUESTS:
            for post in posts:
                if post.answer:
                    logs.request_id.set(post.request_id)
                    logs.submission.set(post.number)
                    logs.say_answered("POST", self._match, 202, time.monotonic() - post.started)


def _take_in(posts: Sequence[_Post]) -> None:
    """Answer those of *posts* that are accepted; of the others note why they are not, for the site to say."""
    read = [(post, *found) for post in posts if (found := _read(post))]
    try:
        answers = sending.take_in_all([(sent, token) for _post, sent, token in read])
    except Exception as error:  # the site says in its own words what it is
        answers = [error for _one in read]
    taken: list[tuple[_Post, Token | None, str, Receipt]] = []
    for (post, sent, token), answer in zip(read, answers, strict=True):
        if isinstance(answer, Receipt):
            taken.append((post, token, sent.address, answer))
        else:
            post.environ[sending.FAILED] = answer
    rates = rate_fields_of_all([(token, sender) for _post, token, sender, _receipt in taken])
    for (post, _token, _sender, receipt), rate in zip(taken, rates, strict=True):
        post.number, post.answer = receipt.submission.number, _say(post, receipt, rate)


def _read(post: _Post) -> tuple[Sent, Token | None] | None:
    """Return the entry and its token; None for a post to refuse, or a batch. Nothing is counted yet."""
    environ = post.environ
    environ[logs.STARTED] = post.started
    # The site would name a request without a sane id anew, and what is logged here is about the same.
    environ["HTTP_X_REQUEST_ID"] = post.request_id = logs.name_request(environ.get("HTTP_X_REQUEST_ID", ""))
    body = environ["wsgi.input"].read(keys.body_size(environ))
    environ["wsgi.input"] = io.BytesIO(body)  # for the site, which reads it anew
    try:
        with override(post.language):
            told = json_texts.parse(body)
            if not isinstance(told, dict) or "submissions" in told:
                return None
            given = environ.get("HTTP_AUTHORIZATION")
            token = None if given is None else token_in(given)
            if token and Scope.SUBMIT not in token.scopes:
                return None
            entry = objects.entry(told, environ.get("HTTP_IDEMPOTENCY_KEY", ""))
    except (ValueError, Invalid, APIException, Error):  # the last where the token could not be looked up
        return None
    ago = time.monotonic() - environ[CAME] if CAME in environ else 0.0
    return Sent(entry, address=client_ip.sender_in(environ), ago=ago, language=post.language), token


def _say(post: _Post, receipt: Receipt, rate: dict[str, str]) -> tuple[Head, bytes]:
    """Head and body of the answer that *receipt* is."""
    url = f"{post.frame.where}/{receipt.submission.receipt_id}/"
    head = [*post.frame.head, *sending.fields_of(receipt, url).items(), *rate.items()]
    body = json_texts.render(_RECEIPT.to_representation(objects.ReceiptRow(receipt, url)))
    if post.frame.may_be_packed:
        head, body = packing.pack(post.environ, head, body)
    return [*head, ("Content-Length", str(len(body))), ("X-Request-ID", post.request_id)], body
