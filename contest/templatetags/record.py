"""The record's acts and targets in the reader's language; the record itself keeps their short English names."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

register = template.Library()

ACT_WORDS: Mapping[str, Promise] = {
    "answer": pgettext_lazy("in the record", "answered a question"),
    "cancel": pgettext_lazy("in the record", "cancelled"),
    "cancel rejudging": pgettext_lazy("in the record", "cancelled a rejudging"),
    "change round": pgettext_lazy("in the record", "changed"),
    "change library": pgettext_lazy("in the record", "changed a level of the library"),
    "change series": pgettext_lazy("in the record", "changed a series"),
    "claim": pgettext_lazy("in the record", "claimed"),
    "clear slot": pgettext_lazy("in the record", "took a level out"),
    "country": pgettext_lazy("in the record", "changed the country"),
    "decide report": pgettext_lazy("in the record", "decided a report"),
    "disqualify": pgettext_lazy("in the record", "disqualified a player"),
    "e-mail": pgettext_lazy("in the record", "changed the e-mail address"),
    "end banner": pgettext_lazy("in the record", "took a banner down"),
    "erase": pgettext_lazy("in the record", "erased"),
    "extend": pgettext_lazy("in the record", "extended"),
    "finalise": pgettext_lazy("in the record", "made final"),
    "grant make-up window": pgettext_lazy("in the record", "granted a make-up window"),
    "hand over": pgettext_lazy("in the record", "handed a name over"),
    "hold reveal": pgettext_lazy("in the record", "let the reveal wait"),
    "league": pgettext_lazy("in the record", "corrected the league"),
    "leave look-alikes": pgettext_lazy("in the record", "left two names as they are"),
    "lift disqualification": pgettext_lazy("in the record", "lifted a disqualification"),
    "make recovery codes": pgettext_lazy("in the record", "made recovery codes"),
    "make round": pgettext_lazy("in the record", "made"),
    "make series": pgettext_lazy("in the record", "made a series"),
    "merge": pgettext_lazy("in the record", "merged into another"),
    "put banner": pgettext_lazy("in the record", "put a banner up"),
    "put level": pgettext_lazy("in the record", "put a level in"),
    "queue level": pgettext_lazy("in the record", "queued a level"),
    "queue first": pgettext_lazy("in the record", "moved a level to the front"),
    "rejudge": pgettext_lazy("in the record", "applied a rejudging"),
    "release": pgettext_lazy("in the record", "released"),
    "rename": pgettext_lazy("in the record", "renamed"),
    "reset second factor": pgettext_lazy("in the record", "took the second factors away"),
    "revise": pgettext_lazy("in the record", "revised the results"),
    "send claim link": pgettext_lazy("in the record", "sent a claim link"),
    "show claim link": pgettext_lazy("in the record", "was shown a claim link"),
    "start rejudging": pgettext_lazy("in the record", "started a rejudging"),
    "take out of queue": pgettext_lazy("in the record", "took a level out of a queue"),
    "token made": pgettext_lazy("in the record", "made a token"),
    "token revoked": pgettext_lazy("in the record", "revoked a token"),
    "type lucky number": pgettext_lazy("in the record", "chose the lucky number"),
    "unmerge": pgettext_lazy("in the record", "took a merge back"),
    "unvoid": pgettext_lazy("in the record", "took a void back"),
    "use recovery code": pgettext_lazy("in the record", "used a recovery code"),
    "void": pgettext_lazy("in the record", "made void"),
    "void slot": pgettext_lazy("in the record", "made a level void"),
}
_TARGET_WORDS: Mapping[str, Promise] = {
    "round": gettext_lazy("Round %(number)s"),
    "submission": gettext_lazy("Submission %(number)s"),
    "player": gettext_lazy("Player %(number)s"),
}


@register.filter
def act_words(act: str) -> str:
    """What was done, in words; an act without words under its name."""
    return str(ACT_WORDS.get(act, act))


@register.filter
def target_words(target: str) -> str:
    """What it was done to, in words."""
    kind, _space, number = target.rpartition(" ")
    words = _TARGET_WORDS.get(kind)
    return str(words) % {"number": number} if words else target
