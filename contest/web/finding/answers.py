"""Search results for a text: a few of each kind, best matches first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import Any, TypeVar

from django.db.models import Case, Q, QuerySet, When

from contest import players, visibility
from contest.levels import catalogue
from contest.models import CollectedLevel, Collection, Level, Player, Post, PostCategory, Round
from contest.models.library.collection import words_of
from contest.visibility import Viewer

LONGEST = 100
MOST = 6
# Most candidates to rank per kind, and most names to check for visibility. Beyond that the user must type more.
_MAX_CANDIDATES = 60
_MAX_NAMES = 300
T = TypeVar("T")


@dataclass(frozen=True)
class Answers:
    """A few results of each kind; each round comes with the title that the viewer may read."""

    players: list[Player]
    levels: list[Level | CollectedLevel]
    rounds: list[tuple[Round, str]]
    collections: list[Collection]
    posts: list[Post]

    @property
    def count(self) -> int:
        return sum(len(found) for found in vars(self).values())


_NOTHING = Answers([], [], [], [], [])


def find(viewer: Viewer, at: datetime, text: str, most: int = MOST) -> Answers:
    """Return the results for *text* that *viewer* may see, at most *most* per kind. Seven queries; none if empty."""
    text = " ".join(text[:LONGEST].replace("\0", "").split())
    if not text:
        return _NOTHING
    return Answers(
        _players(viewer, at, text, most),
        _levels(viewer, at, text, most),
        [(round_, visibility.title(round_, at)) for round_ in _rounds(viewer, at, text, most)],
        list(visibility.collections(viewer, at).filter(_contains(text, "title_zh", "title_en", "author"))[:most]),
        _posts(viewer, at, text, most),
    )


def _posts(viewer: Viewer, at: datetime, text: str, most: int) -> list[Post]:
    in_category = PostCategory.objects.filter(_contains(text, "name_zh", "name_en")).order_by().values("posts")
    own = _contains(text, "title_zh", "title_en", "text_zh", "text_en", "references")
    return list(visibility.posts(viewer, at).filter(own | Q(pk__in=in_category))[:most])


def _players(viewer: Viewer, at: datetime, text: str, most: int) -> list[Player]:
    """Return the player of that name, then names that begin with *text*, then, if there is room, names that contain it.

    Check at most _MAX_NAMES names for visibility. Anybody can make thousands of names, so rated players (rule 22.1) and
    then older names come first.
    """
    key = players.name_key(text)
    rank = (Case(When(name_key=key, then=0), When(shown_rating=None, then=2), default=1), "pk")
    named = Player.objects.filter(merged_into=None, erased_at=None).order_by(*rank).values("pk")
    known = visibility.players(viewer, at).only("pk", "nickname", "country", "league", "erased_at", "shown_rating")
    starting = named.filter(name_key__startswith=key)[:_MAX_NAMES]
    first = list(known.filter(pk__in=starting).order_by(rank[0], "name_key")[:most])
    if len(first) == most:
        return first
    containing = named.filter(name_key__icontains=key).exclude(name_key__startswith=key)[:_MAX_NAMES]
    more = known.filter(pk__in=containing).order_by(*rank)[:_MAX_CANDIDATES]
    best = _best_matches(more, lambda player: player.nickname, "", _MAX_CANDIDATES)
    return [*first, *sorted(best, key=lambda player: player.shown_rating is None)][:most]


def _levels(viewer: Viewer, at: datetime, text: str, most: int) -> list[Level | CollectedLevel]:
    of_rounds = visibility.levels(viewer, at).filter(catalogue.contains_words(Level, text))
    of_collections = visibility.collected_levels(viewer, at).filter(catalogue.contains_words(CollectedLevel, text))
    # Select the keys first: the text index answers without reading rows.
    keys = of_collections.order_by().values("pk")[:_MAX_CANDIDATES]
    rows = CollectedLevel.objects.filter(pk__in=keys).select_related("collection").defer("text")
    known = of_rounds.defer("text", "solution").order_by("-round__number")[:_MAX_CANDIDATES]
    found: Iterable[Level | CollectedLevel] = chain(known, rows)
    return _best_matches(found, lambda level: level.title, text, most)


def _rounds(viewer: Viewer, at: datetime, text: str, most: int) -> QuerySet[Round]:
    """Find rounds by title, or by number in any notation: 7, round 7, 第7期."""
    wanted = _contains(text, "title_zh", "title_en")
    digits = "".join(filter(str.isdecimal, text))
    if 0 < len(digits) < 7:
        wanted |= Q(number=int(digits))
    return visibility.opened_rounds(viewer, at).filter(wanted).order_by("-number")[:most]


def _contains(text: str, *names: str) -> Q:
    return Q(*((f"{name}__icontains", text) for name in names), _connector=Q.OR)


def _best_matches(found: Iterable[T], name_of: Any, text: str, most: int) -> list[T]:
    """Sort names that begin with *text* first, then shorter names first; return at most *most*."""
    wanted = words_of(text)

    def key(candidate: T) -> tuple[bool, int, str]:
        name = words_of(name_of(candidate))
        return not name.startswith(wanted), len(name), name

    return list(islice(sorted(found, key=key), most))
