"""The site's own name, logo, time zone and default language; contest.infra.identity serves them."""

from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

from contest.settings.environment import env

# The name of the software, and of a site that chooses none.
SOFTWARE_NAMES = {"en": "Leitai", "zh-hans": "擂台"}
SITE_NAME = env("SITE_NAME", default="") or SOFTWARE_NAMES["en"]
SITE_NAME_ZH_HANS = env("SITE_NAME_ZH_HANS", default="") or (
    SOFTWARE_NAMES["zh-hans"] if SOFTWARE_NAMES["en"] == SITE_NAME else SITE_NAME
)
for _name, _text in (("SITE_NAME", SITE_NAME), ("SITE_NAME_ZH_HANS", SITE_NAME_ZH_HANS)):
    if not _text.isprintable() or len(_text) > 60:  # a part of headers of messages and of one line of each page
        raise ImproperlyConfigured(f"{_name} is one line of at most 60 characters, not {_text!r}.")
# The path of a PNG file; "" for the software's mark.
SITE_LOGO = env("SITE_LOGO", default="")
# Organisers enter and see times in this zone (rule 3.5); they are stored in UTC.
TIME_ZONE = env("TIME_ZONE", default="Asia/Shanghai")
try:
    ZoneInfo(TIME_ZONE)
except (ValueError, OSError, KeyError):
    raise ImproperlyConfigured(
        f"TIME_ZONE is a name such as Asia/Shanghai or Europe/Paris, not {TIME_ZONE!r}."
    ) from None
LANGUAGE_CODE = env("LANGUAGE_CODE", default="zh-hans")
if LANGUAGE_CODE not in SOFTWARE_NAMES:
    raise ImproperlyConfigured(f'LANGUAGE_CODE is "zh-hans" or "en", not {LANGUAGE_CODE!r}.')
