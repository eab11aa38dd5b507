"""Pictures and texts drawn from values: nothing here asks the database.

`boards` · `charts` · `world_map` · `pictures` · `share_cards` · `app_icons` · `markdown` of our own pages · `post_text`
that organisers write, its `post_boards` · `math_text`.
"""
