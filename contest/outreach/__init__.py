"""Communication with players and other sites.

`events`, `posts`, their `post_categories` and `pictures`, the site's `own_posts`, `announcements`, `webhooks`,
`questions`, `prizes`, `programs` for Sokoban, `site_identity` the site's name and looks, `newsletter`;
`community` is comments, votes, stars and notifications of players.
"""
