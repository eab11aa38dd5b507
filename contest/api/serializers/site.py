"""Events, the limits of the site, and its clock."""

from typing import Any

from django.conf import settings
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    FloatField,
    IntegerField,
    SerializerMethodField,
    URLField,
)

from contest.api.serializers.base import AnswerSerializer, MappingSerializer, Wrapper
from contest.api.serializers.fields import METRICS, SLOTS, InstantField
from contest.api.serializers.rankings import ToldSubmissionSerializer, event_submission_row
from contest.api.serializers.submissions import LARGEST_BATCH
from contest.models import Event, Metric, Note, Search, SearchAnswer, Verdict
from contest.outreach import posts
from contest.submissions import MAX_TEXT_BYTES
from contest.wording import notes

LARGEST_PAGE = 200
# Rows of a page with texts: each text may be a million moves long.
MOST_TEXTS = 20
LONGEST_WAIT = 5


def event_row(event: Event, site: str) -> Wrapper:
    """Return an event with the current values of its rows, so renames and erasure apply; *site* begins every URL."""
    sent, round_ = event.submission, event.round
    about = event.post or (sent and sent.level) or round_
    attempt = event.search
    return Wrapper(
        event,
        url=site + about.get_absolute_url() if about else None,
        round=round_.number if round_ else None,
        track=round_.track_id if round_ else None,
        submission=event_submission_row(sent) if sent else None,
        stands=sent.verdict == Verdict.ACCEPTED and sent.voided_at is None if sent else None,
        by=event.by or None,
        revision=event.revision or None,
        post=posts.in_language(event.post).title if event.post else None,
        machine=attempt_row(attempt) if attempt else None,
    )


def attempt_row(attempt: Search) -> dict[str, Any]:
    """Return an attempt of the site's program at a level, with its fewest moves and its fewest pushes."""
    solved = {name: attempt.best_by(name) for name in Metric.values}
    return {
        "slot": attempt.level.slot if attempt.level else "",
        "seconds": attempt.seconds,
        "megabytes": attempt.megabytes,
        "cpu_seconds": attempt.cpu_seconds,
        "answer": attempt.answer,
        **{name: found[name] if found else None for name, found in solved.items()},
    }


class AttemptSerializer(MappingSerializer):
    """An attempt of the site's program at a level (rule 20.5)."""

    slot = ChoiceField(SLOTS)
    seconds = IntegerField(help_text="The budget in CPU seconds.")
    megabytes = IntegerField(help_text="The budget of memory.")
    cpu_seconds = FloatField(help_text="CPU seconds spent.")
    answer = ChoiceField(SearchAnswer.values)
    moves = IntegerField(allow_null=True, help_text="The fewest moves of a solution that it found.")
    pushes = IntegerField(allow_null=True, help_text="The fewest pushes, perhaps of another solution.")


class EventNoteSerializer(AnswerSerializer):
    """A note of the organisers."""

    kind = CharField()
    what = SerializerMethodField()
    why = SerializerMethodField()

    def get_what(self, note: Note) -> str:
        return notes.note(note).what

    def get_why(self, note: Note) -> str:
        return notes.note(note).why.text


class EventSerializer(AnswerSerializer):
    """Something that happened; its members depend on its kind."""

    number = IntegerField()
    kind = ChoiceField(Event.Kind.values)
    at = InstantField(help_text="By the rules: an opening happens at its time.")
    url = URLField(required=False, help_text="The page about it.")
    round = IntegerField(required=False)
    track = CharField(required=False, help_text="The track of the round.")
    submission = ToldSubmissionSerializer(required=False)
    stands = BooleanField(required=False, help_text="Whether the submission is still accepted and not void.")
    by = ChoiceField(METRICS, required=False, help_text="The ranking it leads.")
    revision = IntegerField(required=False)
    note = EventNoteSerializer(required=False)
    post = CharField(required=False, help_text="Its title.")
    machine = AttemptSerializer(required=False)


class TimeSerializer(MappingSerializer):
    """The site's clock, which is the one that counts."""

    time = InstantField()


class SpanSerializer(MappingSerializer):
    """A limit: at most `most` submissions in `seconds`."""

    seconds = IntegerField()
    most = IntegerField()


class PlayerLimitsSerializer(MappingSerializer):
    """A player's submissions."""

    in_seconds = SpanSerializer(many=True)
    in_a_round = IntegerField()
    bytes_in_a_round = IntegerField()


class MinuteSerializer(MappingSerializer):
    """Requests allowed per minute."""

    per_minute = IntegerField()


class LimitsSerializer(MappingSerializer):  # rule 5.9
    """Limits on submissions: sizes, moves and requests per minute."""

    player = PlayerLimitsSerializer()
    address = MinuteSerializer(help_text="New nicknames and trials from one address.")
    token = MinuteSerializer(help_text="Submissions and trials under one token.")
    batch = IntegerField()
    moves_bytes = IntegerField()
    body_bytes = IntegerField()
    page = IntegerField()
    solutions_page = IntegerField()
    wait_seconds = IntegerField()


def read_limits() -> dict[str, Any]:
    """Return the limits from the settings."""
    return {
        "player": {
            "in_seconds": [{"seconds": seconds, "most": most} for seconds, most in settings.QUOTA_PER_SECONDS.items()],
            "in_a_round": settings.QUOTA_PER_ROUND,
            "bytes_in_a_round": settings.QUOTA_BYTES_PER_ROUND,
        },
        "address": {"per_minute": settings.ADDRESS_PER_MINUTE},
        "token": {"per_minute": settings.TOKEN_PER_MINUTE},
        "batch": LARGEST_BATCH,
        "moves_bytes": MAX_TEXT_BYTES,
        "body_bytes": settings.MAX_SUBMISSION_BODY,
        "page": LARGEST_PAGE,
        "solutions_page": MOST_TEXTS,
        "wait_seconds": LONGEST_WAIT,
    }
