"""Checks of what an archive binds: its `chain` with the opening · from format 4 on `entries` as received, `closings`
and the `randomness` of the draw, and `certificates` of levels · `provenance` of every member, from which the last words
are printed.

Pure functions over the values from `reader`; `verify` calls them (rules 24.1, 24.2).
"""
