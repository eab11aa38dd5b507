"""Measurements, each beside a baseline measured in the same run: `python -m bench`, or `python -m bench replay judge`.

Machines differ and are shared: read the ratios, not the times.
"""
