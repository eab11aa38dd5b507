"""A submission's or a trial's body as an entry, or what is wrong with it member by member."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.api.errors import FieldError, Invalid
from contest.models import Slot
from contest.submissions import Entry
from contest.submissions.dry_run import LONGEST_BOARD, Trial

_ENTRY_TEXTS = ("nickname", "moves", "country", "email", "slot", "claim", "idempotency_key")
_TRIAL_TEXTS = ("moves", "board", "slot")


def entry(body: Any, idempotency_key: str) -> Entry:
    """The entry that a submission's *body* describes. Raise Invalid, naming every field that is wrong.

    Other members are ignored. An absent nickname is left to the act, which has its own code for it.
    """
    given = _read(body, _ENTRY_TEXTS)
    given["idempotency_key"] = idempotency_key or given["idempotency_key"]
    return Entry(practice=body.get("practice") or False, **given)


def trial(body: Any) -> Trial:
    """The trial that *body* describes. Raise Invalid."""
    given = _read(body, _TRIAL_TEXTS)
    if given["slot"] and given["slot"] not in Slot.values:
        raise Invalid(FieldError("slot", "unknown_choice", _FAULTS["unknown_choice"]))
    if len(given["board"]) > LONGEST_BOARD:
        raise Invalid(FieldError("board", "too_long", _FAULTS["too_long"]))
    return Trial(**given)


def _read(body: Any, names: Sequence[str]) -> dict[str, Any]:
    """The texts called *names* and the round's number. Raise Invalid, naming every member that is wrong."""
    if not isinstance(body, dict):
        raise Invalid(FieldError("", "not_an_object", _("The body must be a JSON object.")))
    texts = {name: body.get(name) for name in names}
    round_ = body.get("round")
    faults = {name: _fault(name, value) for name, value in texts.items()}
    if texts["moves"] is None:
        faults["moves"] = "required"
    if round_ is not None and type(round_) is not int:  # true is an int to Python
        faults["round"] = "not_an_integer"
    if type(body.get("practice") or False) is not bool:
        faults["practice"] = "not_a_boolean"
    errors = [FieldError(name, code, _FAULTS[code]) for name, code in faults.items() if code]
    if errors:
        raise Invalid(*errors)
    return {"round": round_, **{name: text or "" for name, text in texts.items()}}


_FAULTS: Mapping[str, str | Promise] = {
    "required": _("This field is required."),
    "not_a_string": _("This must be a string."),
    "not_an_integer": _("This must be an integer."),
    "not_a_boolean": _("This must be true or false."),
    "unknown_choice": _("This must be main, extra, extra2 or extra3."),
    "too_long": _("This is longer than any board."),
    "bad_text": _("The text contains an invalid character: half of a surrogate pair, or NUL."),
}


def _fault(name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return "not_a_string"
    # A NUL in the moves is the judge's to find: the text is stored as bytes and gets its verdict (rule 5.8).
    if (name != "moves" and "\0" in value) or any("\ud800" <= character <= "\udfff" for character in value):
        return "bad_text"
    return ""
