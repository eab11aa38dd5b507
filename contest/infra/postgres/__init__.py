"""Django's PostgreSQL, with statements that the server prepares once."""
