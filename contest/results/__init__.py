"""The results of a round: computed and published (`publish`), and the `rulings` that change them."""

from contest.results.publish import (
    ResultRow,
    Results,
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
