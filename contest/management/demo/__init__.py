"""A site with something on it: the `demo` contest with its `earlier` rounds, the `simulation` of a whole season, and
the site's `own_levels`, which `making` makes, and `own_posts`.
"""
