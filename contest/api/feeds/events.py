"""The feed of all events, which clients can resume from any number."""

import time
from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

from contest import visibility
from contest.api.base import View
from contest.api.feeds import bulk
from contest.api.feeds.lines import render_line
from contest.api.filters import LARGEST_NUMBER, read_number, read_whole_number
from contest.api.schema import AFTER, LIMIT, LINES, STREAM, TRACK, WAIT, gives
from contest.api.serializers.site import LONGEST_WAIT, EventSerializer, event_row
from contest.api.throttling import pass_reading
from contest.front import listening
from contest.infra import clock, rate_limits
from contest.infra.site_address import absolute_url
from contest.models import Event
from contest.outreach import events
from contest.visibility import Viewer

_LAST = "Last-Event-ID"
# Milliseconds before a browser reconnects: normally, and if the server could not wait for an event.
_SOON, _LATER = 1_000, 15_000
# Waits that hold a thread each, if `contest.front` does not wait instead; beyond these, respond at once.
_MOST_WAITING = 8
_LOOK_SECONDS = 0.5
_waits = BoundedSemaphore(_MOST_WAITING)


class Events(View):
    @gives(
        EventSerializer,
        LINES,
        "What happened, in order of number.",
        AFTER,
        LIMIT,
        TRACK,
        WAIT,
        streams=True,
        refusals=[429],
    )
    def get(self, request: Request) -> HttpResponse:
        is_stream = STREAM in request.headers.get("Accept", "")
        after = read_whole_number(request, "after", default=0, most=LARGEST_NUMBER)
        # A browser that reconnects sends the last id it received, and only that (WHATWG HTML, 9.2.4). Anything else
        # does not come from a browser and is refused.
        after = read_number(_LAST, request.headers.get(_LAST), default=after, most=LARGEST_NUMBER)
        limit = read_whole_number(request, "limit", default=events.MOST, least=1, most=events.MOST)
        seconds = read_whole_number(request, "wait", default=LONGEST_WAIT if is_stream else 0, most=LONGEST_WAIT)
        track = request.query_params.get("track", "")
        if track:
            get_object_or_404(visibility.tracks(Viewer(), clock.now()), slug=track)
        waits_elsewhere = bool(seconds) and listening.WAITS_HERE in request.META
        # Before the query, so the next one finds events in between.
        newest = events.last_number()
        if min(limit, newest - after) > bulk.LINES_PER_PASS:
            lines = events.count_events(after, clock.now(), limit, track)
            pass_reading(request, rate_limits.LISTS, amount=1 + lines // bulk.LINES_PER_PASS)
        has_waited = True
        found: Sequence[Event] = events.read_events(after, clock.now(), limit, track)
        if not found and seconds and not waits_elsewhere:
            found, has_waited = _wait(after, limit, track, seconds)
        address = absolute_url(request, "/").removesuffix("/")
        objects = list(EventSerializer([event_row(event, address) for event in found], many=True).data)
        answer = _stream(objects, _SOON if has_waited else _LATER) if is_stream else bulk.answer_lines(objects)
        patch_vary_headers(answer, ["Accept"])
        if waits_elsewhere:
            answer[listening.NEWEST] = str(max(newest, *(event.number or 0 for event in found), 0))
            answer[listening.SECONDS] = str(0 if found else listening.LONGEST_SECONDS if is_stream else seconds)
        return answer


def _stream(objects: Sequence[dict[str, Any]], retry_milliseconds: int) -> HttpResponse:
    """Return server-sent events (WHATWG HTML, 9.2) and the milliseconds before a reconnect.

    The response ends after these events; browsers reconnect by themselves.
    """
    parts = [
        f"id: {event['number']}\ndata: {render_line(event)}\n" for event in objects
    ]  # `render_line` ends with a newline
    return HttpResponse("".join([f"retry: {retry_milliseconds}\n\n", *parts]), content_type=STREAM)


def _wait(after: int, limit: int, track: str, seconds: int) -> tuple[Sequence[Event], bool]:
    """Return the events within *seconds*, and whether they were waited for: not if too many requests wait already."""
    if not _waits.acquire(blocking=False):
        return [], False
    try:
        end = time.monotonic() + seconds
        found: Sequence[Event] = []
        while not found and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)
            found = events.read_events(after, clock.now(), limit, track)
        return found, True
    finally:
        _waits.release()
