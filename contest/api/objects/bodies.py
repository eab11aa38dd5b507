"""A body as what it describes, or what is wrong with it member by member."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.api.objects.kinds import Member, Schema, Shape
from contest.api.objects.problems import FieldError, Invalid
from contest.api.objects.rounds import SEALED_ENTRY
from contest.api.objects.submissions import ENTRY, TRIAL
from contest.models import Slot
from contest.submissions import Entry
from contest.submissions.at_once import LONGEST_BOARD, Trial
from contest.submissions.sealed_answers import SealedEntry


def entry(body: Any, idempotency_key: str) -> Entry:
    """The entry that a submission's *body* describes. Raise Invalid, naming every field that is wrong.

    Other members are ignored. An absent nickname is left to the act, which has its own code for it.
    """
    given = read(ENTRY, body)
    given["idempotency_key"] = idempotency_key or given.get("idempotency_key", "")
    given["practice"] = bool(given.get("practice"))
    return Entry(**{"nickname": "", **given})


def trial(body: Any) -> Trial:
    """The trial that *body* describes. Raise Invalid."""
    given = read(TRIAL, body)
    if given.get("slot") and given["slot"] not in Slot.values:
        raise Invalid(FieldError("slot", "unknown_choice", _FAULTS["unknown_choice"]))
    if len(given.get("board", "")) > LONGEST_BOARD:
        raise Invalid(FieldError("board", "too_long", _FAULTS["too_long"]))
    return Trial(**given)


def sealed_entry(body: Any, number: int) -> SealedEntry:
    """What a *body* vouches for in round *number*. Raise Invalid."""
    given = read(SEALED_ENTRY, body)
    if given["slot"] not in Slot.values:
        raise Invalid(FieldError("slot", "unknown_choice", _FAULTS["unknown_choice"]))
    return SealedEntry(number, **given)


def read(shape: Shape[Any], body: Any) -> dict[str, Any]:
    """The members of *shape* that *body* gives, null as not at all. Raise Invalid, naming every one that is wrong.

    Other members are ignored; an absent one is a fault where it is not optional.
    """
    if not isinstance(body, dict):
        raise Invalid(FieldError("", "not_an_object", _("The body must be a JSON object.")))
    given = {one.name: _whole(body.get(one.name)) for one in shape.members}
    faults = {one.name: _fault(one, given[one.name]) for one in shape.members}
    errors = [FieldError(name, code, _FAULTS[code]) for name, code in faults.items() if code]
    if errors:
        raise Invalid(*errors)
    return {name: value for name, value in given.items() if value is not None}


def _whole(value: object) -> object:
    """A number without a fraction is an integer, however it is written (JSON Schema, 6.1.1)."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_FAULTS: Mapping[str, str | Promise] = {
    "required": _("This field is required."),
    "not_a_string": _("This must be a string."),
    "not_an_integer": _("This must be an integer."),
    "not_a_boolean": _("This must be true or false."),
    "not_a_list": _("This must be a list of strings."),
    "unknown_choice": _("This must be main, extra, extra2 or extra3."),
    "too_long": _("This is longer than any board."),
    "bad_text": _("The text contains an invalid character: half of a surrogate pair, or NUL."),
}


_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")

# What a value must be, by what the schema says, and what is wrong with another. True is an int to Python.
_MUST_BE: Mapping[str, tuple[type, str]] = {
    "string": (str, "not_a_string"),
    "integer": (int, "not_an_integer"),
    "boolean": (bool, "not_a_boolean"),
    "array": (list, "not_a_list"),
}


def _fault(member: Member[Any], value: object) -> str:
    if value is None:
        return "" if member.is_optional else "required"
    kind, fault = _MUST_BE[_type_of(member.kind.schema)]
    if type(value) is not kind:
        return fault
    if isinstance(value, list):
        return "" if all(isinstance(one, str) for one in value) else fault
    if not isinstance(value, str):
        return ""
    # A NUL in the moves is the judge's to find: the text is stored as bytes and gets its verdict (rule 5.8).
    is_bad = (member.name != "moves" and "\0" in value) or _HALF_OF_A_PAIR.search(value)
    return "bad_text" if is_bad else ""


def _type_of(schema: Schema) -> str:
    """The type of what may stand there beside null."""
    found: str = schema.get("type") or schema["anyOf"][0]["type"]
    return found
