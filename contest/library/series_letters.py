"""Emails to organisers about series: no round, a queue that runs short, levels that were left out."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.mail import send_mail
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from contest.infra import identity
from contest.library import standing
from contest.library.standing import Standing
from contest.models import Series
from contest.wording import times

log = logging.getLogger(__name__)


def mail_missing_round(series: Series, number: int, opens_at: datetime, troubles: Mapping[str, str]) -> None:
    log.warning("Series %s has no round %s yet: %s", series.pk, number, troubles)
    values = {"series": series, "opens": times.format_minute(opens_at)}
    for language, trouble in troubles.items():
        with override(language):
            subject = _("%(site)s: %(series)s has no round for %(opens)s") % {"site": identity.name(), **values}
            text = _("%(trouble)s\n\nNothing will be announced until this is fixed.") % {"trouble": trouble}
        _send(subject, text)


def mail_short_queue(series: Series, left: int) -> None:
    """Warn the organisers in time that the queue runs short."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            subject = _("%(site)s: the queue of %(series)s is running low")
            subject %= {"site": identity.name(), "series": series}
            text = shortage_message(series, left)
        _send(subject, text)


def shortage_message(series: Series, left: int) -> str:
    message = ngettext(
        "The queue of %(series)s is running low: %(count)s main level is left.",
        "The queue of %(series)s is running low: %(count)s main levels are left.",
        left,
    )
    return message % {"series": series, "count": left}


def mail_left_out(series: Series, opens_at: datetime, left: Sequence[Standing], at: datetime) -> None:
    """Email which levels a turn left out; name their rounds only to organisers who may see every round."""
    log.warning("Series %s left levels out: %s", series.pk, [standing_.level.pk for standing_ in left])
    values = {"series": series, "opens": times.format_minute(opens_at)}
    for person in _organisers():
        for language, message in standing.in_each_language(partial(standing.refusal_message, left, person, at)).items():
            with override(language):
                subject = _("%(site)s: %(series)s skipped levels for %(opens)s") % {"site": identity.name(), **values}
                text = _("%(levels)s\n\nThe next levels in the queue are used instead.") % {"levels": message}
            _send(subject, text, [person.email])


def _send(subject: str, text: str, addresses: Iterable[str] | None = None) -> None:
    for address in [person.email for person in _organisers()] if addresses is None else addresses:
        try:
            send_mail(" ".join(subject.split()), text, identity.sender(), [address])
        except OSError as error:  # the notice on the desk stays
            log.warning("An organiser could not be emailed: %s", error)


def _organisers() -> list[User]:
    """Return the users who may announce rounds and have an e-mail address, one per address."""
    may = Permission.objects.filter(content_type__app_label="contest", codename="change_round")
    users = User.objects.filter(Q(is_superuser=True) | Q(groups__permissions__in=may) | Q(user_permissions__in=may))
    return list(
        {user.email: user for user in users.filter(is_active=True).exclude(email="").order_by("email")}.values()
    )
