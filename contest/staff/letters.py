"""Emails to members of the staff and owners of accounts, whose language is not known."""

import logging
from collections.abc import Callable, Iterable
from smtplib import SMTPException

from django.core.mail import send_mail

from contest.infra import identity, mail

log = logging.getLogger(__name__)


def send_in_all_languages(addresses: Iterable[str], subject: str, compose: Callable[[], str]) -> None:
    """Email each address separately the text that *compose* returns, in all languages of the site.

    A failure is logged: every such text can also be read on the site.
    """
    text = mail.in_all_languages(compose)
    for address in addresses:
        try:
            send_mail(subject, text, identity.sender(), [address])
        except (OSError, SMTPException) as error:
            log.warning("An email could not be sent: %s", type(error).__name__)
