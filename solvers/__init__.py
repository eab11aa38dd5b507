"""Puzzles in plain Python: parse, replay, solve. Knows nothing of the web."""
