"""The search box of every page: `answers` finds public objects of each kind · `views` shows them.

Rounds and their levels are found only after opening, posts only after publication (rule 7.4): a search must not reveal
future rounds.
"""
