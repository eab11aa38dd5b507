"""Players who knew a level of a round before it opened, and so enter it hors concours (rule 4.15).

Every fact is older than the opening, so an entry is bound by it when it arrives, and its leaf says so for good. Names
that turn out later to be one person's are left to the organisers: `late_insiders` lists them (rule 15.2).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from contest.models import GRADED_SLUG, CollectedLevel, Level, LevelResult, Player, Proposal, Round, Run, Submission
from contest.models.level import in_order
from contest.players.claims import living, names_of, surely_own
from contest.players.names import name_key
from contest.visibility import Viewer

MOST_SOLVERS = 20  # named for organisers
_OFF, _ALL = ("", "none"), "authors and solvers"


class Tie(StrEnum):
    """The way in which a person knew a level."""

    PROPOSED = "proposed"
    MADE = "made"
    SOLVED = "solved"


@dataclass(frozen=True)
class Insider:
    """A person and the level known to them; *player* is None for an account without a nickname."""

    player: Player | None
    level: Level
    tie: Tie

    def __str__(self) -> str:
        values = {"player": self.player or _("An account without a nickname"), "level": self.level.get_slot_display()}
        if self.tie is Tie.PROPOSED:
            return _("%(player)s proposed “%(level)s”.") % values
        if self.tie is Tie.MADE:
            return _("%(player)s is named as the author of “%(level)s”.") % values
        return _("%(player)s solved “%(level)s” before the opening.") % values

    @property
    def message(self) -> str:
        """The reason in words for the person, whom alone it may be shown to."""
        values = {"level": self.level.get_slot_display()}
        if self.tie is Tie.PROPOSED:
            return _("You proposed “%(level)s”.") % values
        if self.tie is Tie.MADE:
            return _("You are named as the author of “%(level)s”.") % values
        return _("You solved “%(level)s” before the opening.") % values


class _Person:
    """All players and accounts that a sender is known to be; names that only an address connects on request."""

    def __init__(self, player: Player, viewer: Viewer | None, *, by_address: bool = False) -> None:
        names = list(names_of(player))
        self.keys = {name.pk for name in names if name.pk}
        self.accounts = {name.owner_id for name in names} | {viewer.account if viewer else None}
        self.authors: set[str] = set()
        if others := (viewer.players if viewer else frozenset()) - self.keys:
            rows = Player.objects.filter(surely_own(viewer), Q(pk__in=others) | Q(merged_into__in=others))
            for pk, merged_into, owner in rows.values_list("pk", "merged_into", "owner"):
                self.keys |= {pk, merged_into or pk}
                self.accounts.add(owner)
        self.accounts -= {None}
        if self.accounts:
            owned = Player.objects.filter(Q(owner__in=self.accounts) | Q(merged_into__owner__in=self.accounts))
            owned = owned if by_address else owned.filter(surely_own(viewer) | Q(pk__in=self.keys))
            for pk, merged_into, key in owned.values_list("pk", "merged_into", "name_key"):
                self.keys |= {pk, merged_into or pk}
                self.authors.add(key)


def is_insider(round_: Round, player: Player, viewer: Viewer | None) -> bool:
    """Return True if the sender, under any name or account, knew a level of the open *round_* before it opened."""
    setting = round_.settings.get("hors_concours", "")
    if setting in _OFF:
        return False
    facts, person = _facts(round_.pk, round_.commitment), _Person(player, viewer)
    if facts.authors & person.authors:
        return True
    by_person = Q(player__in=person.keys) | Q(account__in=person.accounts)
    if facts.has_proposals and _proposals(round_).filter(by_person).exists():
        return True
    if setting != _ALL:
        return False
    solved = (*_solutions(round_), *(runs for _key, runs in _runs(round_)))
    return any(rows.filter(player__in=person.keys).exists() for rows in solved)


@dataclass(frozen=True)
class _Facts:
    authors: frozenset[str]
    has_proposals: bool


@lru_cache(maxsize=64)
def _facts(pk: int, _commitment: str) -> _Facts:
    """Return what the opening has fixed, for rounds that take entries: most senders then cost no query.

    The random commitment keeps the rounds of different databases apart.
    """
    round_ = Round.objects.get(pk=pk)
    proposals = list(_proposals(round_))
    return _Facts(frozenset(_authors(round_, proposals)), bool(proposals))


def list_insiders(round_: Round, player: Player | None = None, viewer: Viewer | None = None) -> list[Insider]:
    """Return who enters *round_* hors concours as far as is known now: for organisers, or for *player* alone."""
    if round_.settings.get("hors_concours", "") in _OFF:
        return []
    return list(dict.fromkeys(_list(round_, _Person(player, viewer) if player else None)))


def late_insiders(round_: Round) -> list[Insider]:
    """Return insiders with entries in *round_* that count, because a name came to light later (rule 15.2)."""
    insiders = list_insiders(round_)
    if not insiders:
        return []
    counted = set(Submission.objects.filter(round=round_).counted().order_by().values_list("player", flat=True))
    return [
        replace(insider, player=player)
        for insider in insiders
        if insider.player
        for player in Player.objects.filter(pk__in=counted & _Person(insider.player, None, by_address=True).keys)
    ]


def _list(round_: Round, person: _Person | None) -> Iterator[Insider]:
    levels = {level.key: level for level in in_order(round_.levels.all()) if level.key}
    proposals = list(_proposals(round_))
    for proposal in proposals:
        if person is None or proposal.player_id in person.keys or proposal.account_id in person.accounts:
            level = levels.get(proposal.key) or levels[_key_in_library(proposal, round_)]
            yield Insider(_proposer(proposal), level, Tie.PROPOSED)
    authors = _authors(round_, proposals)
    named = Player.objects.filter(name_key__in=authors).exclude(owner=None, merged_into__owner=None)
    for player in named.select_related("merged_into"):
        if person is None or player.name_key in person.authors:
            yield from (Insider(living(player), level, Tie.MADE) for level in authors[player.name_key])
    if round_.settings["hors_concours"] == _ALL:
        for rows in _solutions(round_):
            sought = rows.filter(player__in=person.keys) if person else rows
            pairs = sought.order_by("player").values_list("player", "level__key").distinct()[:MOST_SOLVERS]
            players = Player.objects.in_bulk([pk for pk, _key in pairs])
            yield from (Insider(players[pk], levels[key], Tie.SOLVED) for pk, key in pairs)
        for key, runs in _runs(round_):
            own = runs.filter(player__in=person.keys) if person else runs
            runners = Player.objects.filter(pk__in=own.order_by().values("player")).order_by("pk")[:MOST_SOLVERS]
            yield from (Insider(player, levels[key], Tie.SOLVED) for player in runners)


def _proposer(proposal: Proposal) -> Player | None:
    if proposal.player:
        return living(proposal.player)
    return Player.objects.filter(owner=proposal.account, merged_into=None).order_by("pk").first()


def _proposals(round_: Round) -> QuerySet[Proposal]:
    """Return the proposals of the round's levels, turned or mirrored too, that were sent before the opening.

    A level that organisers changed after they accepted it is still its proposer's.
    """
    keys = round_.levels.exclude(key="").order_by().values("key")
    sent = Proposal.objects.filter(sent_at__lt=round_.opens_at)
    of_round = sent.filter(Q(key__in=keys) | Q(kept_as__used_in=round_, kept_as__key__in=keys))
    return of_round.select_related("player__merged_into", "kept_as").order_by("pk")


def _key_in_library(proposal: Proposal, round_: Round) -> str:
    """Return the key of the level that the round took from an accepted proposal; "" if it took none."""
    level = proposal.kept_as
    return level.key if level and level.used_in_id == round_.pk else ""


def _authors(round_: Round, proposals: Iterable[Proposal]) -> Mapping[str, list[Level]]:
    """Return the round's levels by the name key of their author.

    Authors named by an accepted proposal are left out: otherwise it could exclude any rival.
    """
    accepted = [proposal for proposal in proposals if proposal.state == Proposal.State.ACCEPTED]
    proposed = {key for proposal in accepted for key in (proposal.key, _key_in_library(proposal, round_))}
    authors: dict[str, list[Level]] = {}
    for level in round_.levels.all():
        if level.author and level.key not in proposed:
            authors.setdefault(name_key(level.author), []).append(level)
    return authors


def _solutions(round_: Round) -> tuple[QuerySet[Submission], QuerySet[LevelResult]]:
    """Return solutions of the round's levels that were received before it opened: in other rounds and collections."""
    keys = round_.levels.exclude(key="").order_by().values("key")
    known = {"level__key__in": keys, "received_at__lt": round_.opens_at}
    in_rounds = Submission.objects.accepted().filter(**known).exclude(round=round_)
    return in_rounds, LevelResult.objects.filter(**known)


def _runs(round_: Round) -> Iterator[tuple[str, QuerySet[Run]]]:
    """Yield the key of each of the round's levels that runs have, with those that solved it before it opened."""
    keys = round_.levels.exclude(key="").order_by().values("key")
    graded = CollectedLevel.objects.filter(collection__slug=GRADED_SLUG, key__in=keys)
    for key, place in graded.values_list("key", "place"):
        solved = Q(solutions__startswith=f"{place}:") | Q(solutions__contains=f" {place}:")
        yield key, Run.objects.filter(solved, received_at__lt=round_.opens_at)
