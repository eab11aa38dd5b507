"""Email updates: opt-in, one-click unsubscribe, sent in small batches.

`subscriptions` subscribers · `digest` which mailing goes to whom · `messages` subject and text · `own_news`
notifications by email · `delivery` sending.
"""
