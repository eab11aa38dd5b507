"""Searches for any solution, combined by the portfolio.

`first_look` solves easy levels in plain Python before numba is loaded. `greedy` is a bidirectional best-first search.
`feature_search` is the step of a feature-space search, `feature_runs` one such search from start to end,
`feature_tables` its tables, `options` its options, `tree` its states and moves. `expanding` generates a state's moves,
`scoring` computes features, `advising` proposes moves of weight 0, `losing` detects lost states, `guides` holds the
plan or picture to follow, `removing` takes boxes off the board in the search for a plan.
"""
