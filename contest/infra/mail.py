"""The mail server, whether this site has one, and texts in all languages."""

from collections.abc import Callable, Sequence
from email.utils import make_msgid
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends import smtp
from django.utils.translation import get_language, override


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


def in_all_languages(compose: Callable[[], str]) -> str:
    """Return the text that *compose* returns in each language of the site, the active language first."""
    here = get_language()
    texts = []
    for code in sorted((code for code, _name in settings.LANGUAGES), key=lambda code: code != here):
        with override(code):
            texts.append(compose())
    return "\n\n——\n\n".join(texts)
