"""Results of a round: computed (`document`), as `rows` for pages, rank `gains`, final and revised (`publish`),
`rulings`, causes of `unranked` submissions, due `revisions`, `evidence` of equal solutions, and automatic finalisation
(`by_itself`).
"""

from contest.results.document import current, live, public
from contest.results.gains import Gain, nearest_gain
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
    "Gain",
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
    "nearest_gain",
    "obstacles",
    "preview",
    "public",
    "revise",
    "standing",
    "table",
    "with_replays",
]
