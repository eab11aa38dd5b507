"""Every URL of the site, from the URL configuration, so that none can be forgotten."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation

Fillers = Mapping[str, Sequence[object]]
# Parameter values that do not exist.
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
        """Yield every URL of the pattern with the values in *fillers*, by parameter name.

        A MISSING value is combined only with the first values of the other parameters: it is missing with any of
        them. Raise LookupError for an unknown parameter, to which values must be added.
        """
        unknown = set(self.names) - set(fillers)
        if unknown:
            raise LookupError(f"/{self.pattern}: give the crawl values for {sorted(unknown)}")
        firsts = [next(iter(fillers[name]), None) for name in self.names]  # no value, no URL
        for values in itertools.product(*(fillers[name] for name in self.names)):
            others = [value for value, first in zip(values, firsts, strict=True) if value != first]
            if len(others) > 1 and any(value in MISSING for value in others):
                continue
            filled = self.pattern
            for value in values:
                filled = _PARAMETER.sub(str(value), filled, count=1)
            yield f"/{filled}"


def addresses() -> list[Address]:
    """Return all patterns of the site; regular expressions become URLs that match them."""
    return [Address(pattern) for pattern in dict.fromkeys(pattern for pattern, _route in routes())]


def routes() -> list[tuple[str, URLPattern]]:
    """Return every pattern of the site with its view."""
    # Pages are under the active language, and an earlier test may have left another one active.
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
    """Return a regular expression with its named groups as parameters and without anchors."""
    plain = re.sub(r"\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)", r"<\1>", pattern)
    return plain.removeprefix("^").removesuffix("$").removesuffix(r"\Z").replace("\\", "")
