"""SQLite for a single machine: `base` Django's backend, `queue` the order of writers, `files` the database file."""
