"""Levels outside of rounds.

`level_library` of levels that wait for a round, and the series that take them · `intake` of files of levels ·
`proposal` by players · `collection` that everybody may play.
"""
