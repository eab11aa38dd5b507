"""Fields of several serializers: first for responses, then for bodies, which accept only their own JSON type."""

import re
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from contest.models import League, Metric, Slot, State, Verdict
from contest.rules import canonical
from contest.rules.phases import Phase
from contest.wording.verdicts import TITLE_WORDS

PENDING, HELD = "pending", "held"  # values for "no verdict yet" and for quarantine
PHASES = [phase.value for phase in Phase if phase != Phase.DRAFT]
VERDICTS = [PENDING, *Verdict.values]
STATES = [HELD if state == State.QUARANTINED else state for state in State.values]
TITLES = list(TITLE_WORDS)
METRICS = Metric.values
LEAGUES = League.values
SLOTS = Slot.values
HASH_PATTERN = "^[0-9a-f]{64}$"
INSTANT = {
    "type": "string",
    "format": "date-time",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$",
    "description": "UTC, with microseconds.",
}


@extend_schema_field(INSTANT)
class InstantField(serializers.DateTimeField):
    def to_representation(self, value: Any) -> Any:
        return canonical.instant(value)


class CountField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, **options)


class HashField(serializers.RegexField):
    def __init__(self, **options: Any) -> None:
        super().__init__(HASH_PATTERN, **options)


class TextOrNullField(serializers.CharField):
    """Write empty text as null."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return str(value) or None


class ChoiceOrNullField(serializers.ChoiceField):
    """Write an empty choice as null."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return str(value) or None


_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")


def _text(field: serializers.Field[Any, Any, Any, Any], data: Any) -> str:
    if type(data) is not str:
        field.fail("not_a_string")
    if "\0" in data or _HALF_OF_A_PAIR.search(data):
        field.fail("bad_text")
    return data


_FAULTS: dict[str, Any] = {
    "not_a_string": _("This must be a string."),
    "bad_text": _("The text contains an invalid character: half of a surrogate pair, or NUL."),
}


class _Strict(serializers.Field[Any, Any, Any, Any]):
    """Base of the fields of bodies: null is allowed if the member may be absent."""

    default_error_messages: ClassVar[dict[str, Any]] = {"required": _("This field is required.")}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, allow_null=not options.get("required", True), **options)


class StrictTextField(_Strict, serializers.CharField):
    default_error_messages = _FAULTS

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.validators = []

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return data if data == "" else super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        return _text(self, data)


@extend_schema_field({"type": "string", "pattern": HASH_PATTERN})
class StrictHashField(StrictTextField):
    """A hash as text; the function that stores it refuses an invalid one."""


class MovesField(StrictTextField):
    """Moves may contain NUL: the text is stored as bytes, and the judge gives the verdict (rule 5.8)."""

    def to_internal_value(self, data: Any) -> str:
        _text(self, data.replace("\0", "") if type(data) is str else data)
        return str(data)


class StrictChoiceField(_Strict, serializers.ChoiceField):
    """One of *choices*; *is_checked* is False if the called function refuses others with its own message."""

    default_error_messages = {**_FAULTS, "unknown_choice": _("This must be main, extra, extra2 or extra3.")}

    def __init__(self, choices: Any, *, is_checked: bool = True, **options: Any) -> None:
        super().__init__(choices, **options)
        self._is_checked = is_checked

    def to_internal_value(self, data: Any) -> str:
        text = _text(self, data)
        if self._is_checked and text not in self.choices and (text or self.required):
            self.fail("unknown_choice")
        return text


class StrictIntegerField(_Strict, serializers.IntegerField):
    """A number without a fraction is an integer in any notation (JSON Schema, 6.1.1). True is not an integer."""

    default_error_messages = {"not_an_integer": _("This must be an integer.")}

    def to_internal_value(self, data: Any) -> int:
        number = int(data) if isinstance(data, float) and data.is_integer() else data
        if type(number) is not int:
            self.fail("not_an_integer")
        return number


@extend_schema_field({"type": "integer", "minimum": 0})
class StrictCountField(StrictIntegerField):
    """An integer; the called function refuses negative numbers."""


class StrictBooleanField(_Strict, serializers.BooleanField):
    default_error_messages = {"not_a_boolean": _("This must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("not_a_boolean")
        return data


class StrictListField(_Strict, serializers.ListField):
    """A list of strings, which the view validates."""

    default_error_messages = {"not_a_list": _("This must be a list of strings.")}

    def to_internal_value(self, data: Any) -> list[str]:
        if type(data) is not list or not all(isinstance(item, str) for item in data):
            self.fail("not_a_list")
        return data
