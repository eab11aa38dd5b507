"""The extremes of Klotski and how they are found.

`maxima` and `minima` search · `table` has every row · `published` is what others found, to compare with · `extremes`
and `distributions` are looked up in files that these made · `charts` draws them.
"""
