"""Levels that are made: `rebuild` from a solution, `series` whose solutions grow exponentially."""
