"""A collection in five grades, with a path for beginners."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction

from contest.library import publishing
from contest.library.publishing import LevelFacts
from contest.models import GRADED_SLUG, Collection
from solvers.sokoban.formats import Entry, read_collection
from solvers.sokoban.level import Level

FILE = Path(__file__).with_name("graded.sok")
GRADES = 5
PER_GRADE = 24
PATH = 20
AUTHOR = "Leitai"
LICENCE = "MIT"
REMARKS = """这些关卡由擂台自己的程序寻得：左右对称的房间，离目标最远的起点。最少移动数与最少推动数都经过证明。

Found by Leitai's own solver: rooms with a mirror line, boxes as far from their goals as they can be. The fewest moves
and the fewest pushes of every level are proved."""


@cache
def read() -> tuple[Entry, ...]:
    """Return the levels of the file, easiest first; the demo asks for them many times."""
    return read_collection(FILE.read_bytes()).entries


def publish(at: datetime) -> int:
    """Publish the collection unless it exists; return the number of levels published."""
    titles = {"title_zh": "擂台自制一百二十关", "title_en": "Leitai’s own 120"}
    return publish_once(_levels(), at, slug=GRADED_SLUG, **titles, remarks=REMARKS, path_length=PATH)


def publish_once(levels: Iterable[tuple[Level, str, LevelFacts]], at: datetime, **fields: Any) -> int:
    """Publish *levels* as a collection with *fields* unless it exists, public or withdrawn; return their number."""
    if Collection.objects.filter(slug=fields["slug"]).exists():
        return 0
    collection = Collection(author=AUTHOR, licence=LICENCE, rights="Leitai", may_download=True, **fields)
    with transaction.atomic():
        return publishing.publish_levels(collection, levels, at=at, by=None).count


def _levels() -> Iterator[tuple[Level, str, LevelFacts]]:
    for place, entry in enumerate(read()):
        moves = min(attempt.moves for attempt in entry.solutions)
        pushes = min(attempt.pushes for attempt in entry.solutions)
        yield entry.level, "", LevelFacts(place // PER_GRADE + 1, moves, pushes)
