"""A round's results: computed (`document`), as `rows` for pages, final and revised (`publish`), changed by `rulings`,
the `revisions` these want, `evidence` of equal solutions, and what becomes final `by_itself`.
"""

from contest.results.document import current, live, public
from contest.results.publish import adopt, finalise, obstacles, revise
from contest.results.rows import (
    Leader,
    ResultRow,
    Results,
    Score,
    ShownDraw,
    names,
    preview,
    standing,
    table,
    with_replays,
)

__all__ = [
    "Leader",
    "ResultRow",
    "Results",
    "Score",
    "ShownDraw",
    "adopt",
    "current",
    "finalise",
    "live",
    "names",
    "obstacles",
    "preview",
    "public",
    "revise",
    "standing",
    "table",
    "with_replays",
]
