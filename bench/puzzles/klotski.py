"""All records of Klotski compared with the published figures, their cost, and the cost of single questions."""

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.figures import Figure
from solvers.klotski import Goal, Layout, solve
from solvers.klotski.names import CLASSICS
from solvers.klotski.numbering import CLASSES, firsts, layout_of
from solvers.klotski.records.distributions import compute, counts
from solvers.klotski.records.published import PUBLISHED
from solvers.klotski.searching.graph import Graph, graph

SELF_MIRRORED = 444
STARTS, FARTHEST = 30, 10  # of the double sweep: random starts per class, and farthest layouts tried from each


def measure() -> Iterator[Figure]:
    """Yield the cost of all records in separate processes, then each record, then single questions."""
    _records("--strict")  # compiles the kernels
    records = _records()
    yield Figure(
        "records without names", records["cpu_seconds"], "s", "", None, "at most 3", records["cpu_seconds"] <= 3
    )
    records = _records("--strict")
    yield Figure("all records", records["cpu_seconds"], "s", "", None, "at most 60", records["cpu_seconds"] <= 60)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    yield Figure("all records, memory", memory, "MB", "", None, "at most 500", memory <= 500)
    for key, expected in PUBLISHED.items():
        is_slip = key == "layouts"
        yield from _compare(key, records[key], 2 * records["layouts_mod_lr"] - SELF_MIRRORED if is_slip else expected)
    yield from _questions()
    begin = time.process_time()
    is_same = compute() == counts()
    taken = time.process_time() - begin
    yield Figure("all layouts searched from: distributions", taken, "s", "", None, "as in the file", is_same)
    for horizontals in CLASSES:
        yield _double_sweep(graph(horizontals))


def _records(*options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "solvers.klotski", "records", "--json", *options]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def _compare(key: str, value: Any, expected: Any) -> Iterator[Figure]:
    pairs = value if isinstance(value, list) and isinstance(value[0], list) else [value]
    for at, (own, published) in enumerate(zip(pairs, expected if pairs is value else [expected], strict=True)):
        name = f"{key}, {at} horizontals" if pairs is value else key
        moves, layouts = own if isinstance(own, list) else (own, None)
        yield Figure(
            name + (f" ({layouts} layouts)" if layouts else ""), moves, "", "", None, str(published), own == published
        )


def _questions() -> Iterator[Figure]:
    """Yield the slowest of many single questions, in a process that has answered one of each class before."""
    chance = random.Random(1)
    layouts = [known.layout for known in CLASSICS] + [layout_of(chance.randrange(firsts()[-1])) for _ in range(100)]
    for layout in layouts:
        solve(layout, Goal.MIRROR)
    solve(layouts[0], Goal.MIRROR, is_strict=True)
    for name, is_strict, asked, limit in [("unnamed", False, layouts, 50), ("strict", True, layouts[:30], 2_000)]:
        slowest = max(_milliseconds(layout, goal, is_strict=is_strict) for layout in asked for goal in Goal)
        yield Figure(f"slowest {name} question, CPU", slowest, "ms", "", None, f"at most {limit:,}", slowest <= limit)


def _milliseconds(layout: Layout, goal: Goal, *, is_strict: bool) -> float:
    """Return the CPU time of the faster of two runs: the first may have to wait for memory."""
    taken = []
    for _ in range(2):
        begin = time.process_time()
        solve(layout, goal, is_strict=is_strict)
        taken.append((time.process_time() - begin) * 1e3)
    return min(taken)


def _double_sweep(whole: Graph) -> Figure:
    """Count how often the double sweep finds the diameter: search to the farthest layouts, then from each of them."""
    chance = random.Random(1)
    sizes = np.diff(whole.part_bounds)
    first, last = map(int, whole.part_bounds[sizes.argmax() :][:2])
    answers = []
    for _ in range(STARTS):
        distances = whole.distances(chance.randrange(first, last))
        farthest = np.flatnonzero(distances == distances.max())[:FARTHEST]
        answers.append(max(int(whole.distances(int(place)).max()) for place in farthest))
    diameter = len(counts()["eccentricity"][whole.horizontals]) - 1
    right = answers.count(diameter)
    name = f"double sweep, {whole.horizontals} horizontals: right from (worst {min(answers)} for {diameter})"
    return Figure(name, right, f"/{STARTS}")
