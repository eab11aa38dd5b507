"""The public pages.

Contests: `views` (home, rounds, a round, a level) · `accepted` · `boards` · `results` · `stats` · `screen`.
Solutions: `replays` · `program`. Levels: `levels` with `tiles` · `authors`. Players: `people` · `compare`. Texts:
`posts` · `reading`.
"""
