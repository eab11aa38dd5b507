"""Draw the countries of a TopoJSON file as SVG paths: `python3 -m tooling.assets.world_map countries-110m.json`.

The file comes from npm's world-atlas (ISC), with borders from Natural Earth (public domain). The output is
contest/rendering/world.json: the path of each country by its ISO 3166-1 numeric code, in the Natural Earth projection
(Šavrič, Jenny, Patterson, Petrovič and Hurni, 2011), cut through the Bering Strait, where it cuts no country.
"""

import itertools
import json
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

WIDTH = 720
# Square units. A smaller piece would be invisible, but a country keeps its largest piece.
LEAST_AREA = 1.5
_ANTARCTICA = "010"
_MIDDLE = 11.5  # degrees east
Point = tuple[int, int]


def main(path: str) -> None:
    topology = json.loads(Path(path).read_text())
    arcs = [list(_decode(arc, topology["transform"])) for arc in topology["arcs"]]
    paths = {}
    for shape in topology["objects"]["countries"]["geometries"]:
        if (code := shape.get("id")) and code != _ANTARCTICA:
            polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
            rings = [_simplify_ring(ring, arcs) for polygon in polygons for ring in polygon]
            paths[code] = "".join(map(_draw_path, _large_enough(rings)))
    height = math.ceil(_project(0, -58)[1])
    print(json.dumps({"width": WIDTH, "height": height, "paths": dict(sorted(paths.items()))}, indent=0))


def _decode(arc: Iterable[tuple[int, int]], transform: dict[str, Any]) -> Iterator[Point]:
    (scale_x, scale_y), (first_x, first_y) = transform["scale"], transform["translate"]
    x = y = 0
    for right, up in arc:
        x, y = x + right, y + up
        yield _project(first_x + x * scale_x, first_y + y * scale_y)


def _project(longitude: float, latitude: float) -> Point:
    """Return whole units from the left and from 84° north."""
    return round(WIDTH / 2 + _natural_earth(longitude, latitude)[0]), round(_TOP - _natural_earth(0, latitude)[1])


def _natural_earth(longitude: float, latitude: float) -> tuple[float, float]:
    east, north = math.radians((longitude - _MIDDLE + 180) % 360 - 180), math.radians(latitude)
    n2, n4, n10 = north**2, north**4, north**10
    x = east * (0.8707 - 0.131979 * n2 - 0.013791 * n4 + 0.003971 * n10 - 0.001529 * n10 * n2)
    y = north * (1.007226 + 0.015085 * n2 - 0.044475 * n4 * n2 + 0.028874 * n4**2 - 0.005916 * n10)
    scale = WIDTH / (2 * math.pi * 0.8707)  # the equator's
    return x * scale, y * scale


_TOP = _natural_earth(0, 84)[1]


def _simplify_ring(ring: list[int], arcs: list[list[Point]]) -> list[Point]:
    """Return the corners of a ring without repeated points and without points in the middle of a straight line."""
    points = [point for arc in ring for point in (arcs[arc] if arc >= 0 else reversed(arcs[~arc]))]
    corners: list[Point] = []
    for point in points:
        if corners and point == corners[-1]:
            continue
        if len(corners) > 1 and _area([corners[-2], corners[-1], point]) == 0:
            corners.pop()
        corners.append(point)
    return corners[:-1] if corners[0] == corners[-1] else corners


def _large_enough(rings: list[list[Point]]) -> list[list[Point]]:
    largest = max(rings, key=_area)
    return [ring for ring in rings if _area(ring) >= LEAST_AREA or (ring is largest and len(ring) > 2)]


def _area(ring: list[Point]) -> float:
    ends = zip(ring, ring[1:] + ring[:1], strict=True)
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in ends)) / 2


def _draw_path(ring: list[Point]) -> str:
    steps = [(x - before_x, y - before_y) for (before_x, before_y), (x, y) in itertools.pairwise(ring)]
    return f"M{ring[0][0]},{ring[0][1]}l{' '.join(f'{x},{y}' for x, y in steps)}z"


if __name__ == "__main__":
    main(sys.argv[1])
