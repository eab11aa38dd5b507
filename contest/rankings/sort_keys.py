"""Rule 8.4 as columns: sort keys of results, and filters for results ahead of or behind one."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Q

from contest.models import Best, Metric

# For submissions and results in collections; best rows have Best.KEY.
KEYS = {
    Metric.MOVES: ("moves", "pushes", "received_at", "pk"),
    Metric.PUSHES: ("pushes", "moves", "received_at", "pk"),
}


def ahead(names: Sequence[str], value: Callable[[str], Any]) -> Q:
    """Return a filter for rows with a key, the columns *names*, smaller than the values that *value* returns."""
    return _compare("lt", names, value)


def behind(names: Sequence[str], value: Callable[[str], Any]) -> Q:
    """Return a filter for rows with a larger key."""
    return _compare("gt", names, value)


def _compare(side: str, names: Sequence[str], value: Callable[[str], Any]) -> Q:
    condition = Q()
    for place, name in enumerate(names):
        equal = {earlier: value(earlier) for earlier in names[:place]}
        condition |= Q(**equal, **{f"{name}__{side}": value(name)})
    return condition


def difference(best: Best, other_best: Best) -> int:
    """Return 1 if *best* ranks before *other_best*, -1 if behind it (of equal counts the earlier is better), else 0."""
    first, second = (tuple(getattr(row, name) for name in Best.KEY) for row in (best, other_best))
    return (first < second) - (first > second)
