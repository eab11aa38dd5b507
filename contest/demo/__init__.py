"""A site with something on it: the `demo` contest, and the `simulation` of a whole season."""
