"""Exact searches: A* over pushes, with admissible lower bounds.

`best_first` runs one search; `astar` is its kernel and `scratch` the kernel's tables; `states` stores the states found,
packed; `open_list` is the priority queue. `lower_bounds` bounds the pushes by matching, `heights` adds walking,
`pairs` adds conflicts between two boxes. `symmetries` finds equivalent states; `tracing` reconstructs the path to a
state; `vicinity` builds the fence around a solution, for the optimizer.
"""
