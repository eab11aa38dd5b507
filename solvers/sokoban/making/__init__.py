"""Level construction: `rebuild` from a solution, `series` with exponentially long solutions."""
