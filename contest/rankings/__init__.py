"""Who is where on a level, and over the rounds: the only place that ranks.

`sort_keys` the order of rule 8.4 · `personal_bests` the best row of a player by each metric · `standings` the order of
those rows · `pareto` the front of both metrics · `records` the best of all · `board_versions` whether they have changed
· `collected` all this for levels of collections · `history` the standings as they were · `ratings` over the rounds ·
`rating_levels` what they are called.
"""
