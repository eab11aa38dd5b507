"""Level construction: `rebuild` from a solution, `series` with exponentially long solutions, `rooms` at random.

`techniques` has levels that each teach one technique.
"""
