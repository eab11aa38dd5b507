"""Pictures and texts drawn from values: nothing here asks the database.

`charts` · `share_cards` · `markdown` · `math_text`.
"""
