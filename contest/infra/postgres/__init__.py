"""Django's PostgreSQL: `base` binds parameters at the server, `waits` gives requests a limit."""
