"""Pictures and texts rendered from plain values: nothing here queries the database.

`boards` · `charts` · `world_map` · `pictures` · `share_cards` · `app_icons` · `markdown` of the repository's pages ·
`post_text` of organisers, its `post_boards` · `math_text`.
"""
