"""Votes of players on levels they have solved: how beautiful, how hard and how new (rule 27.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from contest.models import CollectedLevel, League, Player, Vote
from contest.outreach.community import subjects
from contest.outreach.community.subjects import Subject
from contest.rankings import collected
from contest.visibility import Viewer

LABELS: dict[str, Promise] = {
    "beautiful": pgettext_lazy("votes", "Beautiful"),
    "hard": pgettext_lazy("votes", "Hard"),
    "new": pgettext_lazy("votes", "New"),
}
MOST = 5


@dataclass(frozen=True)
class Mean:
    """Mean vote on one scale: from 1 to 5, to one decimal; None if too few have voted."""

    label: Promise
    count: int
    value: float | None


def mean_votes(level: Any) -> list[Mean]:
    """Return the votes that pages show for *level* of `subjects.with_talk`; empty if nobody has voted."""
    return [
        Mean(label, count, round(getattr(level, f"mean_{scale}"), 1) if count >= Vote.LEAST else None)
        for scale, label in LABELS.items()
        if (count := getattr(level, f"votes_{scale}"))
    ]


@transaction.atomic
def cast_vote(
    subject: Subject, player: Player, given: Mapping[str, int | None], *, viewer: Viewer, at: datetime
) -> None:
    """Store *player*'s vote on *subject*; if every scale is empty, delete the vote.

    Raise ValidationError with a message if *player* may not vote or has not solved it (rules 27.1, 27.2).
    """
    subjects.check_may_comment(subject, player, viewer, at)
    living = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, merged_into=None, erased_at=None)
    if not living.filter(subjects.has_solved(subject)).exists():
        raise ValidationError(_("Solve the level first: only players who have solved it can vote."))
    if player.league == League.BOT:
        raise ValidationError(_("Programs do not vote."))
    scales = {scale: given.get(scale) for scale in Vote.SCALES}
    if any(value is not None and not 1 <= value <= MOST for value in scales.values()):
        raise ValidationError(_("A vote is a number from 1 to 5."))
    vote_key: dict[str, Any] = {**subjects.as_filter(subject), "player": player}
    if any(scales.values()):
        Vote.objects.update_or_create(**vote_key, defaults={**scales, "cast_at": at})
    else:
        Vote.objects.filter(**vote_key).delete()
    if isinstance(subject, CollectedLevel):
        collected.count_votes([subject.pk])


def find_own_vote(subject: Subject, viewer: Viewer) -> dict[int, Vote]:
    """Return the votes of the viewer's own players, by player."""
    cast_ = Vote.objects.filter(player__in=viewer.players, **subjects.as_filter(subject))
    return {vote.player_id: vote for vote in cast_}
