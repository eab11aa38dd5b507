"""Puzzles in plain Python: parse, replay, solve. Knows nothing of the web."""

__version__ = "0.6.0"
