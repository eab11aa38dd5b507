"""Every address of the site, found in the URL configuration, so that nobody can forget one."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation

Fillers = Mapping[str, Sequence[object]]
# In the place of a name: what is not there.
MISSING = ("nothing", 99)
_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")


@dataclass(frozen=True)
class Address:
    """A pattern such as "en/rounds/<number>/" and the names in it."""

    pattern: str

    @property
    def names(self) -> list[str]:
        return [name for _converter, name in _PARAMETER.findall(self.pattern)]

    def filled(self, fillers: Fillers) -> Iterator[str]:
        """Every address that *fillers*, values by the name of the parameter, make of the pattern.

        What is MISSING is asked for once for each name, beside the first of all the others: it is missing beside them
        all. Raise LookupError for a parameter nobody thought of: say there what to put in it.
        """
        unknown = set(self.names) - set(fillers)
        if unknown:
            raise LookupError(f"/{self.pattern}: give the crawl values for {sorted(unknown)}")
        firsts = [next(iter(fillers[name]), None) for name in self.names]  # where there is none, there is no address
        for values in itertools.product(*(fillers[name] for name in self.names)):
            others = [value for value, first in zip(values, firsts, strict=True) if value != first]
            if len(others) > 1 and any(value in MISSING for value in others):
                continue
            filled = self.pattern
            for value in values:
                filled = _PARAMETER.sub(str(value), filled, count=1)
            yield f"/{filled}"


def addresses() -> list[Address]:
    """All patterns of the site; those written as regular expressions as addresses that match them."""
    return [Address(pattern) for pattern in dict.fromkeys(pattern for pattern, _route in routes())]


def routes() -> list[tuple[str, URLPattern]]:
    """Every pattern of the site with what answers there."""
    # Pages stand under the language that is active, and a test before may have left its own.
    with translation.override("zh-hans"):
        return list(_routes(get_resolver().url_patterns, ""))


def _routes(among: Sequence[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for entry in among:
        here = prefix + _plain(str(entry.pattern))
        if isinstance(entry, URLResolver):
            yield from _routes(entry.url_patterns, here)
        else:
            yield here, entry


def _plain(pattern: str) -> str:
    """A regular expression's named groups as parameters; its anchors gone."""
    plain = re.sub(r"\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)", r"<\1>", pattern)
    return plain.removeprefix("^").removesuffix("$").removesuffix(r"\Z").replace("\\", "")
