"""Sources of Sokoban programs, with their links."""

import re

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_LINK = re.compile(r"(https?://\S+)")
_LONGEST_SHOWN = 48


@register.filter
def with_links(line: str) -> SafeString:
    """Return the text with its http and https addresses as links, shortened on the page.

    >>> with_links("<b> https://a.example/x")
    '&lt;b&gt; <a href="https://a.example/x" rel="noopener nofollow">a.example/x</a>'
    """
    return format_html_join("", "{}", ((_shown(part),) for part in _LINK.split(line)))


def _shown(part: str) -> str:
    if not _LINK.fullmatch(part):
        return part
    words = part.partition("://")[2].rstrip("/")
    words = words if len(words) <= _LONGEST_SHOWN else f"{words[:_LONGEST_SHOWN]}…"
    return format_html('<a href="{}" rel="noopener nofollow">{}</a>', part, words)
