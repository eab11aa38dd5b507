"""Languages and widths of a page that must fit: in the short size each of them once."""

from itertools import product

from tests.sizes import cases

SCREENS = cases([("en", 360), ("zh-hans", 1280)], product(("en", "zh-hans"), (360, 1280)))
