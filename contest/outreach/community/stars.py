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
def follow(what: Subject | Player, *, viewer: Viewer, at: datetime) -> None:
    """Follow *what* as the first of the viewer's nicknames. Raise ValidationError with a message."""
    mine = Player.objects.filter(pk__in=viewer.players, merged_into=None, erased_at=None).order_by("pk")
    player = mine.select_for_update(no_key=True).first()
    if player is None:
        raise ValidationError(_("You need a nickname in this browser to follow somebody."))
    if isinstance(what, Player) and what.pk in viewer.players:
        raise ValidationError(_("This is you."))
    stars = Star.objects.filter(player__in=viewer.players)
    if stars.filter(**_key(what)).exists():
        return
    if stars.count() >= MOST:
        raise ValidationError(_("You follow %(most)s already. Stop following something first.") % {"most": MOST})
    Star.objects.create(player=player, starred_at=at, **_key(what))


def leave(what: Subject | Player, *, viewer: Viewer) -> None:
    """Stop following *what*."""
    is_of_it = Q(**_key(what))
    if isinstance(what, Player):
        is_of_it |= Q(followed__merged_into=what)
    Star.objects.filter(is_of_it, player__in=viewer.players).delete()


def of(viewer: Viewer) -> QuerySet[Star]:
    """Return what the viewer follows, latest first, with the related rows that a list shows."""
    stars = Star.objects.filter(player__in=viewer.players)
    return stars.select_related("followed__merged_into", "level__round", "collected__collection")


def _key(what: Subject | Player) -> dict[str, Subject | Player]:
    return {"followed": what} if isinstance(what, Player) else {**subjects.key(what)}
