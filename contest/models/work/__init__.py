"""Jobs for workers, `film`, `search`, `round_import` and `long_act`, and `operation`: the site's own records."""
