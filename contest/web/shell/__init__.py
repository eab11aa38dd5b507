"""What surrounds every page: its context, theme, static files and live parts; the probes, and the API's guide."""
