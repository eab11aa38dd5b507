"""What goes out and comes in beside the contest.

`events`, `posts`, `announcements`, `webhooks`, `questions`, `newsletter`.
"""
