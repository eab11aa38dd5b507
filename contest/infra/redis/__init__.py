"""Redis: `scripts` that it runs, asked the shortest way."""
