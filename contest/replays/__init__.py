"""Published solutions as replays: `public` (the gallery), their `animations`, and `practice` in closed rounds."""

from contest.replays.public import ComparableSolution, Facts, collection, facts, gallery, leaders, waits_for

__all__ = [
    "ComparableSolution",
    "Facts",
    "collection",
    "facts",
    "gallery",
    "leaders",
    "waits_for",
]
