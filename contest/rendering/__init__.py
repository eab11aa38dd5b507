"""Pictures and texts drawn from values: nothing here asks the database.

`charts` · `share_cards` · `markdown` of our own pages · `post_text` that organisers write · `math_text`.
"""
