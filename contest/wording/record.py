"""Changes in an audit log entry as sentences: the field's label in forms, the old value, the new value."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.functional import Promise
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest.models import AuditEntry, League, Slot
from contest.wording import settings, times

_MOST_LETTERS = 200
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_CHECKSUM = re.compile(r"[0-9a-f]{64}")
# Labels of keys that are not model fields, or not in any form.
_NAMES: Mapping[str, Promise] = {
    "act": gettext_lazy("Action"),
    "author": gettext_lazy("Author"),
    "commitment": gettext_lazy("Commitment"),
    "league": gettext_lazy("League"),
    "levels": gettext_lazy("Levels"),
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Place in the queue"),
    "player": gettext_lazy("Player"),
    "players": gettext_lazy("Players"),
    "published_at": gettext_lazy("shown from"),
    "reveal_waits_until": gettext_lazy("Reveal delayed until"),
    "revision": gettext_lazy("Revision"),
    "rights": gettext_lazy("Rights"),
    "role": gettext_lazy("Role"),
    "roles": gettext_lazy("Role"),
    "seconds": gettext_lazy("CPU seconds"),
    "series": gettext_lazy("Series"),
    "sha256": gettext_lazy("Checksum"),
    "slot": gettext_lazy("Slot"),
    "slots": gettext_lazy("Slots"),
    "state": gettext_lazy("State"),
    "tags": gettext_lazy("Tags"),
    "title": gettext_lazy("Title"),
    "told_names": gettext_lazy("Nicknames given without proof"),
    "turn": gettext_lazy("Number in the series"),
    "unsolved_reason": gettext_lazy("Why it may be published without a known solution"),
}
_CHOICES: Mapping[str, Mapping[Any, Any]] = {
    "league": dict(League.choices),
    "slot": dict(Slot.choices),
    "slots": dict(Slot.choices),
}


def sentences(entry: AuditEntry) -> list[str]:
    """Return the changes of *entry*, a sentence for each field; empty fields of a new object are left out."""
    kind = entry.target.rpartition(" ")[0]
    lines: list[str] = []
    for name in {**entry.before, **entry.after}:
        before, after = entry.before.get(name), entry.after.get(name)
        if name == "settings" and isinstance(after, dict):
            stored = before if isinstance(before, dict) else {}
            lines += [_change(*change) for change in settings.changes(stored, after)]
            continue
        field = _field(kind, name)
        title = _title(field, name)
        if name in entry.before and name in entry.after:
            was, is_now = _describe_value(field, name, before), _describe_value(field, name, after)
            if was != is_now or not _TIME.match(str(before)):  # the same time in another zone is no change
                lines.append(_change(title, was, is_now))
        elif name in entry.before:
            lines.append(
                _("%(name)s: was %(before)s.") % {"name": title, "before": _describe_value(field, name, before)}
            )
        elif after not in (None, "", [], {}):
            lines.append(_("%(name)s: %(after)s.") % {"name": title, "after": _describe_value(field, name, after)})
    return lines


def _change(name: str, before: str, after: str) -> str:
    return _("%(name)s: from %(before)s to %(after)s.") % {"name": name, "before": before, "after": after}


def _field(kind: str, name: str) -> Any:
    """Return the field *name* of the model that the log calls *kind*; None if there is none."""
    try:
        field = apps.get_model("contest", kind)._meta.get_field(name)
    except (LookupError, ValueError, FieldDoesNotExist):
        return None
    return field if isinstance(field, models.Field) else None


def _title(field: Any, name: str) -> str:
    """Return the label of *name*: from _NAMES, else the field's verbose name, else as recorded."""
    title = _NAMES.get(name) or (field.verbose_name if field else name.replace("_", " "))
    return str(capfirst(str(title)))


def _describe_value(field: Any, name: str, value: Any) -> str:
    choices = _CHOICES.get(name) or dict(field.flatchoices if field else ())
    if isinstance(value, list):
        return ", ".join(_describe_value(field, name, item) for item in value) or _("none")
    if isinstance(value, dict):
        inside = (f"{_title(None, key)} {_describe_value(None, key, item)}" for key, item in value.items())
        return "; ".join(inside) or _("none")
    if value is None or value == "":
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value in choices:
        return str(choices[value])
    if not isinstance(value, str) or (field and field.is_relation):
        return str(value)
    return _text(value)


def _text(value: str) -> str:
    """Return a time in the site's zone, a shortened checksum, or any other text in quotation marks."""
    if _CHECKSUM.fullmatch(value):
        return f"{value[:12]}…"
    if _TIME.match(value):
        try:
            return times.format_zoned_minute(datetime.fromisoformat(value))
        except (ValueError, OverflowError):
            pass
    return f"“{Truncator(value).chars(_MOST_LETTERS)}”"
