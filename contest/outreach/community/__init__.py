"""Comments of players on revealed levels and posts, votes and follows, and their notifications (rule 27).

`subjects` levels and posts that can be discussed · `votes` on three scales · `own_solutions` or copies ·
`comments` and their moderation · `stars` followed players and levels · `bell` notifications, from the database ·
`concerning`: acts of organisers on a player.
"""
