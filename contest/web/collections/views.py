"""Pages of published collections: the list, one collection with its levels, a level with its rankings."""

from itertools import groupby

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.levels import listing, optima
from contest.library.own.course import Theme, find_lesson
from contest.models import CollectedLevel, Collection, Metric
from contest.outreach.community import subjects, votes
from contest.rankings import collected
from contest.visibility import Viewer
from contest.web.pages.tiles import Tile, collection_tiles
from contest.web.play import offline
from contest.web.play.sending import initial_entry
from contest.web.shell.request import Request

PER_PAGE = 40
PICTURES = 3


@require_safe
def collections_page(request: Request) -> HttpResponse:
    at = clock.now()
    published = listing.with_progress(visibility.collections(request.viewer, at), request.viewer)
    found = {collection.pk: collection for collection in published}
    first = visibility.collected_levels(request.viewer, at).filter(collection__in=found, place__lte=PICTURES)
    boards: dict[int, list[CollectedLevel]] = {}
    for level in first.order_by("place").defer("text", "words"):
        level.collection = found[level.collection_id]
        boards.setdefault(level.collection_id, []).append(level)
    listed = [(collection, collection.solved, boards.get(pk, [])) for pk, collection in found.items()]
    return render(request, "contest/collections/all.html", {"listed": listed, "collections": len(listed)})


@require_safe
def collection_page(request: Request, slug: str) -> HttpResponse:
    """Show a collection with its levels in its own order, and the viewer's progress."""
    at = clock.now()
    published = listing.with_progress(visibility.collections(request.viewer, at), request.viewer)
    collection = get_object_or_404(published, slug=slug)
    levels = visibility.collected_levels(request.viewer, at).filter(collection=collection).order_by("place")
    pages = Paginator(levels.select_related("collection"), PER_PAGE)
    pages.count = collection.count
    chosen = pages.get_page(request.GET.get("page"))
    context = {
        "collection": collection,
        "sender": initial_entry(request).get("nickname", ""),
        "chosen": chosen,
        "groups": _by_theme(collection_tiles(chosen.object_list, request.viewer)),
        "solved": collection.solved,
        "stored": offline.describe_set(collection),
        "on_path": _next_on_path(collection, request.viewer) if collection.path_length else None,
    }
    return render(request, "contest/collections/one.html", context)


def _by_theme(tiles: list[Tile]) -> list[tuple[Theme | None, list[Tile]]]:
    """Group consecutive tiles by the theme of their lesson; None for levels outside the course."""

    def theme_of(tile: Tile) -> Theme | None:
        lesson = find_lesson(tile.level)
        return lesson.theme if lesson else None

    return [(theme, list(group)) for theme, group in groupby(tiles, theme_of)]


def _next_on_path(collection: Collection, viewer: Viewer) -> CollectedLevel | None:
    """Return the first level of the beginners' path that the viewer has not solved."""
    path = CollectedLevel.objects.filter(collection=collection, place__lte=collection.path_length).order_by("place")
    return path.exclude(results__player__in=viewer.players).first() if viewer.players else path.first()


@require_safe
def level_page(request: Request, slug: str, place: int) -> HttpResponse:
    at = clock.now()
    public = visibility.collected_levels(request.viewer, at).select_related("collection")
    talked = subjects.with_talk(optima.with_certificates(public), request.viewer, at)
    level = get_object_or_404(talked, collection__slug=slug, place=place)
    own = listing.own_bests([level], request.viewer).get(level.pk)
    rankings = [(metric, collected.ranking(level, metric)) for metric in Metric]
    context = {
        "level": level,
        "collection": level.collection,
        "own": own,
        "rankings": rankings,
        "means": votes.mean_votes(level),
        "lesson": find_lesson(level),
        "certificates": lambda: optima.of_level(level, at),
    }
    return render(request, "contest/collections/level.html", context)


def level_or_404(request: Request, slug: str, place: int) -> CollectedLevel:
    """Return the level at *place* of a public collection, or raise Http404."""
    levels = visibility.collected_levels(request.viewer, clock.now()).select_related("collection")
    return get_object_or_404(levels, collection__slug=slug, place=place)
