"""World map with shaded countries. Pure: values in, one element out; charts.css has the colours.

Borders: Natural Earth (public domain), via world-atlas (ISC); world.json is drawn by tooling/assets/world_map.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_countries import countries


@dataclass(frozen=True)
class Shade:
    """Shade of a country, from 1 to 5, and its text."""

    level: int
    title: str


def draw_map(shades: Mapping[str, Shade], *, name: object) -> SafeString:
    """Return the map with *shades* by ISO 3166-1 alpha-2 code; other countries are unshaded. *name* describes it."""
    world = _world()
    shaded = [(code, world.paths[code], shade) for code, shade in shades.items() if code in world.paths]
    bare = "".join(path for code, path in world.paths.items() if code not in shades)
    return format_html(
        '<svg class="world" viewBox="0 0 {} {}" role="img" aria-label="{}"><path class="bare" d="{}"/>{}</svg>',
        world.width,
        world.height,
        name,
        bare,
        format_html_join(
            "",
            '<path class="shade{}" d="{}"><title>{}</title></path>',
            ((shade.level, path, shade.title) for _code, path, shade in shaded),
        ),
    )


@dataclass(frozen=True)
class _World:
    width: int
    height: int
    paths: Mapping[str, str]  # by alpha-2 code


@cache
def _world() -> _World:
    drawn = json.loads((Path(__file__).parent / "world.json").read_text())
    return _World(
        drawn["width"], drawn["height"], {countries.alpha2(code): path for code, path in drawn["paths"].items()}
    )
