"""The scripts of a page, with all modules that they import."""

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from contest.infra.bundling import bundle_path, imports_of

register = template.Library()
_SKIN, _SKINS = "contest/player/view/skin.js", "contest/skins/skins.json"


@register.simple_tag
def module(path: str) -> SafeString:
    """Render the script at *path* and preload its imports: a slow network needs one round trip, after the text."""
    bundle = bundle_path(path)
    needed = ((static(name),) for name in ([] if bundle else imports_of(path)))
    links = format_html_join("\n", '<link rel="modulepreload" fetchpriority="low" href="{}">', needed)
    if _SKIN in imports_of(path):  # it finds the sprites of boards by this link; not all pages draw one at once
        links += format_html('<link rel="prefetch" crossorigin href="{}" data-skins>', static(_SKINS))
    script = format_html('<script type="module" src="{}" fetchpriority="low"></script>', static(bundle or path))
    return format_html("{}\n{}", links, script)


@register.simple_tag
def offline_worker() -> str:
    """Return the URL of the service worker, "" if the site disables offline use."""
    return reverse("play-worker") if settings.OFFLINE_PLAY else ""
