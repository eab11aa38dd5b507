"""How the site itself is: `health`, `metrics`, `outages`, `backups`, their `keeping`, and the `checks` at its start.

And the `asked_backups` that organisers want made now.
"""
