"""Reports about names: "that is mine", "that offends", "that looks like mine", "that is only squatted".

An organiser decides. Reports are limited per browser and day, per name, per network, and in total.
"""

from collections.abc import Iterator
from itertools import combinations

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from contest.infra import clock, identity, rate_limits
from contest.models import NameReport, Player
from contest.players.acts import Impossible
from contest.players.claims import LINK_DAYS, link_token
from contest.players.email_addresses import BadAddress, canonical
from contest.players.names import BadName, are_near, check_new, letters
from contest.staff import audit_log
from contest.staff.audit_log import Actor

LONGEST = 1_000
MOST_A_NAME = 3
MOST_IN_ALL, MOST_OF_NETWORK = 500, 20


@transaction.atomic
def report(player: Player, kind: str, *, text: str, email: str, address: str = "") -> NameReport:
    """Submit a report about the name of *player* to the organisers. Raise Impossible.

    A network that has none waiting, of the name or at all, may always report: others may have sent all that wait.
    """
    network = rate_limits.wide_network_of(address)
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    waiting = NameReport.objects.filter(decided_at=None)
    similar = waiting.filter(player=player, kind=kind)
    if not rate_limits.has_room(similar, network, most=MOST_A_NAME, most_of_network=MOST_A_NAME):
        raise Impossible(_("This name has already been reported; the organisers will decide."))
    if not rate_limits.has_room(waiting, network, most=MOST_IN_ALL, most_of_network=MOST_OF_NETWORK):
        raise Impossible(_("The organisers have many reports waiting. Please try again later."))
    return NameReport.objects.create(
        player=player, kind=kind, text=text[:LONGEST], email=email, network=network, reported_at=clock.now()
    )


@transaction.atomic
def decide(report: NameReport, decision: str, by: Actor) -> None:
    """Close *report* and erase the reporter's address and network."""
    closed = {"decided_at": clock.now(), "decision": decision[:500], "email": "", "network": ""}
    NameReport.objects.filter(pk=report.pk).update(**closed)
    audit_log.record(by, "decide report", report, reason=decision)


def grant(report: NameReport, decision: str, by: Actor, *, site: str) -> None:
    """Give the reported name to the claimant: a claim link is sent to their address. Raise Impossible."""
    send_link(report.player, report.email, by, reason=decision, site=site)
    decide(report, decision, by)


def send_link(player: Player, email: str, by: Actor, *, reason: str, site: str, forgets: bool = False) -> None:
    """Send a claim link for *player* to *email*, which the organiser need not see (rule 4.7). Raise Impossible."""
    if not email:
        raise Impossible(_("There is no email address to send it to."))
    try:
        email = canonical(email)
    except BadAddress as bad:
        raise Impossible(str(bad)) from None
    url = _claim_url(player, site=site, forgets=forgets)
    send_mail(
        _("%(site)s: your nickname %(name)s") % {"site": identity.name(), "name": player.nickname},
        _(
            "The organisers have given you the nickname %(name)s.\n"
            "\n"
            "Open this link in the browser you play with and press the button there:\n"
            "\n"
            "%(url)s\n"
            "\n"
            "The link works once, within %(days)s days. If you did not ask for it, ignore this message."
        )
        % {"name": player.nickname, "url": url, "days": LINK_DAYS},
        identity.sender(),
        [email],
    )
    audit_log.record(by, "send claim link", player, reason=reason, after={"forgets": forgets})


def show_link(player: Player, by: Actor, *, reason: str, site: str, forgets: bool = False) -> str:
    """Return the URL of a claim link, for an organiser to pass on."""
    audit_log.record(by, "show claim link", player, reason=reason, after={"forgets": forgets})
    return _claim_url(player, site=site, forgets=forgets)


def _claim_url(player: Player, *, site: str, forgets: bool) -> str:
    token = link_token(player, clock.now(), forgets=forgets)
    return f"{settings.SITE_URL or site}{reverse('claim_link', args=[token])}"


@transaction.atomic
def leave_both(one: Player, other: Player, by: Actor) -> None:
    """Decide that two similar names belong to two people: the pair is not shown again."""
    pair = NameReport.objects.create(
        player=one,
        other=other,
        kind=NameReport.Kind.LOOKALIKE,
        reported_at=clock.now(),
        decided_at=clock.now(),
        decision=_("Two people."),
    )
    audit_log.record(by, "leave look-alikes", pair, after={"players": sorted([one.pk, other.pk])})


def pairs_decided() -> set[tuple[int, int]]:
    """Return the player IDs of decided look-alikes, smaller first."""
    decided = NameReport.objects.filter(kind=NameReport.Kind.LOOKALIKE, other__isnull=False, decided_at__isnull=False)
    return {(min(pair), max(pair)) for pair in decided.order_by().values_list("player", "other")}


def find_lookalikes() -> Iterator[tuple[Player, Player]]:
    """Yield undecided pairs of players with confusable names but different keys.

    Names one edit apart share all but at most one of their halves, so only names with a common half are compared.
    """
    buckets: dict[tuple[str, str], list[Player]] = {}
    for player in Player.objects.filter(merged_into=None, erased_at=None).order_by("pk"):
        for bucket in {("look", player.look_key), *_buckets(player.name_key)}:
            buckets.setdefault(bucket, []).append(player)
    seen = pairs_decided()
    for players in buckets.values():
        for player, other in combinations(players, 2):
            pair = (player.pk, other.pk)
            is_similar = player.look_key == other.look_key or are_near(player.name_key, other.name_key)
            if pair not in seen and is_similar:
                seen.add(pair)
                yield player, other


def find_invalid_names() -> Iterator[tuple[Player, str]]:
    """Yield names from before today's rules that would now be refused, with the reason, to inform organisers."""
    for player in Player.objects.filter(merged_into=None, erased_at=None).exclude(look_key="").order_by("pk"):
        try:
            check_new(player.nickname)
        except BadName as bad:
            yield player, bad.message


def _buckets(key: str) -> set[tuple[str, str]]:
    """Return the buckets of a name; names one edit apart share one: the edit keeps the head or the tail."""
    half = len(key) // 2
    heads = {("head", key[:size]) for size in (half - 1, half) if size > 0}
    tails = {("tail", key[-size:]) for size in (half - 1, half) if size > 0}
    return {("letters", letters(key)), *heads, *tails}
