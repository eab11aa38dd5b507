"""Find where a solution loses moves or pushes.

`coach` searches for a better solution; `stretches`, without the compiler, compares two solutions.
"""
