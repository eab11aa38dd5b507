"""What whoever reads the page may, for the desk's templates."""

from typing import Any

from django import template

from contest.staff import track_owners

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: dict[str, Any], permission: str) -> bool:
    """Whether the reader has *permission* over any round or series; a list has only those over which they have it."""
    return track_owners.may(context["user"], permission)
