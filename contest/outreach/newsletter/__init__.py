"""Letters by e-mail: opt-in, one press to end, sent in small batches.

`subscriptions` who wants them · `digest` what is told to whom · `messages` what a letter says · `delivery` how it
leaves.
"""
