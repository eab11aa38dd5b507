"""Extremes of Klotski and how they are computed.

`maxima` and `minima` search · `table` has every row · `published` has the published figures, for comparison ·
`extremes` and `distributions` read files computed by these · `charts` draws them.
"""
