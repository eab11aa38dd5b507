"""Django's PostgreSQL: `base` with statements that the server prepares once, `waits` for those who answer requests.

`libpq` for what is asked without a cursor.
"""
