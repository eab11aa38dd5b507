"""Benches of the puzzle library, and of its twins in browsers."""
