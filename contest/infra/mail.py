"""Whether messages leave this site."""

from django.conf import settings


def is_printed() -> bool:
    """Whether there is no mail server, so that messages are printed by the process that writes them."""
    backend: str = settings.EMAIL_BACKEND
    return backend.endswith("console.EmailBackend")
