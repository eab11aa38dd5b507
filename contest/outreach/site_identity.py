"""Save the site's name, mark, colours, time zone, language, contact and first words, and describe their effect."""

import re
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import model_to_dict
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from contest.infra import identity
from contest.models import Round, Series, SiteIdentity
from contest.players.email_addresses import mask
from contest.rendering import post_text
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.wording import times

_MOST_SHOWN = 5
_ADDRESS = re.compile(r"\S+@\S+")


def find() -> SiteIdentity:
    """Return the stored row, or a new one that sets nothing."""
    return SiteIdentity.objects.select_related("logo").filter(pk=1).first() or SiteIdentity(pk=1)


@transaction.atomic
def save(row: SiteIdentity, *, by: Actor) -> None:
    """Store *row*, read in an earlier request. Raise ValidationError if another organiser has saved since."""
    SiteIdentity.objects.get_or_create(pk=1)
    stored = SiteIdentity.objects.select_for_update().get(pk=1)
    if stored.version != row.version:
        raise ValidationError(
            _("Another organiser has saved this page meanwhile. Reload it and enter your changes again.")
        )
    row.version += 1
    row.save()
    before, after = model_to_dict(stored), model_to_dict(row)
    changed = [name for name in after if before[name] != after[name]]
    before, after = ({name: _logged(values[name]) for name in changed} for values in (before, after))
    audit_log.record(by, "change site", row, before=before, after=after)
    transaction.on_commit(lambda: identity.use(row.shown()))


def render(text: str) -> str:
    """Render a text of the first page, which is cached for all readers. Raise ValidationError."""
    html = post_text.render_post(text)
    if post_text.list_shortcodes(html):
        raise ValidationError(_("Levels, replays and pictures can be shown in posts, not here."))
    return html


def describe(at: datetime) -> dict[str, str]:
    """Return what the values in use show, by their labels: themselves, and the next deadlines and openings."""
    zh, en = identity.names()
    accents = identity.accents()
    values = {
        "name_zh": zh,
        "name_en": en,
        "accent_light": accents[0],
        "accent_dark": accents[1],
        "time_zone": identity.zone_key(),
        "language": str(dict(settings.LANGUAGES)[identity.language()]),
        "contact": identity.operator().get("contact", ""),
    }
    shown = {
        **{_label(name): text for name, text in values.items()},
        _("Time now"): times.format_zoned_minute(at),
    }
    for round_ in Round.objects.filter(cancelled_at=None, closes_at__gt=at).order_by("closes_at")[:_MOST_SHOWN]:
        shown[_("%(round)s closes") % {"round": round_}] = times.format_zoned_minute(round_.closes_at)
    for series in Series.objects.filter(is_running=True)[:_MOST_SHOWN]:
        opens_at = series.opening(series.next_number(at))
        shown[_("%(series)s opens next") % {"series": series}] = times.format_zoned_minute(opens_at)
    return shown


def _logged(value: Any) -> Any:
    """Return *value* for the audit log, which never holds an email address."""
    return mask(value) if isinstance(value, str) and _ADDRESS.fullmatch(value) else value


def _label(name: str) -> str:
    field: Any = SiteIdentity._meta.get_field(name)
    return str(capfirst(field.verbose_name))
