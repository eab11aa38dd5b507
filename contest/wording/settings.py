"""Round settings as text: for the rules page, and for errors in them (rule 17)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest.models import Slot
from contest.rules import beacons
from contest.rules.settings import NEW, Fault, RoundSettings

_NAMES: dict[str, Promise] = {
    "scoring_levels": gettext_lazy("Levels that score"),
    "move_points": gettext_lazy("Points by moves, from rank 1"),
    "push_points": gettext_lazy("Points by pushes, from rank 1"),
    "second_champion": gettext_lazy("Second champion, if one player is first in both"),
    "lucky": gettext_lazy("Lucky draw"),
    "lucky_formula": gettext_lazy("Lucky candidate"),
    "lucky_source": gettext_lazy("Lucky number"),
    "lucky_beacon": gettext_lazy("Public randomness in the draw"),
    "lucky_on_revision": gettext_lazy("Lucky player when results are revised"),
    "spectator": gettext_lazy("Spectator answers (all boxes but one)"),
    "solutions_public": gettext_lazy("Solutions are public"),
    "leagues": gettext_lazy("Humans and programs"),
    "organisers_may_enter": gettext_lazy("Organisers"),
    "hors_concours": gettext_lazy("Proposers and authors of levels"),
    "max_moves": gettext_lazy("Longest solution"),
    "not_known_solvable": gettext_lazy("Not known to be solvable"),
    "sealed_answers": gettext_lazy("Sealed answers"),
    "machine_levels": gettext_lazy("Challenge the machine"),
    "machine_seconds": gettext_lazy("CPU seconds of the machine for each level"),
}
# Listed only for rounds that use them.
_SELDOM = ("hors_concours", "not_known_solvable", "sealed_answers", "machine_levels")
_VALUES: dict[tuple[str, Any], Promise] = {
    ("second_champion", "move_rank_2"): gettext_lazy("rank 2 by moves"),
    ("second_champion", "push_rank_2"): gettext_lazy("rank 2 by pushes"),
    ("second_champion", "none"): gettext_lazy("none"),
    ("lucky", True): gettext_lazy("yes"),
    ("lucky", False): gettext_lazy("no"),
    ("lucky_formula", "L mod N"): gettext_lazy("candidate number L mod N, counted from 0"),
    ("lucky_source", "server"): gettext_lazy("drawn by the server; nobody knows it"),
    ("lucky_source", "typed"): gettext_lazy("chosen by an organiser"),
    ("lucky_beacon", beacons.NONE): gettext_lazy("none"),
    ("lucky_on_revision", "keep"): gettext_lazy("the first player ever drawn who is neither disqualified nor champion"),
    ("lucky_on_revision", "redraw"): gettext_lazy("drawn again with the same number"),
    ("spectator", True): gettext_lazy("yes, in a separate ranking"),
    ("spectator", False): gettext_lazy("no"),
    ("solutions_public", "at_close"): gettext_lazy("when the round has closed"),
    ("solutions_public", "at_final"): gettext_lazy("when the results are final"),
    ("solutions_public", "never"): gettext_lazy("never"),
    ("leagues", "separate"): gettext_lazy("separate rankings; points, titles and draw only for humans"),
    ("leagues", "together"): gettext_lazy("one ranking for both"),
    ("organisers_may_enter", "no"): gettext_lazy("may not enter"),
    ("organisers_may_enter", "hors concours"): gettext_lazy("may enter unranked"),
    ("hors_concours", "authors"): gettext_lazy("enter unranked"),
    ("hors_concours", "authors and solvers"): gettext_lazy("enter unranked, like earlier solvers of a level"),
    ("hors_concours", "none"): gettext_lazy("are ranked like others"),
    ("sealed_answers", True): gettext_lazy("yes, opened within a day after the close"),
    ("sealed_answers", False): gettext_lazy("no"),
}
_FAULTS: dict[str, Promise] = {
    "unknown": gettext_lazy("there is no such setting; known are %(known)s"),
    "choice": gettext_lazy("must be one of: %(choices)s"),
    "switch": gettext_lazy("must be true or false"),
    "number": gettext_lazy("must be a whole number from %(least)s to %(most)s"),
    "slots": gettext_lazy("must be a list of some of: %(choices)s"),
    "points": gettext_lazy("must be a list of at most %(most)s numbers"),
    "half": gettext_lazy("number %(place)s must be a multiple of 0.5 from 0 to %(most)s"),
    "rising": gettext_lazy("number %(place)s is larger than the one before it"),
}


@dataclass(frozen=True)
class Row:
    """One row of the settings table."""

    name: str
    title: str
    value: str


def describe(settings: RoundSettings, draws_at: datetime | None = None) -> list[Row]:
    """Return the settings for a round's page; its lucky number is public at *draws_at*."""
    values = {**settings.as_entered(), "scoring_levels": settings.scoring_levels}
    hidden = {name for name in _SELDOM if not values[name]}
    if not settings.machine_levels:
        hidden.add("machine_seconds")
    names = [name for name in _NAMES if name not in hidden]
    return [Row(name, str(_NAMES[name]), _value(name, values[name], draws_at)) for name in names]


def title(name: str) -> Promise:
    """Return the label of the setting."""
    return _NAMES[name]


def choices(name: str) -> list[tuple[str, Promise | str]]:
    """Return the possible values of a setting with few values, with their labels.

    >>> [value for value, _words in choices("lucky_beacon")]
    ['none', 'drand quicknet']
    """
    named = [(beacon, beacon) for beacon in beacons.BEACONS] if name == "lucky_beacon" else []
    return [*((str(value), label) for (of, value), label in _VALUES.items() if of == name), *named]


def describe_value(name: str, value: Any) -> str:
    """Return a setting's value as text; an obsolete value from an old table unchanged."""
    try:
        return _value(name, value, None)
    except (KeyError, TypeError, ValueError):
        return str(value)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the differences between two stored settings: label, old value, new value. A new object has none before."""
    defaults = RoundSettings().as_entered()
    was, is_now = {**defaults, **(before or NEW)}, {**defaults, **after}
    return [
        (str(label), describe_value(name, was[name]), describe_value(name, is_now[name]))
        for name, label in _NAMES.items()
        if was[name] != is_now[name]
    ]


def describe_fault(name: str, fault: Fault) -> str:
    """Return the wrong setting and its error; without a name if it is shown beside its field."""
    message = str(_FAULTS[fault.code]) % fault.values
    return f"{name}: {message}" if name else message


def _value(name: str, value: Any, draws_at: datetime | None) -> str:
    if name in ("scoring_levels", "not_known_solvable", "machine_levels"):
        return ", ".join(str(Slot(slot).label) for slot in value) or _("none")
    if name in ("move_points", "push_points"):
        return _points(value)
    if name == "lucky_beacon" and value != beacons.NONE:
        named = {"beacon": value, "number": beacons.BEACONS[value].round_at(draws_at) if draws_at else "…"}
        return _("%(beacon)s, round %(number)s: the first once the lucky number is public") % named
    if name == "machine_seconds":
        return f"{value:,}"
    if name == "max_moves":
        return _("%(moves)s moves") % {"moves": f"{value:,}"}
    return str(_VALUES[name, value])


def _points(points: list[int | float]) -> str:
    """Return the table of points; a long evenly spaced one by its ends.

    >>> _points([20, 19, 18, 17, 16, 15, 14]), _points([10, 5.5, 5])
    ('20, 19, … 14', '10, 5.5, 5')
    """
    steps = {before - after for before, after in pairwise(points)}
    if len(points) > 6 and len(steps) == 1:
        return f"{points[0]}, {points[1]}, … {points[-1]}"
    return ", ".join(map(str, points)) or _("none")
