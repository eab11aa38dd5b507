"""Check whether this site sends mail."""

from django.conf import settings


def is_printed() -> bool:
    """Return whether mail is printed to the process's console because there is no mail server."""
    backend: str = settings.EMAIL_BACKEND
    return backend.endswith("console.EmailBackend")
