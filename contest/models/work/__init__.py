"""Jobs for workers, `film` and `search`, and `operation`: the site's operational records."""
