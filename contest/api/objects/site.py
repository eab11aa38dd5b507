"""What happens on the site, what may be sent to it, and its clock."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from contest.api.objects.kinds import (
    ADDRESS,
    BOOLEAN,
    INTEGER,
    LARGEST_PAGE,
    LONGEST_WAIT,
    METRIC,
    MOST_TEXTS,
    TEXT,
    TIME,
    Member,
    Shape,
    inside,
    many,
    one_of,
)
from contest.api.objects.rankings import TOLD, ListedSubmission
from contest.api.objects.submissions import LARGEST_BATCH
from contest.models import Event, Note, Verdict
from contest.outreach import posts
from contest.submissions import MAX_TEXT_BYTES
from contest.wording import notes


@dataclass(frozen=True)
class EventRow:
    """An event with what stands in the rows now, so that renames and erasure hold; *site* begins every address."""

    event: Event
    site: str

    @property
    def url(self) -> str | None:
        event = self.event
        about = event.post or (event.submission and event.submission.level) or event.round
        return self.site + about.get_absolute_url() if about else None


def _stands(event: Event) -> bool | None:
    sent = event.submission
    return sent.verdict == Verdict.ACCEPTED and sent.voided_at is None if sent else None


_NOTE = Shape[Note]("", "A note of the organisers.", [
    Member("kind", TEXT),
    Member("what", TEXT, lambda note: notes.note(note).what),
    Member("why", TEXT, lambda note: notes.note(note).why.text),
])  # fmt: skip
EVENT = Shape[EventRow]("Event", "Something that happened; which members it has hangs on its kind.", [
    *inside("event", [
        Member[Event]("number", INTEGER),
        Member[Event]("kind", one_of(*Event.Kind.values)),
        Member[Event]("at", TIME, words="By the rules: an opening happens at its time."),
    ]),
    Member("url", ADDRESS, words="The page about it.", is_optional=True),
    *inside("event", [
        Member[Event]("round", INTEGER, lambda event: event.round and event.round.number, is_optional=True),
        Member[Event]("track", TEXT, lambda event: event.round and event.round.track_id, "The track of the round.",
                      is_optional=True),
        Member[Event]("submission", TOLD,
                      lambda event: ListedSubmission(event.submission, with_hash=False) if event.submission else None,
                      is_optional=True),
        Member[Event]("stands", BOOLEAN, _stands, "Whether the submission is still accepted and not void.",
                      is_optional=True),
        Member[Event]("by", METRIC, lambda event: event.by or None, "The ranking it leads.", is_optional=True),
        Member[Event]("revision", INTEGER, lambda event: event.revision or None, is_optional=True),
        Member[Event]("note", _NOTE, is_optional=True),
        Member[Event]("post", TEXT, lambda event: event.post and posts.in_language(event.post).title, "Its title.",
                      is_optional=True),
    ]),
])  # fmt: skip
TIME_NOW = Shape[datetime]("Time", "The clock that counts.", [Member("time", TIME, lambda at: at)])
_SPAN = Shape[tuple[int, int]]("", "A span.", [
    Member("seconds", INTEGER, lambda span: span[0]),
    Member("most", INTEGER, lambda span: span[1]),
])  # fmt: skip
_OF_PLAYER = Shape[Any]("", "A player's submissions.", [
    Member("in_seconds", many(_SPAN), lambda site: site.QUOTA_PER_SECONDS.items()),
    Member("in_a_round", INTEGER, lambda site: site.QUOTA_PER_ROUND),
    Member("bytes_in_a_round", INTEGER, lambda site: site.QUOTA_BYTES_PER_ROUND),
])  # fmt: skip
_OF_ADDRESS = Shape[Any]("", "New nicknames and trials from one address.", [
    Member("per_minute", INTEGER, lambda site: site.ADDRESS_PER_MINUTE),
])  # fmt: skip
_OF_TOKEN = Shape[Any]("", "Submissions and trials under one token.", [
    Member("per_minute", INTEGER, lambda site: site.TOKEN_PER_MINUTE),
])  # fmt: skip
LIMITS = Shape[None]("Limits", "What may be sent, and how much of it.", [  # rule 5.9
    Member("player", _OF_PLAYER, lambda _: settings),
    Member("address", _OF_ADDRESS, lambda _: settings),
    Member("token", _OF_TOKEN, lambda _: settings),
    Member("batch", INTEGER, lambda _: LARGEST_BATCH),
    Member("moves_bytes", INTEGER, lambda _: MAX_TEXT_BYTES),
    Member("body_bytes", INTEGER, lambda _: settings.MAX_SUBMISSION_BODY),
    Member("page", INTEGER, lambda _: LARGEST_PAGE),
    Member("solutions_page", INTEGER, lambda _: MOST_TEXTS),
    Member("wait_seconds", INTEGER, lambda _: LONGEST_WAIT),
])  # fmt: skip
OF_SITE = (EVENT, TIME_NOW, LIMITS)
