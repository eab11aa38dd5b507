"""The site's own name, mark and time zone in templates, also in those that get no context."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from contest.infra import identity
from contest.infra.site_address import is_loopback
from contest.wording import bilingual

register = template.Library()

register.simple_tag(identity.short_name, name="site_short_name")
register.simple_tag(identity.full_name, name="site_full_name")
register.simple_tag(identity.mark_url, name="mark_url")
register.simple_tag(identity.icon_url, name="icon_url")
register.simple_tag(identity.has_sponsors_page, name="sponsors_page")
register.simple_tag(identity.zone_name, name="zone_name")
register.simple_tag(identity.zone_label, name="zone_label")


@register.simple_tag(takes_context=True)
def passkey_address(context: dict[str, Any]) -> str:
    """Return the page's URL at localhost if the browser names this machine by digits, else an empty string."""
    request = context["request"]
    at = urlsplit(request.build_absolute_uri())
    is_digits = at.hostname != "localhost" and is_loopback(at.hostname or "")
    return at._replace(netloc=f"localhost:{at.port}" if at.port else "localhost").geturl() if is_digits else ""


@register.simple_tag
def see_on_site() -> str:
    return _("See it on %(site)s") % {"site": identity.name()}


@register.simple_tag
def play_on_site() -> str:
    return _("Play it on %(site)s") % {"site": identity.name()}


@register.simple_tag
def site_styles() -> SafeString:
    """Render the links to the style sheet of every page and to the site's own accents."""
    addresses = filter(None, [static("contest/site.css"), identity.accent_url()])
    return format_html_join("", '<link rel="stylesheet" href="{}">', ((address,) for address in addresses))


@register.simple_tag
def welcome() -> bilingual.LocalisedText:
    """Return the first page's own text as HTML, in the reader's language if there is one."""
    return bilingual.in_language(*identity.welcome())


@register.simple_tag
def icon_link() -> SafeString:
    """Render the link to the page's icon."""
    kind = "image/png" if identity.mark() else "image/svg+xml"
    return format_html('<link rel="icon" href="{}" type="{}">', identity.mark_url(), kind)


@register.simple_tag
def zone_meta() -> SafeString:
    """Render the time zone for scripts, unless it is Beijing's."""
    if identity.zone_key() == identity.BEIJING:
        return SafeString("")
    return format_html('<meta name="time-zone" content="{}">', identity.zone_key())


@register.simple_tag
def brand_names() -> SafeString:
    """Render the site's names for the header; a name that is the same in both languages once."""
    zh, en = identity.names()
    if zh == en:
        return format_html("<span>{}</span>", en)
    return format_html_join("", '<span lang="{}">{}</span>', (("zh-Hans", zh), ("en", en)))
