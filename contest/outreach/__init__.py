"""Communication with players and other sites.

`events`, `posts`, their `pictures`, `announcements`, `webhooks`, `questions`, `prizes`, `newsletter`;
`community` is comments, votes, stars and notifications of players.
"""
