"""Published and sent content: `post` and its `picture` · `prize` · `letter` to subscribers · `event` in order of
occurrence · the nightly `dump` · `access` tokens for programs, and webhooks that notify them.
"""
