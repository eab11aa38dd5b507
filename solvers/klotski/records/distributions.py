"""Distributions of distances to the exit, to the mirror images and to the farthest layout.

The file `distributions.json` has the counts over all 363,480 layouts, by class. `compute` recomputes them by
breadth-first searches from 512 layouts at once, one bit each (multi-source search, after Then and others, "The more the
merrier", 2014), in about half a minute.
"""

import json
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.klotski.numbering import CLASSES

if TYPE_CHECKING:
    from solvers.klotski.searching.graph import Graph

FILE = Path(__file__).with_name("distributions.json")


class Measure(StrEnum):
    """Measures of a layout, in moves."""

    CLASSIC = "classic"
    MIRROR = "mirror"
    UPSIDE_DOWN = "upside-down"
    ROTATED = "rotated"
    ECCENTRICITY = "eccentricity"


# By measure and class: the number of layouts at a distance of 0, 1, 2, ... moves.
Counts = dict[str, list[list[int]]]
Progress = Callable[[str], object]


@cache
def counts() -> Counts:
    """Return the counts in the file.

    >>> found = counts()
    >>> len(found["classic"]), found["classic"][1][81], found["eccentricity"][3][268]
    (6, 62, 8)
    """
    found: Counts = json.loads(FILE.read_text())
    return found


def compute(classes: range = CLASSES, progress: Progress = lambda _: None) -> Counts:
    """Count all layouts of some classes, omitting unreachable goals. About 30 CPU seconds for all."""
    from solvers.klotski.searching.graph import graph  # imports numba

    totals: Counts = {measure.value: [] for measure in Measure}
    for horizontals in classes:
        class_graph = graph(horizontals)
        by_measure = _count_class(class_graph, progress)
        for measure, distances in zip(Measure, by_measure, strict=True):
            totals[measure.value].append([distances[at] for at in range(max(distances, default=-1) + 1)])
    return totals


def _count_class(class_graph: "Graph", progress: Progress) -> list[Counter[int]]:
    import numpy as np  # imported together with numba

    from solvers.klotski.layout import EXIT
    from solvers.klotski.searching.exhaustive import answers

    classic = class_graph.distances(np.flatnonzero(class_graph.caos == EXIT))
    leads = np.flatnonzero(class_graph.leads)
    # The number of different images of each lead, including itself.
    weights = np.array(
        [len({lead, *images}) for lead, images in zip(leads, class_graph.images[:, leads].T, strict=True)]
    )
    counters = [_count(classic, np.ones_like(classic))]
    rows = answers(
        class_graph, leads, lambda done: progress(f"{class_graph.horizontals} horizontals, {done:,} layouts")
    )
    return counters + [_count(row, weights) for row in rows]


def _count(distances: Any, weights: Any) -> Counter[int]:
    counter: Counter[int] = Counter()
    for distance, weight in zip(distances.tolist(), weights.tolist(), strict=True):
        if distance >= 0:
            counter[distance] += weight
    return counter


def format_counts(totals: Counts) -> str:
    """Return the counts in the format of the file: one line per class.

    >>> format_counts(counts()) == FILE.read_text()
    True
    """
    measures = (
        f'"{measure}": [\n' + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"
        for measure, rows in totals.items()
    )
    return "{\n" + ",\n".join(measures) + "\n}\n"
