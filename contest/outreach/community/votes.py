"""Votes of players on levels they have solved: how beautiful, how hard and how new (rule 27.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from contest.front.shares import network_of
from contest.infra import rate_limits
from contest.infra.client_ip import block_of
from contest.models import CollectedLevel, League, Player, Submission, Vote
from contest.outreach.community import own_solutions, subjects
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
    """Mean vote on one scale: from 1 to 5, to one decimal; None if it is not public yet."""

    label: Promise
    count: int
    value: float | None
    # From how many names and networks on it is public.
    least: int = Vote.LEAST
    least_networks: int = Vote.LEAST_NETWORKS


def mean_votes(level: Any) -> list[Mean]:
    """Return the votes that pages show for *level* of `subjects.with_talk`; empty if nobody has voted."""
    return [
        Mean(label, count, None if mean is None else round(mean, 1))
        for scale, label in LABELS.items()
        if (count := getattr(level, f"votes_{scale}"))
        for mean in [getattr(level, f"mean_{scale}")]
    ]


@transaction.atomic
def cast_vote(
    subject: Subject,
    player: Player,
    given: Mapping[str, int | None],
    *,
    viewer: Viewer,
    at: datetime,
    address: str = "",
) -> None:
    """Store *player*'s vote on *subject*, sent from *address*; if every scale is empty, delete the vote.

    Raise ValidationError with a message if *player* may not vote or has not solved it (rules 27.1, 27.2).
    """
    subjects.check_may_comment(subject, player, viewer, at)
    living = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, merged_into=None, erased_at=None)
    if not living.filter(subjects.has_solved(subject)).exists():
        raise ValidationError(_("Solve the level first: only players who have solved it can vote."))
    if player.league == League.BOT:
        raise ValidationError(_("Programs do not vote."))
    if not Submission.objects.counted().filter(player=player).exists() and not own_solutions.has_own(player, subject):
        raise ValidationError(
            _("Enter a round first, or solve the level in your own way: a copy of a public solution does not count.")
        )
    scales = {scale: given.get(scale) for scale in Vote.SCALES}
    if any(value is not None and not 1 <= value <= MOST for value in scales.values()):
        raise ValidationError(_("A vote is a number from 1 to 5."))
    vote_key: dict[str, Any] = {**subjects.as_filter(subject), "player": player}
    if any(scales.values()):
        changed: dict[str, Any] = {**scales, "cast_at": at}
        if not Vote.objects.filter(**vote_key, network_number__isnull=False).exists():
            changed |= _network(subject, address)
        Vote.objects.update_or_create(**vote_key, defaults=changed)
    else:
        Vote.objects.filter(**vote_key).delete()
    if isinstance(subject, CollectedLevel):
        collected.count_votes([subject.pk])


def _network(subject: Subject, address: str) -> dict[str, Any]:
    """Return the columns of a new vote that count its network: a /24 of IPv4, or a /48 of IPv6."""
    if not address:
        return {}
    # Of two concurrent votes the second one sees the network of the first.
    type(subject).objects.select_for_update(no_key=True).get(pk=subject.pk)
    text = f"{subjects.column_name(type(subject))} {subject.pk} {network_of(block_of(address))}"
    network = salted_hmac("contest.votes", text, algorithm="sha256").hexdigest()[:32]
    cast_ = Vote.objects.filter(**subjects.as_filter(subject))
    number = cast_.filter(network=network).values_list("network_number", flat=True).first()
    last = cast_.aggregate(last=Max("network_number"))["last"] or 0
    return {"network": network, "network_number": last + 1 if number is None else number}


def forget_networks(at: datetime) -> int:
    """Delete the hashed networks of votes after 30 days; their numbers still count. Return how many."""
    return Vote.objects.exclude(network="").filter(cast_at__lte=at - rate_limits.NETWORKS_KEPT).update(network="")


def find_own_vote(subject: Subject, viewer: Viewer) -> dict[int, Vote]:
    """Return the votes of the viewer's own players, by player."""
    cast_ = Vote.objects.filter(player__in=viewer.players, **subjects.as_filter(subject))
    return {vote.player_id: vote for vote in cast_}
