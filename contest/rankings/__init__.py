"""Rankings of levels, and ratings over rounds: the only package that ranks.

`sort_keys` the order of rule 8.4 · `personal_bests` the best row of a player by each metric · `standings` the order of
those rows · `tops` their first rows for several levels · `pareto` the front of both metrics · `records` the best of all
· `board_versions` detection of changes · `collected` the same for levels of collections · `runs` boards of runs
· `history` past standings · `ratings` over the rounds · `rating_levels` names of rating ranges.
"""
