"""Levels proposed by authors: drafted, sent, discussed, accepted into the library or declined.

Author and organisers work on one row. Each act locks the row and compares its version, which prevents acts on an
outdated state. Hidden levels stay hidden: an author's level is compared with public levels only.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from contest import levels, visibility
from contest.infra import identity
from contest.levels import Examination
from contest.library import shelf
from contest.models import LibraryLevel, Player, Proposal, ProposalComment
from contest.players.acts import lock
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.vetting import orders
from contest.visibility import Viewer
from solvers import sokoban
from solvers.sokoban.formats.single import read_one

log = logging.getLogger(__name__)

State = Proposal.State
# Limits for one author: organisers are few.
MOST_OPEN = 10
MOST_DRAFTS = 20
PER_DAY = 30
MOST_COMMENTS = 50
LONGEST_TEXT = 50_000
LONGEST_SOLUTION = 100_000
LONGEST_NOTE = 2_000
SENT_AGAIN = timedelta(minutes=1)  # a double click, or a page that is loaded again
_TYPED = ("title", "author", "licence", "note")


class Stale(ValidationError):
    """Another person changed the proposal meanwhile."""

    def __init__(self) -> None:
        super().__init__(_("This proposal has changed in the meantime. Check the current version, then try again."))


@dataclass(frozen=True)
class Author:
    """Author of a proposal: an account, or a nickname proved by the browser, or both."""

    account: User | None
    player: Player | None

    @property
    def name(self) -> str:
        return self.player.nickname if self.player else ""


def author_of(viewer: Viewer, user: object) -> Author | None:
    """Return the author who makes the request; None without an account or a proved nickname."""
    account = user if isinstance(user, User) and user.is_authenticated else None
    player = Player.objects.filter(pk__in=viewer.players, merged_into=None, erased_at=None).order_by("pk").first()
    return Author(account, player) if account or player else None


# The author's acts


@transaction.atomic
def start(author: Author, text: str, solution: str, *, title: str = "", name: str = "", at: datetime) -> Proposal:
    """Save a level as a draft of *author*. Raise ValidationError with a message, or PuzzleError for a bad board."""
    board = read_one(text).level
    own = _own(author)
    if own.filter(made_at__gt=at - timedelta(days=1)).count() >= PER_DAY:
        raise ValidationError(
            _("You have reached the limit of %(most)s levels a day. Please continue tomorrow.") % {"most": PER_DAY}
        )
    if own.filter(state=State.DRAFT).count() >= MOST_DRAFTS:
        raise ValidationError(_("You have %(most)s drafts: send some of them, or delete some.") % {"most": MOST_DRAFTS})
    proposal = Proposal(account=author.account, player=author.player, made_at=at, title=title[:200])
    proposal.author = (name or author.name)[:200]
    proposal.language = translation.get_language() or ""
    _fill(proposal, board, solution)
    proposal.save()
    return proposal


@transaction.atomic
def save(proposal: Proposal, given: dict[str, Any], version: int) -> Proposal:
    """Save the author's changes to the draft. Raise Stale, ValidationError, or PuzzleError if it is not a board."""
    board = read_one(given["text"]).level
    proposal = _lock(proposal, version, State.DRAFT)
    for name in _TYPED:
        setattr(proposal, name, given[name])
    _fill(proposal, board, given["solution"])
    return _save(proposal)


@transaction.atomic
def send(proposal: Proposal, viewer: Viewer, *, at: datetime, version: int) -> Proposal:
    """Send the draft to the organisers if it passes the check and the rights are given (rule 2.7).

    A level that is sent again keeps the time at which it was sent first: its sender knows it since then (rule 4.15).
    """
    proposal = _lock(proposal, version, State.DRAFT)
    errors = {name: list(messages) for name, messages in examine(proposal, viewer, at).errors.items()}
    for name in ("title", "author"):
        if not getattr(proposal, name).strip():
            errors.setdefault(name, []).append(_("This field is required."))
    if proposal.licence not in Proposal.Licence.values:
        errors["licence"] = [_("Choose how the level may be used.")]
    if errors:
        raise ValidationError(errors)
    if _own(Author(proposal.account, proposal.player)).filter(state__in=Proposal.OPEN).count() >= MOST_OPEN:
        raise ValidationError(
            _("You have %(most)s levels waiting for an answer. Propose more after the organisers have answered.")
            % {"most": MOST_OPEN}
        )
    proposal.state, proposal.sent_at = State.SENT, proposal.sent_at or at
    orders.queue_vetting(proposal.board)
    return _save(proposal)


@transaction.atomic
def withdraw(proposal: Proposal, version: int) -> Proposal:
    """Withdraw a sent proposal; organisers no longer see it."""
    proposal = _lock(proposal, version, *Proposal.OPEN)
    proposal.state = State.WITHDRAWN
    return _save(proposal)


@transaction.atomic
def take_up_again(proposal: Proposal, version: int) -> Proposal:
    """Turn a declined or withdrawn proposal into a draft again."""
    proposal = _lock(proposal, version, State.WITHDRAWN, State.DECLINED)
    proposal.state, proposal.decided_at, proposal.decided_by = State.DRAFT, None, None
    return _save(proposal)


@transaction.atomic
def delete(proposal: Proposal, version: int) -> None:
    """Delete a draft completely."""
    _lock(proposal, version, State.DRAFT).delete()


def examine(proposal: Proposal, viewer: Viewer, at: datetime) -> Examination:
    """Return the check's messages for the author: compared with public levels only, and worded for the author."""
    return examined_text(
        proposal.text, proposal.solution, title=proposal.title, author=proposal.author, viewer=viewer, at=at
    )


def examined_text(text: str, solution: str, *, title: str, author: str, viewer: Viewer, at: datetime) -> Examination:
    """Do the same for a level that is still in the form."""
    examination = levels.examine(text, solution, title=title, author=author, known=visibility.levels(viewer, at))
    if not examination.board or "solution" not in examination.errors:
        return examination
    own = _("Your solution does not solve the level.") if solution.strip() else _("Your own solution is missing.")
    # The check's first message addresses organisers; the second one, if any, names the illegal move.
    is_gates = examination.played is not None or not solution.strip()
    rest = examination.errors["solution"][1:] if is_gates else examination.errors["solution"]
    return replace(examination, errors={**examination.errors, "solution": [own, *rest]})


def _own(author: Author) -> QuerySet[Proposal]:
    """Return all proposals of one author, and lock the author so that concurrent requests cannot exceed a limit."""
    condition = Q(pk__in=[])
    if author.account:
        User.objects.select_for_update(no_key=True).get(pk=author.account.pk)
        condition |= Q(account=author.account)
    if author.player:
        lock(author.player)
        condition |= Q(player=author.player)
    return Proposal.objects.filter(condition)


# The organisers' acts


@transaction.atomic
def review(proposal: Proposal, version: int, *, by: Actor) -> Proposal:
    """Mark the proposal as being reviewed."""
    proposal = _lock(proposal, version, State.SENT)
    proposal.state = State.IN_REVIEW
    audit_log.record(by, "review proposal", proposal)
    return _save(proposal)


@transaction.atomic
def accept(proposal: Proposal, given: dict[str, Any], version: int, *, at: datetime, by: User) -> Proposal:
    """Add the level to the library, with author and rights; warnings must be confirmed."""
    proposal = _lock(proposal, version, *Proposal.OPEN)
    level = LibraryLevel(title=proposal.title, author=proposal.author)
    for name in ("tags", "difficulty", "rights"):
        setattr(level, name, given[name])
    stored = shelf.store_level(
        level, proposal.board, proposal.solution, at=at, by=by, is_confirmed=bool(given["confirmed"])
    )
    if stored.state != LibraryLevel.State.READY:
        raise ValidationError({"confirmed": [_("Read the warnings, then tick this.")]})
    proposal.kept_as = stored
    return _decide(proposal, State.ACCEPTED, at=at, by=by)


@transaction.atomic
def decline(proposal: Proposal, reason: str, version: int, *, at: datetime, by: User) -> Proposal:
    """Decline with a reason for the author."""
    proposal = _lock(proposal, version, *Proposal.OPEN)
    if not reason.strip():
        raise ValidationError({"text": [_("Give the author a reason.")]})
    _write(proposal, reason, at=at, by=by, is_by_staff=True)
    return _decide(proposal, State.DECLINED, at=at, by=by)


def _decide(proposal: Proposal, state: Proposal.State, *, at: datetime, by: User) -> Proposal:
    proposal.state, proposal.decided_at, proposal.decided_by = state, at, by
    after = {"state": state, "title": proposal.title}
    audit_log.record(by, "accept proposal" if state == State.ACCEPTED else "decline proposal", proposal, after=after)
    _notify_author(proposal)
    return _save(proposal)


# Both sides


@transaction.atomic
def comment(proposal: Proposal, text: str, *, at: datetime, by: object, is_by_staff: bool) -> ProposalComment:
    """Comment for the other side; comments are possible after the decision too."""
    held = Proposal.objects.select_for_update().filter(pk=proposal.pk).first()
    # Its author's data may just have been erased, and the comments with them.
    if held is None or (held.account_id, held.player_id) != (proposal.account_id, proposal.player_id):
        raise Stale
    proposal = held
    if proposal.state in (State.DRAFT, State.WITHDRAWN):
        raise ValidationError({"text": [_("The organisers can see the level only after you send it.")]})
    written, is_new = _write(proposal, text, at=at, by=by, is_by_staff=is_by_staff)
    if is_by_staff and is_new:
        _notify_author(proposal)
    return written


def _write(
    proposal: Proposal, text: str, *, at: datetime, by: object, is_by_staff: bool
) -> tuple[ProposalComment, bool]:
    """Return the comment, and whether it is new: one that is sent twice is written once."""
    text = text.replace("\0", "").strip()
    if not text:
        raise ValidationError({"text": [_("Write something.")]})
    if len(text) > LONGEST_NOTE:
        most = {"most": f"{LONGEST_NOTE:,}"}
        raise ValidationError({"text": [_("A comment has up to %(most)s characters.") % most]})
    own = proposal.comments.filter(is_by_staff=is_by_staff)
    if twin := own.filter(text=text, written_at__gt=at - SENT_AGAIN).first():
        return twin, False
    if own.count() >= MOST_COMMENTS:
        raise ValidationError({"text": [_("There are %(most)s comments already.") % {"most": MOST_COMMENTS}]})
    user = by if isinstance(by, User) and by.is_authenticated else None
    written = {"written_at": at, "written_by": user, "is_by_staff": is_by_staff}
    return ProposalComment.objects.create(proposal=proposal, text=text, **written), True


def _lock(proposal: Proposal, version: int, *states: str) -> Proposal:
    """Lock the row if it still is as the person has seen it. Raise Stale."""
    held = Proposal.objects.select_for_update().filter(pk=proposal.pk).first()
    if held is None or held.version != version or held.state not in states:
        raise Stale
    return held


def _save(proposal: Proposal) -> Proposal:
    proposal.version += 1
    proposal.save()
    return proposal


def _fill(proposal: Proposal, board: sokoban.Level, solution: str) -> None:
    proposal.text, proposal.solution = board.published_text, solution
    proposal.width, proposal.height, proposal.boxes = board.width, board.height, len(board.boxes)
    key = board.key if len(board.players) == 1 else ""
    if key != proposal.key:
        proposal.key, proposal.sent_at = key, None
    vars(proposal).pop("board", None)


def _notify_author(proposal: Proposal) -> None:
    """Email the author's account that there is an answer; without a verified address it is only on the page."""
    address = EmailAddress.objects.filter(user=proposal.account, verified=True).order_by("-primary").first()
    if not proposal.account_id or address is None:
        return
    with translation.override(proposal.language or identity.language()):
        subject = pgettext("subject of an email", "An answer about your level %(title)s") % {"title": proposal}
        link = settings.SITE_URL + reverse("proposal", args=[proposal.pk])
        text = _("The organisers have answered. Read it here: %(link)s") % {"link": link}
    transaction.on_commit(lambda: _mail(" ".join(subject.split()), text, address.email))


def _mail(subject: str, text: str, address: str) -> None:
    try:
        send_mail(subject, text, identity.sender(), [address])
    except OSError as error:  # the answer is on the author's page anyway
        log.warning("An author could not be notified by email (%s).", error)
