"""What goes out and comes in beside the contest.

`events`, `posts`, their `pictures`, `announcements`, `webhooks`, `questions`, `prizes`, `newsletter`;
`community` is what players say and are told.
"""
