"""Entering under a nickname: find its player and check the sender's proof (rules 4.3 to 4.12)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from contest.infra import rate_limits
from contest.infra.database import bulk_statements as bulk
from contest.infra.database.prepared import among, columns
from contest.models import Door, League, Player, Submission
from contest.players import resting
from contest.players.claims import is_proved, living, names_of, new_secret, sha256_of
from contest.players.email_addresses import canonical
from contest.players.names import keys, name_key
from contest.rankings import personal_bests
from contest.visibility import Viewer

_TAKEN = _(
    "The nickname “%(name)s” already belongs to somebody. If that is you, submit from the browser that used it first,"
    " or with its claim secret; otherwise choose another nickname."
)
_WITHOUT_ADDRESS = _(
    "The nickname “%(name)s” already belongs to somebody, but it has no email address to prove that it is yours. If "
    "it is, add an email address on the page “My nicknames”; otherwise choose another nickname."
)
_OPEN = _(
    "The nickname “%(name)s” came from an older program without an email address: nobody can prove that it is theirs,"
    " and only older programs can keep using it. If it is yours, ask the organisers for it on the page “My "
    "nicknames”; otherwise choose another nickname."
)
_IMPORTED = _(
    "The nickname “%(name)s” has results that are older than this site. If they are yours, ask the organisers for the"
    " nickname on the page “My nicknames”; otherwise choose another nickname."
)


class NameTaken(Exception):
    """The nickname is *player*'s, or usable by nobody; holds a message with the remedy."""

    def __init__(self, player: Player, message: str) -> None:
        self.player = player
        super().__init__(message)


def enter(
    nickname: str,
    *,
    claim: str,
    email: str,
    country: str,
    door: Door,
    viewer: Viewer | None,
    at: datetime,
    unproved: Callable[[], None],
    secret: str = "",
) -> tuple[Player, str | None]:
    """Return the player of *nickname*, locked and proved; or a new one with its secret.

    Raise NameTaken, or BadName for a new name.

    *secret* is used for a new player, if a retry must be able to return it again.

    *unproved* is called before anything is written or answered for a sender without proof; it may raise a refusal.
    """
    player = lock_by_name(nickname)
    if not player:
        resting.check_unused(nickname)
        unproved()
        try:
            with transaction.atomic():
                return create(nickname, country=country, email=email, at=at, door=door, secret=secret)
        except IntegrityError:
            player = lock_by_name(nickname)  # a concurrent request has just taken the name
            if not player:
                raise
    admit(player, claim=claim, email=email, country=country, door=door, viewer=viewer, unproved=unproved)
    return player, None


def admit(
    player: Player,
    *,
    claim: str,
    email: str,
    country: str,
    door: Door,
    viewer: Viewer | None,
    unproved: Callable[[], None],
) -> None:
    """Admit a sender with proof as *player*, who is locked, and store their details; otherwise like `enter`."""
    if is_proved(player, claim, viewer, email=email, door=door):
        _update(player, _changes(player, country, email))
        return
    unproved()
    if not (player.is_open and door == Door.LEGACY):
        raise NameTaken(player, _refusal_message(player, door))


def _lock_players() -> QuerySet[Player]:
    aliases = Player.objects.filter(merged_into=OuterRef("pk"))
    return Player.objects.select_for_update(no_key=True).annotate(has_aliases=Exists(aliases))


@dataclass(frozen=True)
class LockedPlayers:
    """Locked players by name key; and the *free* name keys, used by no player in name or look, with their looks.

    Names that rest are not free either.
    """

    players: Mapping[str, Player]
    free: Mapping[str, str] = field(default_factory=dict)


_HELD = """
    SELECT {columns},
        EXISTS (SELECT 1 FROM contest_player AS alias WHERE alias.merged_into_id = contest_player.id) AS has_aliases
    FROM contest_player WHERE name_key {among} AND merged_into_id IS NULL ORDER BY id {lock}
"""
_NEAR = """
    SELECT name_key, look_key FROM contest_player WHERE name_key {among} OR look_key {among}
    UNION ALL SELECT name_digest, look_digest FROM contest_restingname
    WHERE name_digest {resting} OR look_digest {resting}
"""


def lock_all(nicknames: Sequence[str]) -> LockedPlayers:
    """Lock the players who have exactly these nicknames, in the order of their numbers: no deadlock.

    A player whom another transaction has locked is left out: nobody waits for another player's lock (PostgreSQL).
    Names in neither part of the result need `lock_by_name`: they lead to a player, resemble another name, or rest.
    """
    keys_of = {name_key(nickname): nickname for nickname in nicknames}
    condition, parameter = among(list(keys_of))
    can_skip = (
        connection.features.has_select_for_no_key_update and connection.features.has_select_for_update_skip_locked
    )
    lock = "FOR NO KEY UPDATE OF contest_player SKIP LOCKED" if can_skip else ""
    sql = _HELD.format(columns=columns(Player), among=condition, lock=lock)
    held = {player.name_key: player for player in Player.objects.raw(sql, [parameter])}
    missing = {key: keys(nickname)["look_key"] for key, nickname in keys_of.items() if key not in held}
    if not missing:
        return LockedPlayers(held)
    condition, parameter = among(list({*missing, *missing.values()} - {""}))
    digests = {key: resting.digests(keys_of[key]) for key in missing}
    of_digests, digest_parameter = among(sorted({digest for found in digests.values() for digest in found} - {""}))
    sql = _NEAR.format(among=condition, resting=of_digests)
    near = bulk.rows(sql, [parameter, parameter, digest_parameter, digest_parameter])
    taken = {name for row in near for name in row}
    free = {key: look for key, look in missing.items() if not taken & ({key, look, *digests[key]} - {""})}
    return LockedPlayers(held, free)


def lock_by_name(nickname: str) -> Player | None:
    """Lock and return the living player of *nickname*, also through an alias (rule 4.13).

    An unused nickname leads to the player with a name of the same look (rule 4.5).
    """
    key = name_key(nickname)
    while True:
        if player := _lock_players().filter(name_key=key, merged_into=None).first():
            return player
        alias = _row_of(nickname, key)
        if not alias:
            return None
        if player := _lock_players().filter(pk=living(alias).pk, merged_into=None).first():
            return player


def _row_of(nickname: str, key: str) -> Player | None:
    rows = Player.objects.select_related("merged_into")
    if exact := rows.filter(name_key=key).first():
        return exact
    look_key = keys(nickname)["look_key"]
    return rows.filter(look_key=look_key).order_by("pk").first() if look_key else None


def create(
    nickname: str, *, country: str, email: str, at: datetime, door: Door | None = None, secret: str = ""
) -> tuple[Player, str | None]:
    """Create the player of an unused nickname; return it with its secret, which is shown once.

    Old programs can neither show nor store a secret: the address, or nothing, proves the nickname there (rule 4.12).
    """
    player, given = build_player(nickname, country=country, email=email, at=at, door=door, secret=secret)
    player.save(force_insert=True)
    return player, given


def build_player(
    nickname: str, *, country: str, email: str, at: datetime, door: Door | None = None, secret: str = ""
) -> tuple[Player, str | None]:
    """Build a player like `create`, without storing it."""
    given = None if door == Door.LEGACY else secret or new_secret()
    player = Player(
        nickname=nickname,
        **keys(nickname),
        country=country,
        email=canonical(email) if email else "",
        claim_sha256=sha256_of(given) if given else "",
        created_at=at,
    )
    vars(player)["has_aliases"] = False  # same attribute as in `_lock_players`
    return player, given


def store_players(players: Sequence[Player]) -> None:
    """Store players from `build_player` with different names by one statement; the pk stays None if a name is taken."""
    bulk.insert(sorted(players, key=lambda player: player.name_key), _NEW)  # in one order: no deadlock


_NEW = ("name_key", "nickname", "look_key", "country", "email", "claim_sha256", "archive_number", "created_at")


def would_change(player: Player, country: str, email: str) -> bool:
    """Return True if these details of a proved sender would change *player*."""
    return bool(_changes(player, country, email))


def _changes(player: Player, country: str, email: str) -> dict[str, str]:
    """Return the new details of a proved sender: another country, or a first address."""
    changed = {}
    if country and country != player.country:
        changed["country"] = country
    # A later address neither claims an open nickname (rule 4.12) nor replaces one: that needs a login.
    if email and not player.email and not player.is_open:
        changed["email"] = email
    return changed


def _update(player: Player, changed: Mapping[str, str]) -> None:
    if changed:
        Player.objects.filter(pk=player.pk).update(**changed)
        for name, value in changed.items():
            setattr(player, name, value)
    if "country" in changed:
        personal_bests.refresh_display(player)


def _refusal_message(player: Player, door: Door) -> str:
    """Return the message why *player* cannot be entered without proof, with the remedy."""
    message = _TAKEN
    if player.is_imported:
        message = _IMPORTED
    elif player.is_open:
        message = _OPEN
    elif door == Door.LEGACY and not player.email:
        message = _WITHOUT_ADDRESS
    return str(message) % {"name": player.nickname}


def is_program_at_human_door(player: Player, door: Door) -> bool:
    """Return True for a program at a door for people, the web form or old programs (rule 16.2): it must use the API."""
    return player.league == League.BOT and door in (Door.WEB, Door.LEGACY)


def is_organiser(player: Player, viewer: Viewer | None) -> bool:
    """Return True for a viewer with staff rights, and for every nickname owned by staff (rules 1.8, 4.10)."""
    if viewer and viewer.is_organiser:
        return True
    if not (player.owner_id or getattr(player, "has_aliases", True)):
        return False
    owners = [name.owner for name in names_of(player) if name.owner_id]
    return any(owner is not None and owner.is_staff for owner in owners)


def find_player(nickname: str) -> Player | None:
    """Return the living player of *nickname*, in any spelling."""
    player = _row_of(nickname, name_key(nickname))
    return living(player) if player else None


def forget_networks(at: datetime) -> int:
    """Delete the hashed networks of submissions under unclaimed names after 30 days; return how many."""
    old = Submission.objects.exclude(open_network="").filter(received_at__lte=at - rate_limits.NETWORKS_KEPT)
    return old.update(open_network="")
