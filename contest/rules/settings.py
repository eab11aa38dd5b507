"""The settings of a round (rule 17): checked once, frozen when the round opens (rule 2.9), and pure."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from contest.rules import beacons, lucky_draw, scoring

MOST_RANKS = 100
# Ours: rule 17 names no largest number of points; sums over a season must fit their column.
MOST_POINTS = 1_000


@dataclass(frozen=True)
class Fault:
    """Why a setting cannot be so: a code, and what its words need."""

    code: str
    values: Mapping[str, Any]


class BadSettings(ValueError):
    """Settings that cannot be: `faults` says of each wrong one why."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        self.faults = faults
        super().__init__(", ".join(f"{name}: {fault.code}" for name, fault in faults.items()))


class _Wrong(Exception):
    """The fault of the one setting being read."""

    def __init__(self, code: str, **values: Any) -> None:
        self.fault = Fault(code, values)
        super().__init__(code)


@dataclass(frozen=True)
class RoundSettings:
    """The settings of one round; the defaults are rule 17's. Points stand in half points (rule 9.3)."""

    scoring_levels: tuple[str, ...] = ("main",)
    move_points: tuple[int, ...] = tuple(range(40, 0, -2))
    push_points: tuple[int, ...] = tuple(range(39, 0, -2))
    second_champion: str = "move_rank_2"
    lucky: bool = True
    lucky_formula: str = "L mod N"
    lucky_source: str = "server"
    lucky_beacon: str = beacons.NONE
    lucky_on_revision: str = "keep"
    spectator: bool = False
    solutions_public: str = "at_close"
    leagues: str = "separate"
    organisers_may_enter: str = "no"
    max_moves: int = 1_000_000
    # Rule 2.7: levels of which nobody knows a solution; the site itself writes them down.
    not_known_solvable: tuple[str, ...] = ()
    # Rule 5.11.
    sealed_answers: bool = False

    def as_json(self) -> dict[str, Any]:
        """The settings as a round keeps and prints them; `parse` reads it back.

        What rounds have seldom stands there only where they have it.

        >>> RoundSettings(move_points=(3, 2)).as_json()["move_points"]
        [1.5, 1]
        """
        return {name: value for name, value in self.as_entered().items() if _SELDOM.get(name, ...) != value}

    def as_entered(self) -> dict[str, Any]:
        """All settings, for forms and to compare them."""
        return {name: _WRITERS.get(name, _plain)(value) for name, value in asdict(self).items()}

    def as_published(self) -> dict[str, Any]:
        """The settings as results have them: without those that older results never had, where they change nothing."""
        return {name: value for name, value in self.as_json().items() if _YOUNGER.get(name, ...) != value}


def parse(values: Mapping[str, Any]) -> RoundSettings:
    """Read settings; what is absent gets its default. Raise BadSettings, naming every setting that is wrong.

    >>> parse({"move_points": [10, 5.5]}).move_points
    (20, 11)
    >>> parse({"lucky_formula": "L / N"})
    Traceback (most recent call last):
    contest.rules.settings.BadSettings: lucky_formula: choice
    """
    read: dict[str, Any] = {}
    faults = {name: Fault("unknown", {"known": ", ".join(NAMES)}) for name in values if name not in NAMES}
    for name in NAMES:
        if name in values:
            try:
                read[name] = _READERS[name](values[name])
            except _Wrong as wrong:
                faults[name] = wrong.fault
    if faults:
        raise BadSettings(faults)
    return RoundSettings(**read)


def of(stored: Mapping[str, Any]) -> RoundSettings:
    """The settings in what a round has stored, which may hold marks of others besides."""
    return parse({name: value for name, value in stored.items() if name in NAMES})


def _choice(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed or not isinstance(value, str):
            raise _Wrong("choice", choices=", ".join(allowed))
        return value

    return read


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("switch")
    return value


def _whole_number(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:  # true is an int to Python
            raise _Wrong("number", least=least, most=most)
        return value

    return read


def _slots(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(slot not in scoring.SLOTS for slot in value):
        raise _Wrong("slots", choices=", ".join(scoring.SLOTS))
    return tuple(slot for slot in scoring.SLOTS if slot in value)


def _points(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_RANKS:
        raise _Wrong("points", most=MOST_RANKS)
    half_points = [_half_points(place, number) for place, number in enumerate(value, 1)]
    for place, (number, after) in enumerate(pairwise(half_points), 2):
        if after > number:
            raise _Wrong("rising", place=place)
    return tuple(half_points)


def _half_points(place: int, number: Any) -> int:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    # In this order: a number too large for a float never becomes one, and what is not a number fails the span.
    if not is_number or not 0 <= number <= MOST_POINTS or number * 2 != int(number * 2):
        raise _Wrong("half", place=place, most=MOST_POINTS)
    return int(number * 2)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _as_points(half_points: tuple[int, ...]) -> list[int | float]:
    return [half / 2 if half % 2 else half // 2 for half in half_points]


_READERS: dict[str, Callable[[Any], Any]] = {
    "scoring_levels": _slots,
    "move_points": _points,
    "push_points": _points,
    "second_champion": _choice("move_rank_2", "push_rank_2", "none"),
    "lucky": _switch,
    "lucky_formula": _choice(*lucky_draw.FORMULAS),
    "lucky_source": _choice("server", "typed"),
    "lucky_beacon": _choice(beacons.NONE, *beacons.BEACONS),
    "lucky_on_revision": _choice("keep", "redraw"),
    "spectator": _switch,
    "solutions_public": _choice("at_close", "at_final", "never"),
    "leagues": _choice("separate", "together"),
    "organisers_may_enter": _choice("no", "hors concours"),
    "max_moves": _whole_number(1_000, 2_000_000),
    "not_known_solvable": _slots,
    "sealed_answers": _switch,
}
_WRITERS: dict[str, Callable[[Any], Any]] = {"move_points": _as_points, "push_points": _as_points}
# Settings made after results had been published, with the values that leave these as they are, byte for byte.
_YOUNGER = {"lucky_beacon": beacons.NONE}
# Younger than archives of rounds that are over, too: hidden where it is off, and no byte of these changes.
_SELDOM = {"sealed_answers": False}
NAMES = tuple(field.name for field in fields(RoundSettings))
