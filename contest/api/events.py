"""The feed of everything that happens, to be read on from any number."""

import time
from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from contest.api import pages
from contest.api.base import View
from contest.api.bulk import answer_lines
from contest.api.objects import serializers
from contest.api.schema import AFTER, LIMIT, LINES, WAIT, gives
from contest.infra import clock
from contest.models import Event, Verdict
from contest.outreach import events, posts
from contest.wording import notes

LONGEST_WAIT = 5
# A thread each; who comes when all are taken is answered at once.
_MOST_WAITING = 8
_LOOK_SECONDS = 0.5
_waits = BoundedSemaphore(_MOST_WAITING)


class Events(View):
    @gives("Event", LINES, "What happened, in order of number.", AFTER, LIMIT, WAIT)
    def get(self, request: Request) -> HttpResponse:
        after = pages.whole_number(request, "after", default=0, most=10**9 - 1)
        limit = pages.whole_number(request, "limit", default=events.MOST, least=1, most=events.MOST)
        seconds = pages.whole_number(request, "wait", default=0, most=LONGEST_WAIT)
        found = events.after(after, clock.now(), limit) or _awaited(after, limit, seconds)
        address = pages.absolute(request, "/").removesuffix("/")
        return answer_lines(_object(event, address) for event in found)


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


def _awaited(after: int, limit: int, seconds: int) -> Sequence[Event]:
    """What comes within *seconds*; nothing, and at once, where too many wait already."""
    if not seconds or not _waits.acquire(blocking=False):
        return []
    try:
        end = time.monotonic() + seconds
        found: Sequence[Event] = []
        while not found and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)
            found = events.after(after, clock.now(), limit)
        return found
    finally:
        _waits.release()
