"""What programs of organisers read and send: facts of drafts, of levels that wait and of series; no board, no moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from contest.api.objects.kinds import (
    ADDRESS,
    BOOLEAN,
    COUNT,
    INTEGER,
    MAYBE_TEXT,
    NUMBER,
    SLOT,
    TEXT,
    TIME,
    Kind,
    Member,
    Shape,
    many,
    maybe,
    one_of,
)
from contest.models import LibraryLevel, Round, Series
from contest.ops.health import Ages
from contest.organising.checklist import Step
from contest.rules.phases import Phase


@dataclass(frozen=True)
class DraftAt:
    """A round with what it lacks."""

    round: Round
    at: datetime
    missing: Sequence[str]
    desk: str

    @property
    def is_prepared(self) -> bool:
        return hasattr(self.round, "prepared")


def missing(steps: Sequence[Step]) -> list[str]:
    return [words for step in steps for words in step.missing]


DRAFT = Shape[DraftAt]("Draft", "A round as organisers see it before it is final.", [
    Member("number", INTEGER, lambda one: one.round.number, "Of a draft it may still change."),
    Member("track", TEXT, lambda one: one.round.track_id),
    Member("phase", one_of(*Phase), lambda one: one.round.phase(one.at)),
    Member("title_zh", TEXT, lambda one: one.round.title_zh),
    Member("title_en", TEXT, lambda one: one.round.title_en),
    Member("opens_at", TIME, lambda one: one.round.opens_at),
    Member("closes_at", TIME, lambda one: one.round.closes_at),
    Member("missing", many(TEXT), lambda one: one.missing, "What the next steps still want, in words."),
    Member("is_prepared", BOOLEAN, lambda one: one.is_prepared, "It waits for a person to publish it."),
    Member("desk", ADDRESS, lambda one: one.desk, "Where a person looks at it."),
])  # fmt: skip
DRAFT_LIST = Shape[Sequence[DraftAt]]("DraftList", "Rounds that are not final, the latest opening first.", [
    Member("count", COUNT, len),
    Member("results", many(DRAFT), lambda drafts: drafts),
])  # fmt: skip
_MOMENT = Kind({"type": "string", "format": "date-time"})
NEW_DRAFT = Shape[Any]("NewDraft", "A draft to be made; what is left out is as the desk suggests.", [
    Member("track", MAYBE_TEXT, words="Its slug; by default main.", is_optional=True),
    Member("title_zh", MAYBE_TEXT, is_optional=True),
    Member("title_en", MAYBE_TEXT, is_optional=True),
    Member("opens_at", maybe(_MOMENT), words="RFC 3339, with its zone.", is_optional=True),
    Member("closes_at", maybe(_MOMENT), words="RFC 3339, with its zone.", is_optional=True),
])  # fmt: skip
WAITING_LEVEL = Shape[LibraryLevel]("WaitingLevel", "A level that is ready; neither board nor solution.", [
    Member("id", INTEGER, lambda level: level.pk),
    Member("title", TEXT),
    Member("author", TEXT),
    Member("tags", TEXT),
    Member("width", INTEGER),
    Member("height", INTEGER),
    Member("boxes", INTEGER),
])  # fmt: skip
WAITING_LEVELS = Shape[Sequence[LibraryLevel]]("WaitingLevels", "The newest 1,000 that wait in no queue.", [
    Member("count", COUNT, len),
    Member("results", many(WAITING_LEVEL), lambda levels: levels),
])  # fmt: skip
SERIES = Shape[Series]("Series", "A series, and how many levels wait in its queues.", [
    Member("id", INTEGER, lambda series: series.pk),
    Member("name_zh", TEXT),
    Member("name_en", TEXT),
    Member("track", TEXT, lambda series: series.track_id),
    Member("is_running", BOOLEAN),
    Member("queued", COUNT, lambda series: series.queue.count(), "Levels in all its slots."),
])  # fmt: skip
SERIES_LIST = Shape[Sequence[Series]]("SeriesList", "All series.", [
    Member("count", COUNT, len),
    Member("results", many(SERIES), lambda found: found),
])  # fmt: skip
QUEUE = Shape[Any]("Queue", "Levels to be queued, dealt out over slots in the order given.", [
    Member("levels", many(Kind({"type": "string", "pattern": "^[0-9]{1,15}$"})), words="Their ids, as text."),
    Member("slots", maybe(many(SLOT)), words="By default main.", is_optional=True),
])  # fmt: skip
QUEUED = Shape[int]("Queued", "How many were queued: those that were ready, waited nowhere and stand in no round.", [
    Member("queued", COUNT, lambda count: count),
])  # fmt: skip
_PART = Shape[tuple[str, float]]("", "A part of the site.", [
    Member("part", TEXT, lambda one: one[0]),
    Member("seconds", NUMBER, lambda one: one[1], "Since it last did what it does."),
])  # fmt: skip


@dataclass(frozen=True)
class Health:
    """How the site is."""

    trouble: str
    ages: Ages


HEALTH = Shape[Health]("Health", "How the site is, as the desk tells it.", [
    Member("trouble", TEXT, words="Empty: none."),
    Member("parts", many(_PART), lambda health: sorted(health.ages.items())),
])  # fmt: skip
OF_DESK = (
    DRAFT, DRAFT_LIST, NEW_DRAFT, WAITING_LEVEL, WAITING_LEVELS, SERIES, SERIES_LIST, QUEUE, QUEUED, HEALTH,
)  # fmt: skip
