"""The feed of everything that happens, to be read on from any number."""

import time
from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Any

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

from contest.api import pages
from contest.api.base import View
from contest.api.bulk import answer_lines, spell
from contest.api.objects import serializers
from contest.api.schema import AFTER, LIMIT, LINES, STREAM, WAIT, gives
from contest.infra import clock
from contest.models import Event, Verdict
from contest.outreach import events, posts
from contest.wording import notes

LONGEST_WAIT = 5
_LAST = "Last-Event-ID"
# When a browser asks again after an answer, in milliseconds; and when it could not wait for something to happen.
_SOON, _LATER = 1_000, 15_000
# A thread each; who comes when all are taken is answered at once.
_MOST_WAITING = 8
_LOOK_SECONDS = 0.5
_waits = BoundedSemaphore(_MOST_WAITING)


class Events(View):
    @gives("Event", LINES, "What happened, in order of number.", AFTER, LIMIT, WAIT, streams=True)
    def get(self, request: Request) -> HttpResponse:
        is_stream = STREAM in request.headers.get("Accept", "")
        after = pages.whole_number(request, "after", default=0, most=10**9 - 1)
        if is_stream:  # where a browser was when it lost us
            after = pages.read_number(_LAST, request.headers.get(_LAST), default=after, most=10**9 - 1)
        limit = pages.whole_number(request, "limit", default=events.MOST, least=1, most=events.MOST)
        seconds = pages.whole_number(request, "wait", default=LONGEST_WAIT if is_stream else 0, most=LONGEST_WAIT)
        has_waited = True
        found: Sequence[Event] = events.after(after, clock.now(), limit)
        if not found and seconds:
            found, has_waited = _awaited(after, limit, seconds)
        address = pages.absolute(request, "/").removesuffix("/")
        objects = [_object(event, address) for event in found]
        answer = _stream(objects, _SOON if has_waited else _LATER) if is_stream else answer_lines(objects)
        patch_vary_headers(answer, ["Accept"])
        return answer


def _stream(objects: Sequence[dict[str, Any]], again: int) -> HttpResponse:
    """Server-sent events (WHATWG HTML, 9.2): what there is, and after how many milliseconds to ask for more.

    A thread that held a connection open would be missed by everybody else; browsers come back by themselves.
    """
    parts = [f"id: {one['number']}\ndata: {spell(one)}\n" for one in objects]  # a line ends with its own line end
    return HttpResponse("".join([f"retry: {again}\n\n", *parts]), content_type=STREAM)


def _object(event: Event, address: str) -> dict[str, Any]:
    """An event with what stands in the rows now, so that renames and erasure hold; *address* begins the site's."""
    shown: dict[str, Any] = {"number": event.number, "kind": event.kind, "at": serializers.time(event.at)}
    about = event.post or (event.submission and event.submission.level) or event.round
    if about:
        shown["url"] = address + about.get_absolute_url()
    if event.round:
        shown["round"] = event.round.number
    if event.submission:
        stands = event.submission.verdict == Verdict.ACCEPTED and event.submission.voided_at is None
        shown |= {"submission": serializers.accepted_object(event.submission, with_hash=False), "stands": stands}
    if event.by:
        shown["by"] = event.by
    if event.revision:
        shown["revision"] = event.revision
    if event.note:
        row = notes.note(event.note)
        shown["note"] = {"kind": event.note.kind, "what": row.what, "why": row.why.text}
    if event.post:
        shown["post"] = posts.in_language(event.post).title
    return shown


def _awaited(after: int, limit: int, seconds: int) -> tuple[Sequence[Event], bool]:
    """What comes within *seconds*, and whether it was waited for: not where too many wait already."""
    if not _waits.acquire(blocking=False):
        return [], False
    try:
        end = time.monotonic() + seconds
        found: Sequence[Event] = []
        while not found and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)
            found = events.after(after, clock.now(), limit)
        return found, True
    finally:
        _waits.release()
