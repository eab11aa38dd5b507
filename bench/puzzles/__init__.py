"""Benches of the puzzle library and of its JavaScript counterparts in browsers."""
