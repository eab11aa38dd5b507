"""Feeds for people and programs: Atom, JSON Feed and a calendar. They hold what the pages hold (docs/rules.md, 7.4)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from contest import visibility
from contest.infra import clock
from contest.models import Metric, Round
from contest.outreach import posts
from contest.stats import records
from contest.visibility import Viewer
from contest.wording import bilingual

NEWEST = 50
_ROUNDS_ASKED_ABOUT = 5
NOBODY = Viewer()


@dataclass(frozen=True)
class Item:
    """One entry of a feed; *key* stays the same for ever."""

    key: str
    title: str
    path: str
    at: datetime
    text: str = ""


def _rounds(at: datetime) -> Iterator[Item]:
    for round_ in visibility.rounds(NOBODY, at)[:NEWEST]:
        for kind, moment, words in _moments(round_):
            if moment is not None and moment <= at:
                yield Item(
                    f"round:{round_.number}:{kind}", words % {"round": round_}, round_.get_absolute_url(), moment
                )


def _moments(round_: Round) -> Iterator[tuple[str, datetime | None, str]]:
    """What has a time in a round's life; the feed tells of those that have come."""
    yield "announced", round_.announced_at, gettext("%(round)s is announced")
    if round_.cancelled_at:
        yield "cancelled", round_.cancelled_at, gettext("%(round)s is cancelled")
        return
    yield "opened", round_.opens_at, gettext("%(round)s is open")
    yield "closed", round_.closes_at, gettext("%(round)s has closed")
    yield "final", round_.finalised_at, gettext("The results of %(round)s are final")


def _submissions(at: datetime) -> Iterator[Item]:
    for row in visibility.counted_submissions(NOBODY, at)[:NEWEST]:
        words = gettext("%(player)s: %(moves)s moves, %(pushes)s pushes on %(level)s") % {
            "player": row.player,
            "moves": row.moves,
            "pushes": row.pushes,
            "level": row.level,
        }
        path = row.level.get_absolute_url() if row.level else row.round.get_absolute_url()
        yield Item(f"submission:{row.number}", words, path, row.received_at)


def _results(at: datetime) -> Iterator[Item]:
    """Results of final rounds: who won."""
    for snapshot in visibility.snapshots(NOBODY, at).select_related("round").order_by("-made_at")[:NEWEST]:
        words = gettext("Results of %(round)s") % {"round": snapshot.round}
        path = f"{snapshot.round.get_absolute_url()}results/"
        yield Item(f"results:{snapshot.round.number}:{snapshot.revision}", words, path, snapshot.made_at)


def _records(at: datetime) -> Iterator[Item]:
    """Who holds the records of the newest levels, over contest and practice (rule 20.1)."""
    for held in records.of_levels(records.levels(NOBODY, at)[:NEWEST]):
        for metric, record in ((Metric.MOVES, held.by_moves), (Metric.PUSHES, held.by_pushes)):
            if record is None:
                continue
            facts = {"player": record.player, "moves": record.moves, "pushes": record.pushes, "level": held.level}
            words = (
                gettext("Fewest moves on %(level)s: %(moves)s (%(pushes)s pushes) by %(player)s")
                if metric is Metric.MOVES
                else gettext("Fewest pushes on %(level)s: %(pushes)s (%(moves)s moves) by %(player)s")
            )
            key = f"record:{held.level.round.number}:{held.level.slot}:{metric}:{record.number}"
            yield Item(key, words % facts, held.level.get_absolute_url(), record.received_at)


def _news(at: datetime) -> Iterator[Item]:
    for told in posts.public(NOBODY, at, most=NEWEST):
        if told.post.published_at:
            yield Item(f"post:{told.post.slug}", told.title, told.path, told.post.published_at, told.summary)


def _questions(at: datetime) -> Iterator[Item]:
    """Rule 25.1: what was answered for everybody, in the words of who answered."""
    for round_ in visibility.rounds(NOBODY, at)[:_ROUNDS_ASKED_ABOUT]:
        for asked in visibility.public_questions(round_, at):
            if asked.answered_at:
                path = reverse("questions", args=[round_.number])
                answer = bilingual.in_language(asked.answer_zh, asked.answer_en).text
                title = f"{round_}: {asked.public_text}"
                yield Item(f"question:{asked.pk}", title, path, asked.answered_at, answer)


FEEDS: dict[str, tuple[Any, Callable[[datetime], Iterator[Item]]]] = {
    "rounds": (_("Rounds"), _rounds),
    "submissions": (_("Accepted submissions"), _submissions),
    "results": (_("Results"), _results),
    "records": (_("Records"), _records),
    "news": (_("News"), _news),
    "questions": (_("Questions"), _questions),
}


def _items(name: str) -> tuple[str, list[Item]]:
    if name not in FEEDS:
        raise Http404
    title, items = FEEDS[name]
    return f"Leitai · {title}", sorted(items(clock.now()), key=lambda item: item.at, reverse=True)[:NEWEST]


def _full(request: HttpRequest, path: str) -> str:
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


_kept = cache_control(public=True, max_age=60)


@require_safe
@_kept
@conditional_page
def atom(request: HttpRequest, feed: str) -> HttpResponse:
    title, items = _items(feed)
    written = Atom1Feed(
        title=title,
        link=_full(request, "/"),
        description="",
        language=get_language(),
        feed_url=_full(request, request.path),
        author_name="Leitai",
    )
    for item in items:
        written.add_item(
            title=item.title,
            link=_full(request, item.path),
            description=item.text,
            unique_id=f"tag:{request.get_host()},2026:{item.key}",
            pubdate=item.at,
            updateddate=item.at,
        )
    return HttpResponse(written.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


@require_safe
@_kept
@conditional_page
def json_feed(request: HttpRequest, feed: str) -> HttpResponse:
    title, items = _items(feed)
    shown = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "home_page_url": _full(request, "/"),
        "feed_url": _full(request, request.path),
        "language": get_language(),
        "items": [
            {
                "id": item.key,
                "url": _full(request, item.path),
                "title": item.title,
                "content_text": item.text or item.title,
                "date_published": item.at.astimezone(UTC).isoformat(),
            }
            for item in items
        ],
    }
    return JsonResponse(shown, content_type="application/feed+json; charset=utf-8")


@require_safe
@_kept
@conditional_page
def calendar(request: HttpRequest) -> HttpResponse:
    """The announced rounds for calendar programs, which know nothing of levels and need not."""
    at = clock.now()
    shown = Calendar()
    shown.add("prodid", "-//Leitai//Rounds//")
    shown.add("version", "2.0")
    shown.add("x-wr-calname", "Leitai")
    shown.add("refresh-interval", timedelta(hours=6), parameters={"VALUE": "DURATION"})
    for round_ in visibility.rounds(NOBODY, at)[:NEWEST]:
        shown.add_component(_event(request, round_))
    return HttpResponse(shown.to_ical(), content_type="text/calendar; charset=utf-8")


def _event(request: HttpRequest, round_: Round) -> CalendarEvent:
    event = CalendarEvent()
    event.add("uid", f"round-{round_.number}@{request.get_host()}")
    event.add("dtstamp", round_.announced_at or round_.opens_at)
    event.add("dtstart", round_.opens_at.astimezone(UTC))
    event.add("dtend", (round_.make_up_closes_at or round_.closes_at).astimezone(UTC))
    event.add("summary", f"Leitai · {round_}")
    event.add("url", _full(request, round_.get_absolute_url()))
    event.add("transp", "TRANSPARENT")
    if round_.cancelled_at:
        event.add("status", "CANCELLED")
    return event
