"""An oracle written from docs/reference/rules.md without code of the site, and random rounds in which both must agree.

`rulebook` the rules as plain functions · `history` results of rounds, rulings and merges · `outsider` a round from its
archive: these three import only the standard library · `texts` levels and submissions for them · `playing` random
rounds, played on the site and by the oracle · `comparing` their results.

`ORACLE_ROUNDS=100` plays a hundred rounds, ten in a history. Sometimes a round of another track is open too:
`history` assigns texts that name no round to one of both.
"""
