"""Exact searches: A* over pushes, with bounds.

`best_first` one search from beginning to end; `astar` its kernel; `scratch` what that works on; `states` the states it
keeps, packed; `open_list` those that wait; `lower_bounds` how much is needed at least, `heights` how much walking,
`pairs` how much more where boxes hinder each other; `symmetries` which states are images of each other; `tracing` the
way back from a state; `vicinity` the fence round a solution, for the optimizer.
"""
