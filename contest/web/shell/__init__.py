"""What surrounds every page: context, theme, static files, live parts; probes, the guide to the API, our trouble."""
