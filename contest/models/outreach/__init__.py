"""Published and sent content: `post` and its `picture` · `prize` and sponsors · `program`s for Sokoban · `letter` to
subscribers · `event` in order of occurrence · `site_identity` the site's name and looks · the nightly `dump` · `access`
tokens for programs, and webhooks that notify them.
"""
