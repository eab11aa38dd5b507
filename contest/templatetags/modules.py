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
# Scripts whose pages draw a board at once. Browsers warn of preloads that a page does not use.
_DRAW_AT_ONCE = {
    f"contest/{name}.js" for name in ("editor/main", "player/page/main", "plain/embed", "replay/embed", "replay/main")
}
_PRELOAD = '<link rel="preload" as="fetch" fetchpriority="low" crossorigin href="{}" data-skins>'
_PREFETCH = '<link rel="prefetch" crossorigin href="{}" data-skins>'


@register.simple_tag
def module(path: str) -> SafeString:
    """Render the script at *path* and preload its imports: a slow network needs one round trip, after the text."""
    bundle = bundle_path(path)
    needed = ((static(name),) for name in ([] if bundle else imports_of(path)))
    links = format_html_join("\n", '<link rel="modulepreload" fetchpriority="low" href="{}">', needed)
    if _SKIN in imports_of(path):  # it finds the sprites of boards by this link
        links += format_html(_PRELOAD if path in _DRAW_AT_ONCE else _PREFETCH, static(_SKINS))
    script = format_html('<script type="module" src="{}" fetchpriority="low"></script>', static(bundle or path))
    return format_html("{}\n{}", links, script)


@register.simple_tag
def offline_worker() -> str:
    """Return the URL of the service worker, "" if the site disables offline use."""
    return reverse("play-worker") if settings.OFFLINE_PLAY else ""
