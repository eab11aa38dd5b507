"""SQLite for one box: `base` is Django's backend, `queue` the line of its writers, `files` the database's file."""
