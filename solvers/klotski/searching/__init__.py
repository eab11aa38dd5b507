"""Searches over all layouts, compiled: `graph` of a class, made by `kernels`, and `cover` of it once for each order of
names.

`arrangements` are those orders · `cover_kernels` run over them · `tracing` finds the way back · `exhaustive` asks for
every layout at once. What of this is imported loads numba; the modules above look up instead where they can.
"""
