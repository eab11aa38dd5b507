"""Generator of the course of techniques: small levels with proofs of what they teach.

The result depends only on the seeds, like that of `making`. `manage.py make_levels --course` runs it.
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from itertools import product

from contest.management.demo.making import OwnLevel, crop, is_pleasant, prove_optimal
from solvers.sokoban.making.techniques import Facts, TooManyPositions, facts

SIZES = ((1, 5, 4), (1, 6, 5), (2, 5, 4), (2, 6, 4), (2, 6, 5), (3, 5, 4), (3, 5, 5), (3, 6, 5), (4, 5, 5))
SEEDS = range(1, 7)
BOARDS, PER_SEARCH = 60, 6
PER_THEME = 4
_LEANEST = 4  # times as many candidates as levels are compared by difficulty: those with the least floor


@dataclass(frozen=True)
class Candidate:
    """A level with its optimal solutions and with what is proved of it."""

    own: OwnLevel
    facts: Facts

    @property
    def boxes(self) -> int:
        return len(self.own.level.boxes)

    @property
    def pushes(self) -> int:
        return sum(step.isupper() for step in self.own.by_pushes)

    @property
    def moves(self) -> int:
        return len(self.own.by_moves)

    @property
    def techniques(self) -> str:
        """The necessary techniques, as letters: parking, order, corral."""
        known = self.facts
        return "p" * known.needs_parking + "o" * known.needs_order + "c" * known.needs_corral

    @property
    def is_plain(self) -> bool:
        """Return True if no technique is necessary, and no push but the direct ones."""
        return not self.techniques and self.pushes == self.facts.direct

    @property
    def has_trap(self) -> bool:
        return self.is_plain and self.boxes <= 2 and self.facts.good_first_pushes < self.facts.first_pushes


# For each theme, the condition that a level teaches it and nothing else.
TEACHES: dict[str, Callable[[Candidate], bool]] = {
    "walk": lambda one: one.is_plain and one.boxes <= 2 and one.moves >= 4 * one.pushes,
    "corner": lambda one: one.has_trap and one.facts.walls <= 1 and one.facts.corners >= 3,
    "wall": lambda one: one.has_trap and one.facts.walls >= 4,
    "detour": lambda one: not one.techniques and one.boxes <= 2 and one.pushes >= one.facts.direct + 4,
    "parity": lambda one: not one.techniques and one.boxes >= 2 and one.pushes == one.facts.direct + 2,
    "parking": lambda one: one.techniques == "p",
    "packing": lambda one: one.techniques == "o" and one.boxes >= 3,
    "corral": lambda one: one.techniques == "c",
    "all": lambda one: one.techniques == "poc" and one.boxes >= 3,
}


def make(known: Collection[str] = (), report: Callable[[int], object] | None = None) -> str:
    """Return the course as JSON. Exclude levels with one of the *known* keys, turned or mirrored too.

    Takes about ten minutes of CPU time. *report* is called with the number of levels found so far.
    """
    by_key: dict[str, Candidate] = {}
    for size, seed in product(SIZES, SEEDS):
        for candidate in _candidates(size, seed):
            if candidate.own.level.key not in known:
                by_key.setdefault(candidate.own.level.key, candidate)
        if report:
            report(len(by_key))
    chosen: dict[str, tuple[str, Candidate]] = {}
    for theme in TEACHES:
        for candidate in _choose(theme, by_key.values()):
            chosen.setdefault(candidate.own.level.key, (theme, candidate))  # a level teaches one theme
    rows = [_row(theme, candidate) for theme, candidate in chosen.values()]
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"


def _row(theme: str, candidate: Candidate) -> dict[str, object]:
    own = candidate.own
    return {
        "theme": theme,
        "text": own.level.published_text,
        "by_moves": own.by_moves,
        "by_pushes": own.by_pushes,
        "facts": asdict(candidate.facts),
    }


def _candidates(size: tuple[int, int, int], seed: int) -> Iterator[Candidate]:
    from solvers.sokoban.solving.finding import Quality, find_levels

    boxes, width, height = size
    for quality in Quality:
        for found in find_levels(
            boxes, width=width, height=height, quality=quality, boards=BOARDS, most=PER_SEARCH, seed=seed
        ):
            own = prove_optimal(crop(found.level))
            if own and is_pleasant(own):
                try:
                    yield Candidate(own, facts(own.level))
                except TooManyPositions:
                    continue


def _choose(theme: str, candidates: Collection[Candidate]) -> list[Candidate]:
    """Return up to four levels of a theme: among those with the least floor, evenly spread over the scores."""
    fitting = [one for one in candidates if TEACHES[theme](one)]
    leanest = sorted(fitting, key=lambda one: (one.facts.floor, one.own.level.key))[: _LEANEST * PER_THEME]
    ranked = sorted(leanest, key=lambda one: (one.own.score, one.own.level.key))
    if len(ranked) <= PER_THEME:
        return ranked
    return [ranked[at * (len(ranked) - 1) // (PER_THEME - 1)] for at in range(PER_THEME)]
