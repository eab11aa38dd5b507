"""Comments of players on levels and posts, and their moderation by organisers (rules 27.2 to 27.5)."""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from contest import visibility
from contest.infra import rate_limits
from contest.models import Comment, CommentReport, Player
from contest.models.community.opinions import LONGEST
from contest.outreach.community import subjects
from contest.outreach.community.subjects import Discussed
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

PER_HOUR = 10
PER_DAY = 40
SENT_AGAIN = timedelta(minutes=1)  # a double click, or a page that is loaded again
MOST_REPORTS = 3  # open reports of one comment
MOST_REPORTS_IN_ALL, MOST_REPORTS_OF_NETWORK = 500, 20
_RELATED = ("player", "level__round", "collected__collection", "post")


@transaction.atomic
def write(
    subject: Discussed,
    player: Player,
    text: str,
    spoiler: str = "",
    *,
    answers: Comment | None = None,
    viewer: Viewer,
    at: datetime,
) -> Comment:
    """Publish a comment of *player*, once if it is sent twice; raise ValidationError if it is not allowed."""
    subjects.check_may_comment(subject, player, viewer, at)
    text, spoiler = clean(text), clean(spoiler)
    if not text and not spoiler:
        raise ValidationError(_("Write your comment."))
    if len(text) > LONGEST or len(spoiler) > LONGEST:
        raise ValidationError(_("Each part of a comment has up to %(most)s characters.") % {"most": f"{LONGEST:,}"})
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if player.merged_into_id or player.erased_at:
        raise ValidationError(_("Only the owner of a nickname can speak under it."))
    fields = {**subjects.as_filter(subject), "player": player, "text": text, "spoiler": spoiler, "answers": answers}
    shown = Comment.objects.filter(**fields, deleted_at=None, hidden_at=None)
    if twin := shown.filter(written_at__gt=at - SENT_AGAIN).first():
        return twin
    _check_rate(player, at)
    return Comment.objects.create(**fields, written_at=at)


def clean(text: str) -> str:
    """Remove invisible characters, surrounding spaces and repeated empty lines.

    >>> clean(" a \\r\\n\\n\\n\\nb\\x00\\u202ec ")
    'a\\n\\nbc'
    """
    seen = "".join(char if char.isprintable() or char == "\n" else " " if char.isspace() else "" for char in text)
    lines: list[str] = []
    for line in seen.split("\n"):
        stripped = line.strip()
        if stripped or (lines and lines[-1]):
            lines.append(stripped)
    return "\n".join(lines).strip()


def _check_rate(player: Player, at: datetime) -> None:
    recent = Comment.objects.filter(player=player)
    for most, span, message in (
        (PER_HOUR, timedelta(hours=1), _("You have written %(most)s comments in an hour. Continue later.")),
        (PER_DAY, timedelta(days=1), _("You have written %(most)s comments today. Continue tomorrow.")),
    ):
        if recent.filter(written_at__gt=at - span).count() >= most:
            raise ValidationError(message % {"most": most})


def list_comments(subject: Discussed, viewer: Viewer, at: datetime) -> QuerySet[Comment]:
    """Return the comments on *subject* that the viewer may read, newest first, each with the comment it answers."""
    readable = visibility.comments(viewer, at).filter(**subjects.as_filter(subject))
    return readable.select_related("player", "answers__player")


@transaction.atomic
def delete(comment: Comment, *, viewer: Viewer, at: datetime) -> None:
    """Delete the viewer's own comment and its text for good. Raise ValidationError if the comment is not theirs."""
    if comment.player_id not in viewer.players:
        raise ValidationError(_("Only the author can delete a comment."))
    erase_texts(Comment.objects.filter(pk=comment.pk), at)


def erase_texts(among: QuerySet[Comment], at: datetime) -> None:
    """Erase the texts of these comments and delete their reports."""
    gone = list(among.filter(deleted_at=None).values_list("pk", flat=True))
    Comment.objects.filter(pk__in=gone).update(text="", spoiler="", deleted_at=at)
    CommentReport.objects.filter(comment__in=gone).delete()


# Moderation


@transaction.atomic
def report(comment: Comment, text: str, *, at: datetime, address: str = "") -> CommentReport:
    """Report *comment* to the organisers. Raise ValidationError if too many reports are open, in all or of a network.

    A network that has none waiting may always report: another one may have sent all that wait.
    """
    network = rate_limits.wide_network_of(address)
    comment = Comment.objects.select_for_update(no_key=True).get(pk=comment.pk)
    waiting = CommentReport.objects.filter(decided_at=None)
    limits = {"most": MOST_REPORTS, "most_of_network": MOST_REPORTS}
    if not rate_limits.has_room(waiting.filter(comment=comment), network, **limits):
        raise ValidationError(_("This comment has already been reported; the organisers will decide."))
    limits = {"most": MOST_REPORTS_IN_ALL, "most_of_network": MOST_REPORTS_OF_NETWORK}
    if not rate_limits.has_room(waiting, network, **limits):
        raise ValidationError(_("The organisers have many reports waiting. Please try again later."))
    return CommentReport.objects.create(comment=comment, text=clean(text)[:500], network=network, reported_at=at)


def list_reported() -> QuerySet[Comment]:
    """Return comments with undecided reports, the longest waiting first."""
    undecided = Q(reports__decided_at=None, reports__pk__isnull=False)
    counted = Comment.objects.filter(deleted_at=None).annotate(
        report_count=Count("reports", filter=undecided), reported_at=Max("reports__reported_at", filter=undecided)
    )
    return counted.filter(report_count__gt=0).select_related(*_RELATED).order_by("reported_at", "pk")


def list_latest() -> QuerySet[Comment]:
    """Return all comments that are not deleted, hidden ones too, newest first."""
    return Comment.objects.filter(deleted_at=None).select_related(*_RELATED)


@transaction.atomic
def hide(comment: Comment, by: Actor, *, reason: str, at: datetime) -> None:
    """Hide *comment*; its author sees *reason*. Its reports are decided too."""
    if not reason.strip():
        raise ValidationError(_("Give a reason: the author will read it."))
    Comment.objects.filter(pk=comment.pk).update(hidden_at=at, hidden_because=reason.strip()[:500])
    _decide(comment, by, at)
    audit_log.record(by, "hide comment", comment, reason=reason.strip()[:500])


@transaction.atomic
def restore(comment: Comment, by: Actor, *, reason: str, at: datetime) -> None:
    """Show *comment* again."""
    Comment.objects.filter(pk=comment.pk).update(hidden_at=None, hidden_because="")
    _decide(comment, by, at)
    audit_log.record(by, "restore comment", comment, reason=reason.strip()[:500])


@transaction.atomic
def dismiss_reports(comment: Comment, by: Actor, *, reason: str, at: datetime) -> None:
    """Dismiss the reports of *comment*."""
    _decide(comment, by, at)
    audit_log.record(by, "leave comment", comment, reason=reason.strip()[:500])


def _decide(comment: Comment, by: Actor, at: datetime) -> None:
    undecided = CommentReport.objects.filter(comment=comment.pk, decided_at=None)
    undecided.update(decided_at=at, decided_by=by if by and by.is_authenticated else None, network="")
