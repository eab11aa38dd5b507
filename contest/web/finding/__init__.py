"""The search box of every page: `answers` of each kind, as far as everybody may see them · `views` that show them.

Levels of rounds and rounds themselves are found from their opening, posts from their time on (rule 7.4), so that
nothing found says what is to come.
"""
