"""The lab: puzzles beside Sokoban, to play with and to read about."""
