"""What surrounds every page: early answers, middleware, context, theme, static files, live parts; probes, API guide,
our trouble.

`app` is the site as an app that browsers install.
"""
