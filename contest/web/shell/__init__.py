"""Code shared by all pages: middleware, context, theme, static files, live parts, probes, error pages.

`request` and `forms` are shared by the sibling folders, `framing` lets other sites embed a page, `app` makes the site
installable.
"""
