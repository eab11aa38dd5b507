"""The reader's permissions, for the desk's templates."""

from typing import Any

from django import template

from contest.staff import track_owners

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: dict[str, Any], permission: str) -> bool:
    """Return True if the reader has *permission* over any round or series; lists show only the permitted ones."""
    return track_owners.may(context["user"], permission)
