"""Sessions in the database: a stranger's end after a day, and the rows of ended ones are deleted."""

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

STRANGER_SECONDS = 24 * 3600


class SessionStore(db.SessionStore):
    """Django's sessions, with a shorter life for those in which nobody has signed in: anybody can begin thousands."""

    def get_session_cookie_age(self) -> int:
        return settings.SESSION_COOKIE_AGE if SESSION_KEY in self else STRANGER_SECONDS
