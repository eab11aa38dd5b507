"""Jobs for workers, `film`, `search` and `round_import`, and `operation`: the site's operational records."""
