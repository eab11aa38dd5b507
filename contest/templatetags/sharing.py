"""Addresses as other sites need them, and texts to be pasted into forums."""

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse

register = template.Library()


@register.simple_tag(takes_context=True)
def absolute(context: Context, name: str, *args: object) -> str:
    """The whole address of a page or picture."""
    path = reverse(name, args=args)
    return settings.SITE_URL + path if settings.SITE_URL else str(context["request"].build_absolute_uri(path))
