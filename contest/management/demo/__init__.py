"""Content to try the site with: the `demo` contest with its `earlier` rounds, the `simulation` of a whole season, the
site's `own_levels`, which `making` generates, and `own_posts`.
"""
