"""Library levels used, turned or not, in an announced or past round: no series takes them (rule 23.2).

Their solutions are public, or will be while another round still takes answers. The round is named to organisers who may
see it, and to everybody once its levels are public. Otherwise the message says only that the level cannot be used.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from contest.models import CollectedLevel, Level, LibraryLevel, QueuedLevel, Series
from contest.rounds import tracks
from contest.staff import audit_log
from contest.staff.audit_log import Actor

MOST_NAMED = 10


@dataclass(frozen=True)
class Standing:
    """A level of the library, and the same level in announced or past rounds."""

    level: LibraryLevel
    places: Sequence[Level]

    def place(self, by: Actor, at: datetime) -> Level | None:
        """Return a place that *by* may know about, or None if all are in rounds hidden from *by*."""
        return next((place for place in self.places if tracks.may_know(place.round, by, at)), None)


@dataclass(frozen=True)
class QueueingOutcome:
    """Result of queueing: levels *wanted*, the *count* queued, and those refused because they *stand* in rounds.

    *public* are copies of queued levels in public collections, whose solutions anybody may have.
    *is_too_often*: nothing was queued, because the organiser reached today's limit on hidden levels (rule 2.12).
    """

    wanted: int
    count: int
    stand: Sequence[Standing] = ()
    is_too_often: bool = False
    public: Sequence[CollectedLevel] = ()

    @property
    def left_out(self) -> int:
        """Return the number of levels that were not ready or already queued."""
        return 0 if self.is_too_often else self.wanted - self.count - len(self.stand)

    def refusal(self, by: Actor, at: datetime) -> str:
        """Return the message why other levels were refused; empty if none was."""
        return tracks.too_often_message() if self.is_too_often else refusal_message(self.stand, by, at)

    def report(self, by: Actor, at: datetime) -> str:
        """Return the messages about refused levels and about levels of public collections; empty if there are none."""
        return " ".join(filter(None, (self.refusal(by, at), public_message(self.public))))


def find_used(levels: Collection[LibraryLevel], keys: QuerySet[Any] | None = None) -> list[Standing]:
    """Return those of *levels* used in rounds, by one query; *keys* is a subquery for the keys of many levels."""
    places: dict[str, list[Level]] = defaultdict(list)
    wanted = {level.key for level in levels if level.key} if keys is None else keys
    shown = Level.objects.filter(key__in=wanted, round__in=tracks.announced_rounds())
    for place in shown.select_related("round").defer("text", "solution").order_by("round__number"):
        places[place.key].append(place)
    return [Standing(level, places[level.key]) for level in levels if level.key in places]


def find_public(levels: Iterable[LibraryLevel]) -> dict[str, CollectedLevel]:
    """Return copies of *levels* in public collections, turned or not, by key. One query."""
    public = CollectedLevel.objects.filter(key__in={level.key for level in levels} - {""}, is_public=True)
    fields = public.select_related("collection").defer("text").order_by("-collection", "-place")
    return {copy.key: copy for copy in fields}


def public_message(public: Sequence[CollectedLevel]) -> str:
    """Return which levels anybody may have solved in a public collection; empty if none."""
    if not public:
        return ""
    places = [f"{copy.collection} {copy.place}" for copy in public[:MOST_NAMED]]
    places += ["…"] if len(public) > MOST_NAMED else []
    sentence = ngettext(
        "%(count)s of these levels is in a public collection, so anybody may have solved it: %(places)s.",
        "%(count)s of these levels are in public collections, so anybody may have solved them: %(places)s.",
        len(public),
    )
    return sentence % {"count": len(public), "places": ", ".join(places)}


def remove_used(series: Series, at: datetime) -> tuple[list[Standing], bool]:
    """Remove levels used in rounds from the heads of a series' queues; return them, and whether those were all.

    What this reveals about hidden rounds counts for the person who added the level (rule 2.12).
    """
    queue = list(series.queue.select_related("level__added_by"))
    of_queue = LibraryLevel.objects.filter(queued__series=series).exclude(key="").values("key")
    stand = {used.level.pk: used for used in find_used([row.level for row in queue], of_queue)}
    left: list[Standing] = []
    passed: set[str] = set()
    for row in queue:
        if row.slot in passed:
            continue
        if (used := stand.get(row.level_id)) is None:
            passed.add(row.slot)
            continue
        person = row.level.added_by
        if used.place(person, at) is None and not tracks.may_learn_of(person, series, [row.level], at):
            return left, False
        rounds = [place.round.number for place in used.places]
        audit_log.record(
            None,
            "take out of queue",
            row.level,
            before={"series": series.pk, "slot": row.slot},
            after={"stands in": rounds},
        )
        QueuedLevel.objects.filter(pk=row.pk).delete()
        left.append(used)
    return left, True


def refusal_message(stand: Sequence[Standing], by: Actor, at: datetime) -> str:
    """Return which levels no series takes, and the rounds that use them as far as *by* may know."""
    messages = [_sentence(used, by, at) for used in stand[:MOST_NAMED]]
    if more := len(stand) - len(messages):
        sentence = ngettext(
            "The same is true of %(count)s more level.", "The same is true of %(count)s more levels.", more
        )
        messages.append(sentence % {"count": more})
    return " ".join(messages)


def in_each_language(compose: Callable[[], str]) -> dict[str, str]:
    """Return the result of *compose* by language code; empty if all results are empty."""
    translations = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            translations[language] = compose()
    return translations if any(translations.values()) else {}


def _sentence(used: Standing, by: Actor, at: datetime) -> str:
    if place := used.place(by, at):
        sentence = _(
            "“%(level)s” is already in an announced or past round, perhaps rotated or mirrored (%(place)s). A series "
            "cannot use it again."
        )
        return sentence % {"level": used.level, "place": place}
    return _("“%(level)s” cannot be used in a series.") % {"level": used.level}
