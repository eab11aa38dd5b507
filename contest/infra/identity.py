"""The site's own name, logo and time zone, as its pages, messages and pictures show them."""

from datetime import datetime, tzinfo

from django.conf import settings
from django.utils.functional import lazy
from django.utils.timezone import get_default_timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

BEIJING = "Asia/Shanghai"


def name() -> str:
    """Return the site's name in the active language."""
    is_chinese = get_language() == "zh-hans"
    chosen: str = settings.SITE_NAME_ZH_HANS if is_chinese else settings.SITE_NAME
    return chosen


def short_name() -> str:
    """Return the name for titles, feeds and subjects: in the active language; "Leitai" in every language."""
    software: str = settings.SOFTWARE_NAMES["en"]
    return software if software == settings.SITE_NAME else name()


def full_name() -> str:
    """Return the Chinese name and the other one, or the only one."""
    return " ".join(dict.fromkeys((settings.SITE_NAME_ZH_HANS, settings.SITE_NAME)))


def zone() -> tzinfo:
    return get_default_timezone()


def zone_name() -> str:
    """Return the name of the site's time zone, such as "Beijing time" or "Europe/Paris time"."""
    if settings.TIME_ZONE == BEIJING:
        return _("Beijing time")
    return _("%(zone)s time") % {"zone": settings.TIME_ZONE}


def zone_label() -> str:
    """Return the zone's name, with its offset where that is known to be the same all year."""
    return _("Beijing time (UTC+8)") if settings.TIME_ZONE == BEIJING else zone_name()


def _describe_zone() -> str:
    return _("%(zone)s.") % {"zone": zone_name()}


zone_name_lazy = lazy(zone_name, str)
# Help text of a field for a time.
ZONE_HINT = lazy(_describe_zone, str)()


def format_offset(at: datetime) -> str:
    """Return the offset of the site's zone at *at*, such as "(UTC+8)" or "(UTC-3:30)"."""
    offset = f"{at.astimezone(zone()):%z}"  # +0530
    sign, hours, minutes = offset[0], int(offset[1:3]), offset[3:5]
    return f"(UTC{sign}{hours}{f':{minutes}' if minutes != '00' else ''})"
