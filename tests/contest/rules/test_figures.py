"""The figures that the reference states are those of the code."""
