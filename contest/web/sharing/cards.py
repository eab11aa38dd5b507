"""Preview pictures for shared links, from public data only (rule 7.4); rendered once and cached."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import cache, clock, identity
from contest.models import Level, Metric, Placing, Player, Post, Round, Slot, Submission
from contest.outreach import posts
from contest.rankings import standings
from contest.rendering import share_cards
from contest.rendering.share_cards import Card
from contest.stats import profiles
from contest.visibility import Viewer
from contest.wording import times
from contest.wording.verdicts import TITLE_WORDS, with_label

NOBODY = Viewer()
CACHE_SECONDS = 300
_SHAPES = {"card": share_cards.draw_wide, "square": share_cards.draw_square}


@require_safe
def round_card(request: HttpRequest, number: int, shape: str) -> HttpResponseBase:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(NOBODY, at), number=number)
    return _draw(request, shape, lambda: round_content(round_, at))


@require_safe
def level_card(request: HttpRequest, number: int, slot: str, shape: str) -> HttpResponseBase:
    level = get_object_or_404(visibility.levels(NOBODY, clock.now()), round__number=number, slot=slot)
    return _draw(request, shape, lambda: level_content(level))


@require_safe
def replay_card(request: HttpRequest, number: int, submission: int, shape: str) -> HttpResponseBase:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(NOBODY, at), number=number)
    replay = get_object_or_404(visibility.replays(NOBODY, round_, at).defer("text", "turned", "lurd"), pk=submission)
    return _draw(request, shape, lambda: replay_content(replay))


@require_safe
def player_card(request: HttpRequest, number: int, shape: str) -> HttpResponseBase:
    at = clock.now()
    try:
        player = profiles.player(NOBODY, number, at)
    except Player.DoesNotExist:
        raise Http404(str(number)) from None
    return _draw(request, shape, lambda: player_content(player, at))


@require_safe
def post_card(request: HttpRequest, slug: str, shape: str) -> HttpResponseBase:
    post = get_object_or_404(visibility.posts(NOBODY, clock.now()), slug=slug)
    return _draw(request, shape, lambda: post_content(post))


@require_safe
def board_picture(request: HttpRequest, number: int, slot: str) -> HttpResponseBase:
    """Serve a picture of the board under a URL without a language, for lasting links in forums."""
    level = get_object_or_404(visibility.levels(NOBODY, clock.now()), round__number=number, slot=slot)
    return _answer(
        request, (share_cards.DRAWING_VERSION, "board", level.sha256), lambda: share_cards.draw_board(level.text)
    )


def round_content(round_: Round, at: datetime) -> Card:
    main = visibility.levels(NOBODY, at).filter(round=round_, slot=Slot.MAIN).first()
    title = visibility.title(round_, at)
    champions = visibility.placings(NOBODY, at).filter(round=round_).select_related("player")
    return Card(
        title or str(round_),
        str(round_) if title else "",
        (
            gettext("From %(time)s") % {"time": times.format_minute(round_.opens_at)},
            gettext("to %(time)s, %(zone)s")
            % {"time": times.format_minute(round_.closes_at), "zone": identity.zone_name()},
            *_champions(champions.order_by("place", "pk")),
        ),
        main.text if main else "",
    )


def level_content(level: Level) -> Card:
    size = {"width": level.width, "height": level.height, "boxes": level.boxes}
    facts = [gettext("by %(author)s") % {"author": level.author}] if level.author else []
    facts.append(gettext("%(width)s × %(height)s, boxes: %(boxes)s") % size)
    return Card(level.title or str(level), str(level), (*facts, *_bests(level)), level.text)


def replay_content(replay: Submission) -> Card:
    counts = {"moves": replay.moves, "pushes": replay.pushes}
    facts = (
        gettext("Moves: %(moves)s") % counts,
        gettext("Pushes: %(pushes)s") % counts,
    )
    level = replay.level
    return Card(str(replay.player), str(level or replay.round), facts, level.text if level else "")


def player_content(player: Player, at: datetime) -> Card:
    """Return a card with a subset of the player's public page."""
    tally = profiles.tally(NOBODY, player, at)
    facts = []
    if tally:
        sums = {"points": tally.points, "rounds": tally.rounds}
        facts.append(gettext("Points: %(points)s · rounds: %(rounds)s") % sums)
        held = {"MMC": tally.mmc, "MPC": tally.mpc, "second": tally.second, "lucky": tally.lucky}
        facts += [with_label(TITLE_WORDS[title], count) for title, count in held.items() if count]
    return Card(str(player), player.country_name, tuple(facts))


def post_content(post: Post) -> Card:
    over = " · ".join([post.get_kind_display(), *map(str, post.categories.all())])
    day = date_format(timezone.localtime(post.published_at), "DATE_FORMAT") if post.published_at else ""
    return Card(posts.in_language(post).title, over, tuple(filter(None, [post.author, day])))


def _bests(level: Level) -> Iterator[str]:
    for row in standings.standings(level, Metric.MOVES, limit=1):
        yield gettext("Fewest moves: %(count)s") % {"count": row.moves}
    for row in standings.standings(level, Metric.PUSHES, limit=1):
        yield gettext("Fewest pushes: %(count)s") % {"count": row.pushes}


def _champions(placings: Iterable[Placing]) -> Iterator[str]:
    for placing in placings:
        for title, holds in (("MMC", placing.is_mmc), ("MPC", placing.is_mpc)):
            if holds:
                yield with_label(TITLE_WORDS[title], placing.player)


def _draw(request: HttpRequest, shape: str, build_card: Callable[[], Card]) -> HttpResponseBase:
    """Draw the card in the page's language."""
    if shape not in _SHAPES:
        raise Http404(shape)
    card = replace(build_card(), site=identity.full_name(), mark=identity.mark(), accent=identity.accents()[0])
    return _answer(request, (share_cards.DRAWING_VERSION, shape, card), lambda: _SHAPES[shape](card))


def _answer(request: HttpRequest, content: object, draw: Callable[[], bytes]) -> HttpResponseBase:
    """Serve the picture; cache it and its ETag by *content*."""
    etag = f'"{cache.digest(content)}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(cache.remember(content, draw), content_type="image/png")
    response.headers["ETag"] = etag
    patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
    return response
