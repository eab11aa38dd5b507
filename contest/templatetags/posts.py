"""News for any page."""

from typing import Any

from django import template

from contest.infra import clock
from contest.outreach import posts

register = template.Library()


@register.inclusion_tag("contest/posts/_news.html", takes_context=True)
def news(context: dict[str, Any]) -> dict[str, Any]:
    """Render the newest posts."""
    return {"items": posts.list_news(context["request"].viewer, clock.now())}
