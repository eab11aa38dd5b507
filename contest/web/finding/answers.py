"""What is found for some words: a few of each kind, the best first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from contest import players, visibility
from contest.levels import catalogue
from contest.models import CollectedLevel, Collection, Level, Player, Post, Round
from contest.models.library.collection import words_of
from contest.visibility import Viewer

LONGEST = 100
MOST = 6
# So many are looked at to choose from, and so many names whether they are public. Whoever means one of more than that
# goes on typing.
_CHOICE = 60
_NAMES = 300
T = TypeVar("T")


@dataclass(frozen=True)
class Answers:
    """A few of each kind; `rounds` come with the title that the viewer may read."""

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
    """What *viewer* may find for *text*, at most *most* of each kind. Seven queries, and none for nothing."""
    text = " ".join(text[:LONGEST].replace("\0", "").split())
    if not text:
        return _NOTHING
    return Answers(
        _players(viewer, at, text, most),
        _levels(viewer, at, text, most),
        [(round_, visibility.title(round_, at)) for round_ in _rounds(viewer, at, text, most)],
        list(visibility.collections(viewer, at).filter(_any(text, "title_zh", "title_en", "author"))[:most]),
        list(visibility.posts(viewer, at).filter(_any(text, "title_zh", "title_en", "text_zh", "text_en"))[:most]),
    )


def _players(viewer: Viewer, at: datetime, text: str, most: int) -> list[Player]:
    """Names that begin so come first: they are looked for alone where there are enough.

    Of a crowd with nothing public no more than _NAMES are asked for what they have.
    """
    key = players.name_key(text)
    named = Player.objects.filter(merged_into=None, erased_at=None).values("pk")
    known = visibility.players(viewer, at).only("pk", "nickname", "country", "league", "erased_at")
    begin = named.filter(name_key__startswith=key).order_by("name_key")[:_NAMES]
    first = list(known.filter(pk__in=begin).order_by("name_key")[:most])
    if len(first) == most:
        return first
    have = named.filter(name_key__icontains=key).exclude(name_key__startswith=key).order_by()[:_NAMES]
    more = known.filter(pk__in=have).order_by()[:_CHOICE]
    return [*first, *_nearest(more, lambda player: player.nickname, "", most - len(first))]


def _levels(viewer: Viewer, at: datetime, text: str, most: int) -> list[Level | CollectedLevel]:
    of_rounds = visibility.levels(viewer, at).filter(catalogue.has_words(Level, text))
    of_collections = visibility.collected_levels(viewer, at).filter(catalogue.has_words(CollectedLevel, text))
    # By their keys first: the index that has the words needs no row.
    keys = of_collections.order_by().values("pk")[:_CHOICE]
    rows = CollectedLevel.objects.filter(pk__in=keys).select_related("collection").defer("text")
    known = of_rounds.defer("text", "solution").order_by("-round__number")[:_CHOICE]
    found: Iterable[Level | CollectedLevel] = chain(known, rows)
    return _nearest(found, lambda level: level.title, text, most)


def _rounds(viewer: Viewer, at: datetime, text: str, most: int) -> QuerySet[Round]:
    """By the title, or by the number however it is written: 7, round 7, 第7期."""
    wanted = _any(text, "title_zh", "title_en")
    digits = "".join(filter(str.isdecimal, text))
    if 0 < len(digits) < 7:
        wanted |= Q(number=int(digits))
    return visibility.opened_rounds(viewer, at).filter(wanted).order_by("-number")[:most]


def _any(text: str, *names: str) -> Q:
    return Q(*((f"{name}__icontains", text) for name in names), _connector=Q.OR)


def _nearest(found: Iterable[T], name_of: Any, text: str, most: int) -> list[T]:
    """Those whose name begins with *text*, then those with the shortest names."""
    words = words_of(text)

    def key(one: T) -> tuple[bool, int, str]:
        name = words_of(name_of(one))
        return not name.startswith(words), len(name), name

    return list(islice(sorted(found, key=key), most))
