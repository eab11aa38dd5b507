"""The record's acts and targets in the reader's language; the record stores their short English names."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from contest.models import AuditEntry
from contest.staff import account_acts
from contest.wording.record import sentences

register = template.Library()

ACT_WORDS: Mapping[str, Promise] = {
    "accept proposal": pgettext_lazy("in the record", "accepted a proposed level"),
    "add app": pgettext_lazy("in the record", "added an authenticator app"),
    "add passkey": pgettext_lazy("in the record", "added a passkey"),
    "add to library": pgettext_lazy("in the record", "added a level to the library"),
    "agree to test": pgettext_lazy("in the record", "agreed to test and not to enter"),
    "answer": pgettext_lazy("in the record", "answered a question"),
    "ask for a level": pgettext_lazy("in the record", "was told that a level cannot be used"),
    "ask for a backup": pgettext_lazy("in the record", "requested a backup"),
    "ask for a second look": pgettext_lazy("in the record", "asked a second organiser to confirm"),
    "award prize": pgettext_lazy("in the record", "named the winner of a prize"),
    "bring picture": pgettext_lazy("in the record", "uploaded a picture"),
    "apply rejudging": pgettext_lazy("in the record", "began to apply a rejudging"),
    "cancel act": pgettext_lazy("in the record", "cancelled an act before its end"),
    "cancel rejudging": pgettext_lazy("in the record", "cancelled a rejudging"),
    "cancel": pgettext_lazy("in the record", "cancelled"),
    "challenge the machine": pgettext_lazy("in the record", "let the machine try a level"),
    "stop the machine": pgettext_lazy("in the record", "stopped the machine"),
    "change account": pgettext_lazy("in the record", "changed an account"),
    "delete account": pgettext_lazy("in the record", "deleted an account"),
    "change library": pgettext_lazy("in the record", "changed a level of the library"),
    "change main address": pgettext_lazy("in the record", "changed the main email address"),
    "change password": pgettext_lazy("in the record", "changed the password"),
    "change prize": pgettext_lazy("in the record", "changed a prize"),
    "change program": pgettext_lazy("in the record", "changed a Sokoban program"),
    "delete program": pgettext_lazy("in the record", "deleted a Sokoban program"),
    "change sponsor": pgettext_lazy("in the record", "changed a sponsor"),
    "change round": pgettext_lazy("in the record", "changed"),
    "change collection": pgettext_lazy("in the record", "changed a public collection"),
    "change picture": pgettext_lazy("in the record", "changed the description of a picture"),
    "rename category of posts": pgettext_lazy("in the record", "renamed a category of posts"),
    "change series of posts": pgettext_lazy("in the record", "changed a series of posts"),
    "change series": pgettext_lazy("in the record", "changed a series"),
    "change site": pgettext_lazy("in the record", "changed the site"),
    "change track": pgettext_lazy("in the record", "changed a track"),
    "claim": pgettext_lazy("in the record", "claimed"),
    "throw away": pgettext_lazy("in the record", "deleted a draft"),
    "clear slot": pgettext_lazy("in the record", "removed a level from the round"),
    "country": pgettext_lazy("in the record", "changed the country"),
    "calendar address made": pgettext_lazy("in the record", "created a private calendar address"),
    "calendar address ended": pgettext_lazy("in the record", "ended the private calendar address"),
    "desk token made": pgettext_lazy("in the record", "created a token for desk programs"),
    "desk token revoked": pgettext_lazy("in the record", "revoked a token for desk programs"),
    "decide report": pgettext_lazy("in the record", "decided a report"),
    "decline proposal": pgettext_lazy("in the record", "declined a proposed level"),
    "disqualify": pgettext_lazy("in the record", "disqualified a player"),
    "e-mail": pgettext_lazy("in the record", "changed the email address"),
    "confirm a second look": pgettext_lazy("in the record", "confirmed another organiser's request"),
    "edit post": pgettext_lazy("in the record", "changed a post"),
    "end banner": pgettext_lazy("in the record", "removed a banner"),
    "end sessions": pgettext_lazy("in the record", "signed somebody out everywhere"),
    "erase": pgettext_lazy("in the record", "deleted personal data"),
    "extend": pgettext_lazy("in the record", "extended"),
    "find solutions": pgettext_lazy("in the record", "started a search for solutions"),
    "finalise": pgettext_lazy("in the record", "made final"),
    "give contact": pgettext_lazy("in the record", "entered the delivery details of a prize"),
    "give role": pgettext_lazy("in the record", "gave a role"),
    "lift rest": pgettext_lazy("in the record", "made the name of an erased player usable again"),
    "grant make-up window": pgettext_lazy("in the record", "granted a make-up window"),
    "hand over": pgettext_lazy("in the record", "handed over a nickname"),
    "hand prize over": pgettext_lazy("in the record", "handed over a prize"),
    "hide comment": pgettext_lazy("in the record", "hid a comment"),
    "hold turn": pgettext_lazy("in the record", "put a round of a series on hold"),
    "let turn go": pgettext_lazy("in the record", "released a round of a series"),
    "hold reveal": pgettext_lazy("in the record", "delayed the reveal"),
    "import": pgettext_lazy("in the record", "imported a round"),
    "undo import": pgettext_lazy("in the record", "removed an imported round again"),
    "invite member": pgettext_lazy("in the record", "invited an organiser"),
    "invite to second factor": pgettext_lazy("in the record", "invited to set up two-step verification"),
    "join staff": pgettext_lazy("in the record", "joined the organisers"),
    "keep of collection": pgettext_lazy("in the record", "saved levels of a collection"),
    "league": pgettext_lazy("in the record", "corrected the league"),
    "leave comment": pgettext_lazy("in the record", "left a comment as it is"),
    "leave look-alikes": pgettext_lazy("in the record", "kept two similar nicknames"),
    "let go": pgettext_lazy("in the record", "gave up a nickname"),
    "look at test": pgettext_lazy("in the record", "looked at a level before the opening"),
    "lift disqualification": pgettext_lazy("in the record", "lifted a disqualification"),
    "mail post": pgettext_lazy("in the record", "sent a post by email"),
    "make recovery codes": pgettext_lazy("in the record", "created recovery codes"),
    "make prize": pgettext_lazy("in the record", "added a prize"),
    "make program": pgettext_lazy("in the record", "added a Sokoban program"),
    "make sponsor": pgettext_lazy("in the record", "added a sponsor"),
    "make round": pgettext_lazy("in the record", "created"),
    "make series of posts": pgettext_lazy("in the record", "created a series of posts"),
    "make series": pgettext_lazy("in the record", "created a series"),
    "make staff link": pgettext_lazy("in the record", "created a new link for an organiser"),
    "make track": pgettext_lazy("in the record", "created a track"),
    "merge": pgettext_lazy("in the record", "merged into another"),
    "bind names of tester": pgettext_lazy("in the record", "excluded nicknames of a tester"),
    "name tester": pgettext_lazy("in the record", "named a tester"),
    "own": pgettext_lazy("in the record", "added a nickname to an account"),
    "prepare announcement": pgettext_lazy("in the record", "let a program prepare the announcement"),
    "program made": pgettext_lazy("in the record", "registered a program"),
    "prove address": pgettext_lazy("in the record", "added an email address"),
    "publish collection": pgettext_lazy("in the record", "published a collection"),
    "put away": pgettext_lazy("in the record", "archived a level"),
    "put banner": pgettext_lazy("in the record", "published a banner"),
    "put level": pgettext_lazy("in the record", "added a level"),
    "queue first": pgettext_lazy("in the record", "moved a level to the front"),
    "queue level": pgettext_lazy("in the record", "queued a level"),
    "queue levels": pgettext_lazy("in the record", "queued levels"),
    "move in queue": pgettext_lazy("in the record", "moved levels in the queue"),
    "prune texts": pgettext_lazy("in the record", "pruned long rejected texts"),
    "read contact": pgettext_lazy("in the record", "read the delivery details of a prize"),
    "rejudge": pgettext_lazy("in the record", "applied a rejudging"),
    "release": pgettext_lazy("in the record", "released"),
    "remove address": pgettext_lazy("in the record", "removed an email address"),
    "remove picture": pgettext_lazy("in the record", "removed a picture"),
    "remove passkey": pgettext_lazy("in the record", "removed a passkey"),
    "rename": pgettext_lazy("in the record", "renamed"),
    "renew claim": pgettext_lazy("in the record", "renewed the claim secret"),
    "revoke claim": pgettext_lazy("in the record", "revoked the claim secret"),
    "reset second factor": pgettext_lazy("in the record", "reset two-step verification"),
    "review proposal": pgettext_lazy("in the record", "started the review of a proposed level"),
    "restore comment": pgettext_lazy("in the record", "showed a comment again"),
    "revise": pgettext_lazy("in the record", "revised the results"),
    "send back a second look": pgettext_lazy("in the record", "sent back another organiser's request"),
    "send claim link": pgettext_lazy("in the record", "sent a claim link"),
    "set vetting": pgettext_lazy("in the record", "set the budget of vetting"),
    "show collection again": pgettext_lazy("in the record", "published a collection again"),
    "show claim link": pgettext_lazy("in the record", "viewed a claim link"),
    "sign out everywhere": pgettext_lazy("in the record", "signed out all other browsers"),
    "start rejudging": pgettext_lazy("in the record", "started a rejudging"),
    "take tester off": pgettext_lazy("in the record", "removed a tester"),
    "take back": pgettext_lazy("in the record", "restored a level"),
    "take contact back": pgettext_lazy("in the record", "deleted the delivery details of a prize"),
    "take out of queue": pgettext_lazy("in the record", "removed a level from a queue"),
    "token made": pgettext_lazy("in the record", "created a token"),
    "token revoked": pgettext_lazy("in the record", "revoked a token"),
    "enter beacon value": pgettext_lazy("in the record", "entered the value of the public beacon"),
    "type lucky number": pgettext_lazy("in the record", "chose the lucky number"),
    "unmerge": pgettext_lazy("in the record", "undid a merge"),
    "unvoid": pgettext_lazy("in the record", "restored a submission"),
    "use recovery code": pgettext_lazy("in the record", "used a recovery code"),
    "vet again": pgettext_lazy("in the record", "vetted a level again"),
    "withdraw collection": pgettext_lazy("in the record", "withdrew a public collection"),
    "void slot": pgettext_lazy("in the record", "made a level void"),
    "void": pgettext_lazy("in the record", "made void"),
    "write post": pgettext_lazy("in the record", "wrote a post"),
}
_TARGET_WORDS: Mapping[str, Promise] = {
    "round": gettext_lazy("Round %(number)s"),
    "submission": gettext_lazy("Submission %(number)s"),
    "player": gettext_lazy("Player %(number)s"),
    "librarylevel": gettext_lazy("Level %(number)s of the library"),
    "proposal": gettext_lazy("Proposed level %(number)s"),
    "collection": gettext_lazy("Public collection %(number)s"),
    "intake": gettext_lazy("Collection %(number)s"),
    "series": gettext_lazy("Series %(number)s"),
    "post": gettext_lazy("Post %(number)s"),
    "prize": gettext_lazy("Prize %(number)s"),
    "sponsor": gettext_lazy("Sponsor %(number)s"),
    "program": gettext_lazy("Sokoban program %(number)s"),
    "postcategory": gettext_lazy("Category of posts %(number)s"),
    "postseries": gettext_lazy("Series of posts %(number)s"),
    "picture": gettext_lazy("Picture %(number)s"),
    "question": gettext_lazy("Question %(number)s"),
    "comment": gettext_lazy("Comment %(number)s"),
    "banner": gettext_lazy("Banner %(number)s"),
    "rejudging": gettext_lazy("Rejudging %(number)s"),
    "search": gettext_lazy("Search %(number)s"),
    "searchbudget": gettext_lazy("Budget of vetting"),
    "siteidentity": gettext_lazy("The site"),
    "tester": gettext_lazy("Tester %(number)s"),
    "user": gettext_lazy("Account %(number)s"),
}


@register.filter
def act_words(act: str) -> str:
    """Return the label of an act, or its name if it has no label."""
    return str(ACT_WORDS.get(act, act))


@register.filter
def account_act_words(act: str) -> str:
    """Return the label of an act on an account, for the account's owner."""
    return str(account_acts.ACT_TEXTS[act])


@register.filter
def target_words(target: str) -> str:
    """Return the label of an act's target."""
    kind, _space, number = target.rpartition(" ")
    message = _TARGET_WORDS.get(kind)
    return str(message) % {"number": number} if message else target


@register.filter
def changes(entry: AuditEntry) -> list[str]:
    """Return the changes of an entry as sentences."""
    return sentences(entry)


@register.filter
def brick(standing: str) -> str:
    """Return the CSS class of a step's brick: laid, current, or none."""
    return {"done": "laid", "next": "now"}.get(standing, "")
