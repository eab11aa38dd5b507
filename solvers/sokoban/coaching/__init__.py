"""Find where a solution loses moves or pushes, and why a position is lost.

`coach` searches for a better solution; `stretches`, without the compiler, compares two solutions. `tutor` finds the
boxes that can never all get home.
"""
