"""Every row of the table of extremes in docs/reference/klotski.md, computed without using any published figure."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.layout import EXIT, Mirror
from solvers.klotski.names import classic
from solvers.klotski.numbering import CLASSES
from solvers.klotski.records.maxima import HARDEST_FIRST, Maxima, Record, maxima_of
from solvers.klotski.records.minima import minimum
from solvers.klotski.searching.graph import Graph, graph

Records = dict[str, Any]
Extremes = dict[str, list[Record]]  # by key of the records; for the classic game one record per class
Progress = Callable[[str | None], object]  # the current task; None when a step has ended

STEPS = 9  # of progress: six classes and three minima, once more for the strict ones
_NAMES = ("lr", "ud", "rot")


def records(*, is_strict: bool = False, progress: Progress = lambda _: None) -> tuple[Records, Extremes]:
    """Recompute the records. Return them and the layouts that hold them.

    Pairs are [value, number of layouts]; for the classic game one of two left-right images counts, otherwise one of
    four. *progress* is called with a description, and with None at the end of each of the STEPS, twice as many if
    *is_strict*. About 3 CPU seconds; strict ones about 25 more, and 350 MB.
    """
    begin = time.process_time()
    hardest = _hardest()
    extremes: Extremes = {"classic_hardest": hardest}
    values: Records = {**_counts(), **_classic(), "classic_hardest": [_value_and_count(record) for record in hardest]}
    _add_extremes(extremes, "mirror", progress, is_named=False)
    extremes["diameter"] = extremes.pop("mirror_diameter")
    if is_strict:
        values["nodes_of_the_published_search"] = _add_extremes(extremes, "strict", progress, is_named=True)
    values |= {
        key: _value_and_count(records_of_key[0]) for key, records_of_key in extremes.items() if key != "classic_hardest"
    }
    values["diameter"] = values["diameter"][0]  # the posts do not give the number of layouts
    ordered = {key: values[key] for key in _KEYS if key in values}
    ordered_extremes = {key: extremes[key] for key in _KEYS if key in extremes}
    return {**ordered, "cpu_seconds": round(time.process_time() - begin, 2)}, ordered_extremes


_KEYS = [
    "layouts", "layouts_mod_lr", "layouts_mod_v4", "end_states", "dictionary", "classic_hengdaolima", "classic_hardest",
    "mirror_lr_max", "mirror_ud_max", "mirror_rot_max", "mirror_rot_min", "diameter",
    "strict_lr_max", "strict_ud_max", "strict_rot_max", "strict_diameter",
    "strict_lr_min", "strict_ud_min", "strict_rot_min", "nodes_of_the_published_search",
]  # fmt: skip


def _add_extremes(extremes: Extremes, prefix: str, progress: Progress, *, is_named: bool) -> int:
    """Add the longest and shortest paths to mirror images, and the longest of all; return a full search's nodes."""
    maxima = Maxima()
    for horizontals in HARDEST_FIRST:
        maxima_of(horizontals, maxima, is_named=is_named, progress=lambda text: progress(f"{prefix} longest, {text}"))
        progress(None)
    for name, mirror, longest in zip(_NAMES, Mirror, maxima.records, strict=False):
        shortest = minimum(mirror, is_named=is_named, progress=lambda text: progress(f"{prefix} shortest, {text}"))
        extremes |= {f"{prefix}_{name}_max": [longest], f"{prefix}_{name}_min": [shortest]}
        progress(None)
    extremes[f"{prefix}_diameter"] = [maxima.records[3]]
    return maxima.nodes


def _value_and_count(record: Record) -> list[int]:
    return [record.value, len(record.layouts)]


def _counts() -> Records:
    classes = [graph(horizontals) for horizontals in CLASSES]
    return {
        "layouts": sum(class_graph.size for class_graph in classes),
        "layouts_mod_lr": sum(int(_left_leads(class_graph).sum()) for class_graph in classes),
        "layouts_mod_v4": sum(int(class_graph.leads.sum()) for class_graph in classes),
        "end_states": sum(int(_end_states(class_graph).sum()) for class_graph in classes),
    }


def _classic() -> Records:
    others = 0
    for class_graph in map(graph, CLASSES):
        others += int((_exit_distances(class_graph)[_left_leads(class_graph)] > 0).sum())
    start = classic("横刀立马").layout
    class_graph = graph(start.horizontals)
    return {
        "dictionary": others + sum(int(_end_states(graph(horizontals)).sum()) for horizontals in CLASSES),
        "classic_hengdaolima": int(_exit_distances(class_graph)[class_graph.place(start)]),
    }


def _hardest() -> list[Record]:
    """Return the layouts farthest from the exit, one record per class."""
    hardest = []
    for class_graph in map(graph, CLASSES):
        record = Record()
        record.add(np.where(_left_leads(class_graph), _exit_distances(class_graph), -1), class_graph.layout)
        hardest.append(record)
    return hardest


def _exit_distances(class_graph: Graph) -> NDArray[np.int16]:
    return np.asarray(class_graph.distances(np.flatnonzero(class_graph.caos == EXIT)))


def _left_leads(class_graph: Graph) -> NDArray[np.bool_]:
    """Return for each layout whether it represents itself and its left-right image."""
    return np.asarray(np.arange(class_graph.size) <= class_graph.images[0])


def _end_states(class_graph: Graph) -> NDArray[np.bool_]:
    """Return for each layout whether its 2x2 block is at the exit and can move, one of two left-right images."""
    sources = np.repeat(np.arange(class_graph.size), np.diff(class_graph.starts))
    can_leave = np.zeros(class_graph.size, np.bool_)
    can_leave[sources[class_graph.caos[class_graph.targets] != class_graph.caos[sources]]] = True
    return np.asarray((class_graph.caos == EXIT) & can_leave & _left_leads(class_graph))
