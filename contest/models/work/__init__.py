"""Jobs for workers, `film`, `search`, `round_import` and `long_act`, the `certificate` of a search, and `operation`."""
