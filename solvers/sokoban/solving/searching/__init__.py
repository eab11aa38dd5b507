"""Searches for any solution, which the portfolio puts together.

`first_look` in plain Python, for easy levels before anything is loaded; `greedy` nearest first from both ends;
`feature_search` by the cells of a feature space, with `feature_runs` one such search from beginning to end,
`feature_tables` what it works with, `options` its options, `tree` its states and moves, `expanding` a state's moves,
`scoring` their features,
`advising` which of them cost nothing, `losing` what is lost and whether the best state is, `guides` the plan or picture
it follows, `removing` boxes that leave the board of a search for a plan.
"""
