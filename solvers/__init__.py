"""Puzzles in plain Python: parse, replay, solve. Independent of the web site."""

__version__ = "0.6.0"
