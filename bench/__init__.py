"""Benchmarks, each compared with a baseline from the same run: `python -m bench`, or `python -m bench replay judge`.

Machines differ and run other work too: read the ratios, not the times.
"""
