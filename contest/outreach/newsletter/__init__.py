"""Email updates: opt-in, one press to end, sent in small batches.

`subscriptions` who wants them · `digest` what is told to whom · `messages` what a letter says · `own_news` what the
bell says, as a letter · `delivery` how it leaves.
"""
