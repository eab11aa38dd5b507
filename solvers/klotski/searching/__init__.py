"""Compiled searches over all layouts: `graph` of a class, built by `kernels`, and `cover`, the graph repeated for each
arrangement of names.

`arrangements` are orders of names · `cover_kernels` search the cover · `tracing` reconstructs a path · `exhaustive`
answers for all layouts at once. Importing any of these loads numba; the modules above use look-ups where they can.
"""
