"""Feeds: Atom, JSON Feed and a calendar. They show no more than the public pages (docs/reference/rules.md, 7.4).

Each covers all tracks or one (rule 2.11); *track* is its slug, or "" for all.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from contest import visibility
from contest.infra import clock, identity
from contest.infra.site_address import absolute_url
from contest.judging import receipt_chain
from contest.models import Metric, Post, Round
from contest.outreach import posts
from contest.rankings.records import of_levels
from contest.stats import records
from contest.visibility import Viewer
from contest.wording import bilingual
from contest.wording.chain import describe_chain
from contest.wording.verdicts import describe_counts

NEWEST = 50
_ROUNDS_WITH_QUESTIONS = 5
NOBODY = Viewer()
# Characters that no XML may have; texts of players and organisers do.
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Item:
    """One entry of a feed; *key* must never change."""

    key: str
    title: str
    path: str
    at: datetime
    text: str = ""
    tags: tuple[str, ...] = ()


def _rounds_of(at: datetime, track: str) -> QuerySet[Round]:
    announced = visibility.rounds(NOBODY, at)
    return announced.filter(track=track) if track else announced


def _rounds(at: datetime, track: str) -> Iterator[Item]:
    for round_ in _rounds_of(at, track)[:NEWEST]:
        for kind, event_at, title_template in _round_events(round_):
            if event_at is not None and event_at <= at:
                yield Item(
                    f"round:{round_.number}:{kind}",
                    title_template % {"round": round_},
                    round_.get_absolute_url(),
                    event_at,
                )


def _round_events(round_: Round) -> Iterator[tuple[str, datetime | None, str]]:
    """Yield a round's events as kind, time and title template, including future ones."""
    yield "announced", round_.announced_at, gettext("%(round)s is announced")
    if round_.cancelled_at:
        yield "cancelled", round_.cancelled_at, gettext("%(round)s is cancelled")
        return
    yield "opened", round_.opens_at, gettext("%(round)s is open")
    yield "closed", round_.closes_at, gettext("%(round)s has closed")
    yield "final", round_.finalised_at, gettext("The results of %(round)s are final")


def _submissions(at: datetime, track: str) -> Iterator[Item]:
    counted = visibility.counted_submissions(NOBODY, at)
    for row in (counted.filter(round__track=track) if track else counted)[:NEWEST]:
        title = gettext("%(player)s: %(counts)s on %(level)s") % {
            "player": row.player,
            "counts": describe_counts(row.moves, row.pushes),
            "level": row.level,
        }
        path = row.level.get_absolute_url() if row.level else row.round.get_absolute_url()
        yield Item(f"submission:{row.number}", title, path, row.received_at)


def _results(at: datetime, track: str) -> Iterator[Item]:
    """Yield the published results of final rounds."""
    published = visibility.snapshots(NOBODY, at)
    published = published.filter(round__track=track) if track else published
    for snapshot in published.select_related("round").order_by("-made_at")[:NEWEST]:
        title = gettext("Results of %(round)s") % {"round": snapshot.round}
        path = f"{snapshot.round.get_absolute_url()}results/"
        yield Item(f"results:{snapshot.round.number}:{snapshot.revision}", title, path, snapshot.made_at)


def _records(at: datetime, track: str) -> Iterator[Item]:
    """Yield the record holders of the newest levels, over contest and practice (rule 20.1)."""
    newest = records.levels(NOBODY, at)
    for held in of_levels((newest.filter(round__track=track) if track else newest)[:NEWEST]):
        for metric, record in ((Metric.MOVES, held.by_moves), (Metric.PUSHES, held.by_pushes)):
            if record is None:
                continue
            counts = describe_counts(record.moves, record.pushes)
            facts = {"player": record.player, "counts": counts, "level": held.level}
            title_template = (
                gettext("Fewest moves on %(level)s: %(counts)s by %(player)s")
                if metric is Metric.MOVES
                else gettext("Fewest pushes on %(level)s: %(counts)s by %(player)s")
            )
            key = f"record:{held.level.round.number}:{held.level.slot}:{metric}:{record.number}"
            yield Item(key, title_template % facts, held.level.get_absolute_url(), record.received_at)


def _posts(at: datetime, _track: str, kind: str = "") -> Iterator[Item]:
    for entry in posts.list_posts(NOBODY, at, kind=kind, most=NEWEST):
        if entry.post.published_at:
            tags = tuple(map(str, entry.post.categories.all()))
            key = f"post:{entry.post.slug}"
            yield Item(key, entry.title, entry.path, entry.post.published_at, entry.summary, tags)


def _questions(at: datetime, track: str) -> Iterator[Item]:
    """Yield publicly answered questions, with the answer in the organiser's own words (rule 25.1)."""
    for round_ in _rounds_of(at, track)[:_ROUNDS_WITH_QUESTIONS]:
        for asked in visibility.public_questions(round_, at):
            if asked.answered_at:
                path = reverse("questions", args=[round_.number])
                answer = bilingual.in_language(asked.answer_zh, asked.answer_en).text
                title = f"{round_}: {asked.public_text}"
                # By a gap its own number would show that there are private questions.
                key = salted_hmac("contest.feeds.question", str(asked.pk), algorithm="sha256").hexdigest()[:16]
                yield Item(f"question:{key}", title, path, asked.answered_at, answer)


FEEDS: dict[str, tuple[Any, Callable[[datetime, str], Iterator[Item]]]] = {
    "rounds": (_("Rounds"), _rounds),
    "submissions": (_("Accepted submissions"), _submissions),
    "results": (_("Results"), _results),
    "records": (_("Records"), _records),
    "news": (_("News"), _posts),
    "announcements": (_("Announcements"), partial(_posts, kind=Post.Kind.ANNOUNCEMENT)),
    "reports": (_("Reports"), partial(_posts, kind=Post.Kind.REPORT)),
    "questions": (_("Questions"), _questions),
}


# Posts belong to no track.
OF_A_TRACK = ("rounds", "submissions", "results", "records", "questions")


def _read_items(name: str, slug: str) -> tuple[str, list[Item]]:
    if name not in (OF_A_TRACK if slug else FEEDS):
        raise Http404
    at = clock.now()
    title, items = FEEDS[name]
    newest = sorted(items(at, slug), key=lambda item: item.at, reverse=True)[:NEWEST]
    return " · ".join([identity.short_name(), *_track_title(slug, at), str(title)]), newest


def _track_title(slug: str, at: datetime) -> list[str]:
    """Return the track's name for a feed's title, [] for all tracks; raise Http404 for an unknown track."""
    return [str(get_object_or_404(visibility.tracks(NOBODY, at), slug=slug))] if slug else []


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """Return a fixed date for an empty feed: Django would use the current time, so the ETag would never match."""
        return super().latest_post_date() if self.items else datetime.fromtimestamp(0, UTC)


_cached_for_a_minute = cache_control(public=True, max_age=60)


@require_safe
@_cached_for_a_minute
@conditional_page
def atom(request: HttpRequest, feed: str, slug: str = "") -> HttpResponse:
    title, items = _read_items(feed, slug)
    written = _Atom(
        title=title,
        link=absolute_url(request, "/"),
        description="",
        subtitle=describe_chain(receipt_chain.newest()),
        language=get_language(),
        feed_url=absolute_url(request, request.path),
        author_name=identity.short_name(),
    )
    for item in items:
        written.add_item(
            title=_NOT_XML.sub("", item.title),
            link=absolute_url(request, item.path),
            description=_NOT_XML.sub("", item.text),
            unique_id=f"tag:{request.get_host()},2026:{item.key}",
            pubdate=item.at,
            updateddate=item.at,
            categories=[_NOT_XML.sub("", tag) for tag in item.tags],
        )
    return HttpResponse(written.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


@require_safe
@_cached_for_a_minute
@conditional_page
def json_feed(request: HttpRequest, feed: str, slug: str = "") -> HttpResponse:
    title, items = _read_items(feed, slug)
    shown = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "home_page_url": absolute_url(request, "/"),
        "feed_url": absolute_url(request, request.path),
        "language": get_language(),
        "description": describe_chain(receipt_chain.newest()),
        "items": [
            {
                "id": item.key,
                "url": absolute_url(request, item.path),
                "title": item.title,
                "content_text": item.text or item.title,
                "date_published": item.at.astimezone(UTC).isoformat(),
                **({"tags": item.tags} if item.tags else {}),
            }
            for item in items
        ],
    }
    return JsonResponse(shown, content_type="application/feed+json; charset=utf-8")


@require_safe
@_cached_for_a_minute
@conditional_page
def calendar(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Serve the announced rounds as iCalendar, without levels."""
    at = clock.now()
    shown = Calendar()
    shown.add("prodid", "-//Leitai//Rounds//")
    shown.add("version", "2.0")
    shown.add("x-wr-calname", " · ".join([identity.short_name(), *_track_title(slug, at)]))
    shown.add("refresh-interval", timedelta(hours=6), parameters={"VALUE": "DURATION"})
    for round_ in _rounds_of(at, slug)[:NEWEST]:
        shown.add_component(_event(request, round_))
    return HttpResponse(shown.to_ical(), content_type="text/calendar; charset=utf-8")


def _event(request: HttpRequest, round_: Round) -> CalendarEvent:
    event = CalendarEvent()
    event.add("uid", f"round-{round_.number}@{request.get_host()}")
    event.add("dtstamp", round_.announced_at or round_.opens_at)
    event.add("dtstart", round_.opens_at.astimezone(UTC))
    event.add("dtend", (round_.make_up_closes_at or round_.closes_at).astimezone(UTC))
    event.add("summary", f"{identity.short_name()} · {round_}")
    event.add("url", absolute_url(request, round_.get_absolute_url()))
    event.add("transp", "TRANSPARENT")
    if round_.cancelled_at:
        event.add("status", "CANCELLED")
    return event
