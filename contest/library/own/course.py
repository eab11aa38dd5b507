"""The course of techniques: levels grouped by theme, with proofs of what each of them teaches.

`course.json` holds the levels and facts that `manage.py make_levels --course` proved. The sentences here are formed
from these facts alone.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from contest.library.own.graded import publish_once
from contest.library.publishing import LevelFacts
from contest.models import COURSE_SLUG, CollectedLevel
from solvers.sokoban.level import Level
from solvers.sokoban.making.techniques import Facts

FILE = Path(__file__).with_name("course.json")
REMARKS = """九个主题，三十三关，每关教一个技巧。关卡页上写的结论都由求解程序证明。

Nine themes, 33 levels; each teaches one technique. The facts on the page of a level are proved by the solver."""


@dataclass(frozen=True)
class Theme:
    """A technique: its name in the data, its title and explanation, and the titles of its levels."""

    name: str
    title: str | Promise
    words: str | Promise
    levels: tuple[str, ...]


THEMES = (
    Theme(
        "walk",
        pgettext_lazy("theme", "Walk"),
        gettext_lazy("Pushing is the smaller part: look for the way to the other side of a box before you push it."),
        ("绕一圈 · Round trip", "远路 · The long way", "换边 · Change of sides", "回头路 · There and back"),
    ),
    Theme(
        "corner",
        pgettext_lazy("theme", "Corner"),
        gettext_lazy("A box in a corner never comes out again. Only a corner with a goal is harmless."),
        ("别贴角 · Mind the corner", "四角 · Four corners", "转角 · Round the bend", "死角 · Dead corner"),
    ),
    Theme(
        "wall",
        pgettext_lazy("theme", "Wall"),
        gettext_lazy("A box at a wall can only slide along it. Without a goal at that wall, it is lost there."),
        ("一墙之隔 · One wall away", "离墙 · Off the wall", "贴墙走 · Wall walk"),
    ),
    Theme(
        "detour",
        pgettext_lazy("theme", "Detour"),
        gettext_lazy("Sometimes a box must first be pushed away from its goal, so that you can get behind it."),
        ("先退后进 · One step back", "迂回 · The detour", "掉头 · Turnabout", "兜圈子 · In circles"),
    ),
    Theme(
        "parity",
        pgettext_lazy("theme", "Parity"),
        gettext_lazy(
            "Colour the floor like a chessboard: every push changes the colour under a box. One push too few is "
            "therefore always two."
        ),
        ("黑与白 · Black and white", "差两步 · Two short", "一来一回 · To and fro", "逢双 · In pairs"),
    ),
    Theme(
        "parking",
        pgettext_lazy("theme", "Parking"),
        gettext_lazy("A box is in the way, or leaves no room: push it aside, move another one, and come back for it."),
        ("靠边停 · Pull over", "借过 · Excuse me", "换手 · Hand over", "腾地方 · Make room"),
    ),
    Theme(
        "packing",
        pgettext_lazy("theme", "Packing"),
        gettext_lazy("The order of the goals matters: a box at the door shuts out the goals behind it."),
        ("里面先来 · Innermost first", "先来后到 · First come"),
    ),
    Theme(
        "corral",
        pgettext_lazy("theme", "Corral"),
        gettext_lazy("Boxes can cut off a part of the floor. Make sure that you can open it again from your side."),
        ("关门 · Shut the door", "隔断 · Partition", "自围 · Walled in", "开路 · The way out"),
    ),
    Theme(
        "all",
        pgettext_lazy("theme", "All together"),
        gettext_lazy("Parking, packing and corrals in one level. Plan from the end: which box comes last?"),
        ("小考 · The quiz", "连环 · The chain", "大考 · The exam", "出师 · Graduation"),
    ),
)


@dataclass(frozen=True)
class Lesson:
    """A level of the course with its optimal solutions and what is proved of it."""

    theme: Theme
    title: str
    text: str
    by_moves: str
    by_pushes: str
    facts: Facts

    @cached_property
    def level(self) -> Level:
        return Level.parse(self.text)

    @property
    def moves(self) -> int:
        return len(self.by_moves)

    @property
    def pushes(self) -> int:
        return sum(step.isupper() for step in self.by_pushes)

    def proofs(self) -> list[str]:
        """Return what is proved of the technique, as sentences in the reader's language."""
        values = vars(self.facts) | {"moves": self.moves, "pushes": self.pushes, "more": self.facts.direct + 2}
        return [sentence % values for sentence in _sentences(self.theme.name)]


def _sentences(theme: str) -> list[str]:
    """Return the patterns of the sentences about a theme's facts."""
    first_pushes = _(
        "Possible first pushes: %(first_pushes)s. Those after which the level can still be solved: "
        "%(good_first_pushes)s."
    )
    parking = _("No solution moves each box in one run: at least one box must be parked on the way.")
    packing = _("In every solution the same goal receives its last box before all other goals do.")
    corral = _("In every solution the pusher is cut off from a part of the free floor for a time.")
    return {
        "walk": [_("%(pushes)s pushes are enough, but no solution has fewer than %(moves)s moves.")],
        "corner": [
            _("Corners from which a box reaches no goal: %(corners)s of %(floor)s squares."),
            first_pushes,
        ],
        "wall": [
            _("Squares outside corners from which a box reaches no goal: %(walls)s of %(floor)s."),
            first_pushes,
        ],
        "detour": [
            _("If each box were alone, %(direct)s pushes would be enough. No solution has fewer than %(pushes)s.")
        ],
        "parity": [
            _(
                "By their colours, all solutions have %(direct)s, %(more)s or more pushes, two at a time. %(direct)s "
                "are not enough, %(pushes)s are."
            )
        ],
        "parking": [parking],
        "packing": [packing],
        "corral": [corral],
        "all": [parking, packing, corral],
    }[theme]


@cache
def read() -> tuple[Lesson, ...]:
    """Return the lessons in their order."""
    themes, places = {theme.name: theme for theme in THEMES}, dict.fromkeys((theme.name for theme in THEMES), 0)
    lessons = []
    for row in json.loads(FILE.read_text()):
        theme = themes[row.pop("theme")]
        facts = Facts(**row.pop("facts"))
        lessons.append(Lesson(theme, theme.levels[places[theme.name]], facts=facts, **row))
        places[theme.name] += 1
    return tuple(lessons)


@cache
def _by_hash() -> dict[str, Lesson]:
    return {lesson.level.sha256: lesson for lesson in read()}


def find_lesson(level: CollectedLevel) -> Lesson | None:
    """Return the lesson of a level of the course; None for levels of other collections."""
    return _by_hash().get(level.sha256) if level.collection.slug == COURSE_SLUG else None


def publish(at: datetime) -> int:
    """Publish the course unless it exists; return the number of levels published."""
    titles = {"title_zh": "推箱技巧三十三课", "title_en": "A course of techniques"}
    return publish_once(_levels(), at, slug=COURSE_SLUG, **titles, remarks=REMARKS, path_length=len(read()))


def _levels() -> Iterator[tuple[Level, str, LevelFacts]]:
    for lesson in read():
        yield lesson.level, lesson.title, LevelFacts(None, lesson.moves, lesson.pushes)
