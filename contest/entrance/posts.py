"""Answer POST /api/v1/submissions/, to which all programs submit, before Django's handler and middleware.

Responses equal those of the site (Django). A receipt's common headers are copied for an hour from the last receipt
that the site itself returned for a request with the same key. Requests of any other form, with a cookie, a batch or
an unlisted header, pass to the site. So do refused submissions, with the reason for their refusal: all error messages
are written in one place.
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
from contest.front.answers import choose_api_language
from contest.front.doors import ARRIVED_AT
from contest.infra import client_ip, logs
from contest.models import Scope, Token
from contest.submissions import Postponed, Receipt, Refused, Sent, limits

Environ = dict[str, Any]
_RECEIPT = objects.ReceiptSerializer()
Start = Callable[..., Any]
Head = list[tuple[str, str]]

_GZIP = re.compile(r"\bgzip\b")
# Headers specific to one response.
_PER_RESPONSE_HEADERS = {
    "content-encoding", "content-length", "idempotency-replayed", "location", "ratelimit", "ratelimit-policy",
    "set-cookie", "x-request-id",
}  # fmt: skip
# The common headers depend only on settings, which cannot change without a restart.
_FRAME_SECONDS = 3_600.0
_MOST_FRAMES = 64


@dataclass(frozen=True)
class _Frame:
    """The common headers of receipts, and *base_url*, the URL of submissions."""

    head: Head
    base_url: str
    since: float = field(default_factory=time.monotonic)

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.since < _FRAME_SECONDS

    @property
    def may_be_packed(self) -> bool:
        return any(name == "Vary" and "Accept-Encoding" in value for name, value in self.head)


@dataclass(repr=False)  # Texts and tokens must not appear in a log.
class _Post:
    """A post that may be answered here, and its response; if *answer* stays None, the site must handle it."""

    environ: Environ
    frame: _Frame
    language: str
    started: float = field(default_factory=time.monotonic)
    request_id: str = ""
    number: int | None = None  # of the submission
    answer: tuple[Head, bytes] | None = None


class SubmissionEntrance:
    """WSGI middleware (PEP 3333) around *site*: answer accepted submissions, singly or in batches."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site
        self._frames: dict[Hashable, _Frame] = {}
        self.cache = getattr(site, "cache", None)  # for contest.front.gateway

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        (answered,) = self.answer_batch([(environ, start)])
        if answered is not None:
            return answered
        key = self._key_of(environ)
        return self._site(environ, start if key is None else self._store_frame(key, start))

    def answer_batch(self, calls: Sequence[tuple[Environ, Start]]) -> list[Iterable[bytes] | None]:
        """Return the response body for each of *calls*, or None if the caller must pass that call to the site.

        One transaction stores all submissions, and their queries are shared. The posts have already arrived; they are
        handled in order, and none waits for others to arrive.
        """
        posts = [self._fast_post(environ) for environ, _start in calls]
        if fast_posts := [post for post in posts if post]:
            self._answer_posts(fast_posts)
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

    def _key_of(self, environ: Environ) -> Hashable:
        return keys.post_key(environ) if environ["PATH_INFO"] == self._path else None

    def _fast_post(self, environ: Environ) -> _Post | None:
        """Return a post with a known key that has not been tried yet, else None."""
        key = self._key_of(environ)
        frame = None if key is None else self._frames.get(key)
        if frame is None or not frame.is_fresh or sending.FAILED in environ:
            return None
        return _Post(environ, frame, choose_api_language(environ.get("HTTP_ACCEPT_LANGUAGE", "")))

    def _store_frame(self, key: Hashable, start: Start) -> Start:
        """Wrap *start* to store the common headers of the site's receipt under *key*."""

        def watch(status: str, head: Head, *more: Any) -> Any:
            base_url = next((value for name, value in head if name == "Location"), "")
            if status.startswith("202 ") and base_url and all(name != "Set-Cookie" for name, _value in head):
                if len(self._frames) >= _MOST_FRAMES:
                    self._frames.clear()
                common_headers = [(name, value) for name, value in head if name.lower() not in _PER_RESPONSE_HEADERS]
                self._frames[key] = _Frame(common_headers, base_url.rstrip("/").rpartition("/")[0])
            return start(status, head, *more)

        return watch

    def _answer_posts(self, posts: Sequence[_Post]) -> None:
        request_started.send(sender=type(self), environ=posts[0].environ)
        try:
            _accept_posts(posts)
        finally:
            request_finished.send(sender=type(self))
        if settings.LOG_REQUESTS:
            for post in posts:
                if post.answer:
                    logs.name_request(post.environ)
                    logs.submission.set(post.number)
                    logs.say_answered("POST", self._match, 202, time.monotonic() - post.started)


def _accept_posts(posts: Sequence[_Post]) -> None:
    """Answer the accepted *posts*; store the reason for refusing the others in their environ, for the site."""
    read = [(post, *entry_and_token) for post in posts if (entry_and_token := _read_post(post))]
    try:
        answers = sending.accept_entries([(sent, token) for _post, sent, token in read])
    except Exception as error:  # The site reports the error.
        answers = [error for _post in read]
    taken: list[tuple[_Post, Token | None, str, Receipt]] = []
    for (post, sent, token), answer in zip(read, answers, strict=True):
        if isinstance(answer, Receipt):
            taken.append((post, token, sent.address, answer))
        elif not isinstance(answer, Postponed):  # which is tried again alone
            post.environ[sending.FAILED] = answer
    rates = rate_fields_of_all([(token, sender) for _post, token, sender, _receipt in taken])
    for (post, _token, _sender, receipt), rate in zip(taken, rates, strict=True):
        post.number, post.answer = receipt.submission.number, _render_response(post, receipt, rate)


def _read_post(post: _Post) -> tuple[Sent, Token | None] | None:
    """Count a post, then read it: return the entry and its token; None for a refused or invalid post, or a batch."""
    environ = post.environ
    environ[logs.STARTED] = post.started
    # Pass the request id on: the site would create a new one if it is missing or invalid, and the logs must match.
    environ["HTTP_X_REQUEST_ID"] = post.request_id = logs.name_request(environ)
    address = client_ip.sender_in(environ)
    try:
        with override(post.language):
            authorization = environ.get("HTTP_AUTHORIZATION")
            token = None if authorization is None else token_in(authorization)
            if token and Scope.SUBMIT not in token.scopes:
                return None
            limits.pass_post(token, address)
            environ[limits.COUNTED] = True
            body = environ["wsgi.input"].read(keys.body_size(environ))
            environ["wsgi.input"] = io.BytesIO(body)  # The site may read it again.
            payload = json_texts.parse(body)
            if not isinstance(payload, dict) or "submissions" in payload:
                return None
            entry = objects.read_entry(payload, environ.get("HTTP_IDEMPOTENCY_KEY", ""))
    except (ValueError, Invalid, Refused, APIException, Error):  # `Error` if the token look-up failed.
        return None
    ago = time.monotonic() - environ[ARRIVED_AT] if ARRIVED_AT in environ else 0.0
    return Sent(entry, address=address, ago=ago, language=post.language), token


def _render_response(post: _Post, receipt: Receipt, rate: dict[str, str]) -> tuple[Head, bytes]:
    """Return the headers and the body of the response for *receipt*."""
    url = f"{post.frame.base_url}/{receipt.submission.receipt_id}/"
    head = [*post.frame.head, *sending.headers_for(receipt, url).items(), *rate.items()]
    body = json_texts.render(_RECEIPT.to_representation(objects.ReceiptRow(receipt, url)))
    if post.frame.may_be_packed:
        head, body = packing.pack(post.environ, head, body)
    return [*head, ("Content-Length", str(len(body))), ("X-Request-ID", post.request_id)], body
