"""How the site itself is: `health`, `metrics`, `outages`, `backups`, and the `checks` at its start."""
