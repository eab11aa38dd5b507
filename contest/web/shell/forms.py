"""Form classes shared by several folders."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django_countries import countries

from contest.infra import client_ip
from contest.submissions import Refused, limits


class PlainForm(forms.Form):
    """A form with fields rendered one by one (contest/shared/_field.html)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


def may_store(request: HttpRequest, form: forms.Form, *texts: str, size: int = 0, seconds: float = 0.0) -> bool:
    """Count *texts*, *size* bytes and *seconds* of the solver against the day of the sender's network (rule 5.9).

    If it is full, add an error to *form* and return False.
    """
    try:
        limits.pass_stored(client_ip.sender_of(request), *texts, size=size, seconds=seconds)
    except Refused as refusal:
        form.add_error(None, ValidationError(refusal.reason, code=refusal.code))
        return False
    return True


def status_of(form: forms.Form) -> int:
    """Return the status of a page with *form*: 429 if `may_store` refused it, 422 for other errors."""
    if form.has_error(NON_FIELD_ERRORS, "quota"):
        return 429
    return 422 if form.errors else 200


def country_choices() -> list[tuple[str, str]]:
    """Return the country choices; evaluate per request, because names and order depend on the language."""
    return [("", "—"), *((country.code, str(country.name)) for country in countries)]


class LongSelect(forms.Select):
    """A select for hundreds of options. Django renders two templates per option, more than the rest of a page."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:  # noqa: ARG002
        attributes = "".join(
            f" {key}" if setting is True else f' {key}="{conditional_escape(setting)}"'
            for key, setting in self.build_attrs(self.attrs, attrs).items()
            if setting is not False
        )
        left, lines = set(self.format_value(value)), []
        for code, label in cast("Iterable[tuple[Any, str]]", self.choices):
            is_chosen = str(code) in left
            if is_chosen:  # Select only the first of two options with the same code.
                left.clear()
            mark = " selected" if is_chosen else ""
            lines.append(f'\n  <option value="{conditional_escape(code)}"{mark}>{conditional_escape(label)}</option>\n')
        # Every part has been escaped.
        return mark_safe(f'<select name="{conditional_escape(name)}"{attributes}>{"".join(lines)}\n</select>')  # noqa: S308
