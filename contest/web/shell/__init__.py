"""What surrounds every page: early answers, middleware, context, theme, static files, live parts; probes, our trouble.

`request` and `forms` are what the folders above share, `framing` lets other sites show a page, `app` is the site as an
app that browsers install.
"""
