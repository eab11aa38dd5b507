"""What goes out: `post` to read, its `picture` · `prize` that is won · `letter` to subscribers · `event` in the order
in which they happened · each night's `dump` · `access` of programs, and the webhooks that tell them.
"""
