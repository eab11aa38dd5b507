"""Content to try the site with: the `demo` contest with its `earlier` rounds, and the `simulation` of a whole season.

`making`, `making_course` and `making_deadlocks` generate the levels and positions in contest.library.own.
"""
