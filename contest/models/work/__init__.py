"""What workers are asked for, `film` and `search`, and `operation`: the site's own record of itself."""
