"""Level construction: `rebuild` from a solution, `series` with exponentially long solutions, `rooms` at random.

`techniques` has levels that each teach one technique. `hall` is a level for timing path searches, `timing` does that.
"""
