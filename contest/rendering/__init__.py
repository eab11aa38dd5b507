"""Pictures and texts rendered from plain values: nothing here queries the database.

`boards` · `charts` · `world_map` · `pictures` · `share_cards` · `app_icons` · `colours` · `math_text` · `markdown` (the
repository's pages) · `post_text` and `post_boards` (organisers' posts).
"""
