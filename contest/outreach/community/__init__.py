"""Comments, votes and follows of players about revealed levels, and their notifications (rule 27).

`subjects` the two kinds of levels that can be discussed · `votes` on three scales · `own_solutions` or copies ·
`comments` and their moderation · `stars` followed players and levels · `bell` notifications, from the database ·
`concerning`: acts of organisers on a player.
"""
