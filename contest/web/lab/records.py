"""The records of Klotski as a table with playable layouts, and the charts of all layouts' distances."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from solvers.klotski import Goal, Layout
from solvers.klotski.records.charts import CHINESE, ENGLISH, chart
from solvers.klotski.records.distributions import Measure
from solvers.klotski.records.extremes import extremes

_GOALS = {"lr": Goal.MIRROR, "ud": Goal.UPSIDE_DOWN, "rot": Goal.ROTATED}


@dataclass(frozen=True)
class Row:
    """A record: its title, its moves, and its layouts as link fragments for the page's script."""

    title: str
    moves: int
    links: tuple[str, ...]


def record_rows() -> Iterator[Row]:
    """Yield the classic records, then the mirror games, the strict ones and the diameters."""
    found = extremes()
    for horizontals, record in enumerate(found["classic_hardest"]):
        title = _("Out, %(count)s lying generals: longest") % {"count": horizontals}
        yield Row(title, record.moves, _links(record.layouts, Goal.EXIT))
    names = {"lr": _("Left and right"), "ud": _("Top and bottom"), "rot": _("Half turn")}
    for kind in ("mirror", "strict"):
        for name, goal in _GOALS.items():
            for bound, template in (("max", _("%(game)s: longest")), ("min", _("%(game)s: shortest"))):
                if (key := f"{kind}_{name}_{bound}") not in found:
                    continue
                (record,) = found[key]
                game = _("%(game)s, strict") % {"game": names[name]} if kind == "strict" else names[name]
                links = _links(record.layouts, goal, is_strict=kind == "strict")
                yield Row(template % {"game": game}, record.moves, links)
    for key, title in (
        ("diameter", _("From a layout to the farthest one")),
        ("strict_diameter", _("From a layout to the farthest one, strict")),
    ):
        (record,) = found[key]
        # The farthest layout is no goal of its own, so link to the nearest mirror game.
        yield Row(title, record.moves, _links(record.layouts, Goal.ROTATED, is_strict=key != "diameter"))


def _links(layouts: tuple[Layout, ...], goal: Goal, *, is_strict: bool = False) -> tuple[str, ...]:
    return tuple(f"#{layout.cells}-to-{goal}{'~strict' if is_strict else ''}" for layout in layouts)


@dataclass(frozen=True)
class Curves:
    """A chart with its title."""

    title: str
    drawn: SafeString


@cache
def charts(language: str) -> tuple[Curves, ...]:
    """Return a chart for each measure in *language*, drawn in the page's colours."""
    labels = CHINESE if language.startswith("zh") else ENGLISH
    return tuple(
        Curves(labels[measure].title, mark_safe(chart(measure, texts=labels[measure])))  # noqa: S308 - fixed words
        for measure in Measure
    )
