"""A round's results: computed and published (`publish`), changed by `rulings`, and the `revisions` these want."""

from contest.results.publish import (
    ResultRow,
    Results,
    Score,
    ShownDraw,
    adopt,
    current,
    finalise,
    live,
    names,
    obstacles,
    preview,
    public,
    revise,
    shown,
    standing,
    with_replays,
)

__all__ = [
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
    "shown",
    "standing",
    "with_replays",
]
