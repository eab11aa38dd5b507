"""Players and levels that a player follows (rule 27.6): private to the follower."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from contest.models import Player, Star
from contest.outreach.community import subjects
from contest.outreach.community.subjects import Subject
from contest.visibility import Viewer

MOST = 500


@transaction.atomic
def follow(target: Subject | Player, *, viewer: Viewer, at: datetime) -> None:
    """Follow *target* as the first of the viewer's nicknames. Raise ValidationError with a message."""
    own_players = Player.objects.filter(pk__in=viewer.players, merged_into=None, erased_at=None).order_by("pk")
    player = own_players.select_for_update(no_key=True).first()
    if player is None:
        raise ValidationError(_("You need a nickname in this browser to follow somebody."))
    if isinstance(target, Player) and target.pk in viewer.players:
        raise ValidationError(_("This is you."))
    stars = Star.objects.filter(player__in=viewer.players)
    if stars.filter(**_key(target)).exists():
        return
    if stars.count() >= MOST:
        raise ValidationError(
            _("You already follow %(most)s players or levels. Stop following one first.") % {"most": MOST}
        )
    Star.objects.create(player=player, starred_at=at, **_key(target))


def unfollow(target: Subject | Player, *, viewer: Viewer) -> None:
    """Stop following *target*."""
    is_target = Q(**_key(target))
    if isinstance(target, Player):
        is_target |= Q(followed__merged_into=target)
    Star.objects.filter(is_target, player__in=viewer.players).delete()


def list_stars(viewer: Viewer) -> QuerySet[Star]:
    """Return what the viewer follows, latest first, with the related rows that a list shows."""
    stars = Star.objects.filter(player__in=viewer.players)
    return stars.select_related("followed__merged_into", "level__round", "collected__collection")


def _key(target: Subject | Player) -> dict[str, Subject | Player]:
    return {"followed": target} if isinstance(target, Player) else {**subjects.as_filter(target)}
