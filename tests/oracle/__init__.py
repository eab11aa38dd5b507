"""An oracle written from docs/rules.md, sharing no code with the site, and random rounds in which both must agree.

`rulebook` the rules as plain functions · `history` what rounds, rulings and merges come to: these two import nothing
but the standard library · `texts` levels, and what is sent for them · `playing` random rounds, played on the site and
told to the oracle · `comparing` what both say. `ORACLE_ROUNDS=100` plays a hundred rounds, ten in a history.
Beside some a round of another track is open: what names no round is then for one of both, and `history` says for which.
"""
