"""The settings of a round (rule 17): validated once, frozen when the round opens (rule 2.9); pure functions."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from contest.rules import beacons, lucky_draw, scoring

MAX_RANKS = 100
# Our own limit: rule 17 has no maximum for points, but a season's sums must fit their column.
MAX_POINTS = 1_000
LEAST_MACHINE_SECONDS, MOST_MACHINE_SECONDS = 10, 7_200


@dataclass(frozen=True)
class Fault:
    """The reason why a setting is invalid: a code, and values for its message."""

    code: str
    values: Mapping[str, Any]


class BadSettings(ValueError):
    """Invalid settings: `faults` has the reason for each wrong one."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        self.faults = faults
        super().__init__(", ".join(f"{name}: {fault.code}" for name, fault in faults.items()))


class _InvalidSetting(Exception):
    """The fault of the one setting being read."""

    def __init__(self, code: str, **values: Any) -> None:
        self.fault = Fault(code, values)
        super().__init__(code)


@dataclass(frozen=True)
class RoundSettings:
    """The settings of one round; the defaults are rule 17's. Points are in half points (rule 9.3)."""

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
    # Rule 4.15; empty in rounds from before the setting, where nobody is out of competition by it.
    hors_concours: str = ""
    max_moves: int = 1_000_000
    # Rule 2.7: levels without a known solution; set by the site itself.
    not_known_solvable: tuple[str, ...] = ()
    # Rule 5.11.
    sealed_answers: bool = False
    # Rule 20.5: levels that the site's program tries after the reveal, and its CPU seconds for each.
    machine_levels: tuple[str, ...] = ()
    machine_seconds: int = 600

    def as_json(self) -> dict[str, Any]:
        """Return the settings as a round stores and shows them; `parse` reads them back.

        Rarely used settings are included only if they are on.

        >>> RoundSettings(move_points=(3, 2)).as_json()["move_points"]
        [1.5, 1]
        """
        return {name: value for name, value in self.as_entered().items() if _OMITTED_WHEN_OFF.get(name, ...) != value}

    def as_entered(self) -> dict[str, Any]:
        """Return all settings, for forms and comparisons."""
        return {name: _WRITERS.get(name, _plain)(value) for name, value in asdict(self).items()}

    def as_published(self) -> dict[str, Any]:
        """Return the settings for results, without newer settings at their neutral values."""
        return {name: value for name, value in self.as_json().items() if _ADDED_LATER.get(name, ...) != value}


def parse(values: Mapping[str, Any]) -> RoundSettings:
    """Parse settings; missing ones get their defaults. Raise BadSettings with every invalid setting.

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
            except _InvalidSetting as error:
                faults[name] = error.fault
    if faults:
        raise BadSettings(faults)
    return RoundSettings(**read)


def of(stored: Mapping[str, Any]) -> RoundSettings:
    """Return the settings in a round's stored values, which may contain other keys."""
    return parse({name: value for name, value in stored.items() if name in NAMES})


def _choice_reader(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed or not isinstance(value, str):
            raise _InvalidSetting("choice", choices=", ".join(allowed))
        return value

    return read


def _read_switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _InvalidSetting("switch")
    return value


def _number_reader(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:  # true is an int to Python
            raise _InvalidSetting("number", least=least, most=most)
        return value

    return read


def _read_slots(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(slot not in scoring.SLOTS for slot in value):
        raise _InvalidSetting("slots", choices=", ".join(scoring.SLOTS))
    return tuple(slot for slot in scoring.SLOTS if slot in value)


def _read_points(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_RANKS:
        raise _InvalidSetting("points", most=MAX_RANKS)
    half_points = [_half_points(place, number) for place, number in enumerate(value, 1)]
    for place, (number, after) in enumerate(pairwise(half_points), 2):
        if after > number:
            raise _InvalidSetting("rising", place=place)
    return tuple(half_points)


def _half_points(place: int, number: Any) -> int:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    # The order matters: a number too large for a float is never converted, and a NaN fails the range check.
    if not is_number or not 0 <= number <= MAX_POINTS or number * 2 != int(number * 2):
        raise _InvalidSetting("half", place=place, most=MAX_POINTS)
    return int(number * 2)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _as_points(half_points: tuple[int, ...]) -> list[int | float]:
    return [half / 2 if half % 2 else half // 2 for half in half_points]


_READERS: dict[str, Callable[[Any], Any]] = {
    "scoring_levels": _read_slots,
    "move_points": _read_points,
    "push_points": _read_points,
    "second_champion": _choice_reader("move_rank_2", "push_rank_2", "none"),
    "lucky": _read_switch,
    "lucky_formula": _choice_reader(*lucky_draw.FORMULAS),
    "lucky_source": _choice_reader("server", "typed"),
    "lucky_beacon": _choice_reader(beacons.NONE, *beacons.BEACONS),
    "lucky_on_revision": _choice_reader("keep", "redraw"),
    "spectator": _read_switch,
    "solutions_public": _choice_reader("at_close", "at_final", "never"),
    "leagues": _choice_reader("separate", "together"),
    "organisers_may_enter": _choice_reader("no", "hors concours"),
    "hors_concours": _choice_reader("authors", "authors and solvers", "none"),
    "max_moves": _number_reader(1_000, 2_000_000),
    "not_known_solvable": _read_slots,
    "sealed_answers": _read_switch,
    "machine_levels": _read_slots,
    "machine_seconds": _number_reader(LEAST_MACHINE_SECONDS, MOST_MACHINE_SECONDS),
}
_WRITERS: dict[str, Callable[[Any], Any]] = {"move_points": _as_points, "push_points": _as_points}
# Settings added after results had been published, with the values that leave those results the same bytes.
_ADDED_LATER = {"lucky_beacon": beacons.NONE}
# Settings newer than archives of past rounds: omitted while off, so that no archived byte changes.
_OMITTED_WHEN_OFF = {"sealed_answers": False, "hors_concours": "", "machine_levels": [], "machine_seconds": 600}
NAMES = tuple(field.name for field in fields(RoundSettings))
# Settings that every new round has, although rounds from before them do not.
NEW: Mapping[str, Any] = {"hors_concours": "authors"}
