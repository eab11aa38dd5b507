"""Solver answers as text."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

LIMIT_WORDS: dict[str, Promise] = {
    "cpu_seconds": _("its CPU seconds were spent"),
    "nodes": _("it reached its limit of positions"),
    "megabytes": _("its memory was full"),
    "cancelled": _("it was stopped"),
    "methods": _("all its methods were tried"),
}
PROOF_WORDS: dict[str, Promise] = {
    "out_of_reach": _("the pusher can never reach a box that is off its goal, or an empty goal"),
    "exhausted": _("all reachable positions were checked"),
}
PART_WORDS: dict[str, Promise] = {
    "preparing": _("getting ready"),
    "exact": _("looking for the best solution"),
    "optimizer": _("improving a solution"),
}
_SEARCHING = _("looking for a solution")
BAND_WORDS: dict[int, Promise] = {
    1: pgettext_lazy("difficulty", "easy"),
    2: pgettext_lazy("difficulty", "medium"),
    3: pgettext_lazy("difficulty", "hard"),
    4: pgettext_lazy("difficulty", "for experts"),
}


def describe_part(part: str) -> str:
    """Return the current step of a search as text."""
    return str(PART_WORDS.get(part, _SEARCHING))


def describe_saving(moves: int, pushes: int) -> str:
    """Return what a better stretch saves, as "−14 moves, +2 pushes"; a count that stays the same is left out."""
    parts = []
    if moves:
        parts.append(ngettext("%(count)s move", "%(count)s moves", abs(moves)) % {"count": _signed(-moves)})
    if pushes:
        parts.append(ngettext("%(count)s push", "%(count)s pushes", abs(pushes)) % {"count": _signed(-pushes)})
    return pgettext("between parts", ", ").join(parts)


def _signed(count: int) -> str:
    return f"{count:+d}".replace("-", "−")
