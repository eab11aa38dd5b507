"""Levels outside of rounds.

`level_library` for levels that wait for a round, and the series that use them · `intake` for uploaded level files ·
`proposal` for levels by players · `collection` for levels that everybody may play · `run` for many of them in a row.
"""
