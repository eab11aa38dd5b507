"""A site with something on it: the `demo` contest, the `simulation` of a whole season, and the
site's `own_levels`, which `making` makes.
"""
