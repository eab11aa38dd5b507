"""Content to try the site with: the `demo` contest with its `earlier` rounds, the `simulation` of a whole season, and
`own_posts`. `making` and `making_course` generate the levels in contest.library.own.
"""
