"""Import of old rounds: `csv_import` reads rounds and results from `tables`, `incoming` archives; `importer` stores.

`jobs` for the desk; `undo` removes what a job brought; `guide` for the archive of a club by steps, with its `names`.
"""
