"""The season's calendar: `rows` reads what a reader may see, `sheet` arranges it by weeks and tracks.

`edited` reads a file that comes back from a calendar program.
"""
