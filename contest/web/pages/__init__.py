"""The pages that everybody reads.

Contests: `views` (home, rounds, a round, a level) · `accepted` · `boards` · `results` · `stats` · `screen` ·
`questions`. Solutions: `replays` · `program`. Levels: `levels` · `authors`. Players: `people` · `compare`. Texts:
`posts` · `reading`.
"""
