"""The mail server, and whether this site has one."""

from collections.abc import Sequence
from email.utils import make_msgid
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends import smtp


class Server(smtp.EmailBackend):
    """Django's SMTP backend, but each Message-ID names the site's host: Django's names the machine."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        if host := urlsplit(settings.SITE_URL).hostname:
            for message in email_messages:
                message.extra_headers.setdefault("Message-ID", make_msgid(domain=host))
        return super().send_messages(email_messages)


def is_printed() -> bool:
    """Return whether mail is printed to the process's console because there is no mail server."""
    backend: str = settings.EMAIL_BACKEND
    return backend.endswith("console.EmailBackend")
