"""Published solutions to watch: `public` (the gallery), their `animations`, and `practice` in closed rounds."""

from contest.replays.public import Facts, Listed, collection, facts, gallery, leaders, waits_for

__all__ = [
    "Facts",
    "Listed",
    "collection",
    "facts",
    "gallery",
    "leaders",
    "waits_for",
]
