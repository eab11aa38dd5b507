"""PostgreSQL backend: `base` binds parameters at the server, `waits` sets timeouts for requests."""
