"""Content to try the site with: the `demo` contest with its `earlier` rounds, and the `simulation` of a whole season.

`making` and `making_course` generate the levels in contest.library.own.
"""
