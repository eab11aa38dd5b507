"""Entering under a nickname: whose it is, and whether the sender may (rules 4.3 to 4.12)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from contest.infra.database import bulk_statements as bulk
from contest.infra.database.prepared import among, columns
from contest.models import Door, League, Player
from contest.players.claims import is_proved, living, names_of, new_secret, sha256_of
from contest.players.email_addresses import canonical
from contest.players.names import check_new, keys, name_key
from contest.rankings import personal_bests
from contest.visibility import Viewer

_TAKEN = _(
    "The nickname “%(name)s” belongs to somebody already. If that is you, send it from the browser that used it first, "
    "or with the claim secret you were given then; otherwise choose another one."
)
_WITHOUT_ADDRESS = _(
    "The nickname “%(name)s” belongs to somebody already and has no email address, which is what proves it here. "
    "If it is yours, add one on the page “My nicknames”; otherwise choose another one."
)
_OPEN = _(
    "The nickname “%(name)s” came from an older program without an email address: nothing proves whose it is, and "
    "only such programs can go on using it. If it is yours, ask the organisers for it on the page “My nicknames”; "
    "otherwise choose another one."
)
_IMPORTED = _(
    "The nickname “%(name)s” has results from before this site. If they are yours, ask the organisers for it on the "
    "page “My nicknames”; otherwise choose another one."
)


class NameTaken(Exception):
    """The nickname is *player*'s, or nobody's to use; says what can be done, in words for the person."""

    def __init__(self, player: Player, words: str) -> None:
        self.player = player
        super().__init__(words)


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
    """The player of *nickname*, locked and proved; or a new one with the secret that proves it.

    Raise NameTaken, or BadName for a new name.

    *secret*: what a new one's shall be, where the sender has to be able to ask for it again.

    *unproved* is called before anything is written or said for a sender without proof; it may refuse them.
    """
    player = lock_by_name(nickname)
    if not player:
        check_new(nickname)
        unproved()
        try:
            with transaction.atomic():
                return create(nickname, country=country, email=email, at=at, door=door, secret=secret)
        except IntegrityError:
            player = lock_by_name(nickname)  # somebody took the name in this very moment: they have it
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
    """Let a sender with proof enter as *player*, who is held, and keep what they say of themselves; as `enter`."""
    if is_proved(player, claim, viewer, email=email, door=door):
        _update(player, _changes(player, country, email))
    elif not (player.is_open and door == Door.LEGACY):
        unproved()
        raise NameTaken(player, _why(player, door))


def _lock_players() -> QuerySet[Player]:
    aliases = Player.objects.filter(merged_into=OuterRef("pk"))
    return Player.objects.select_for_update(no_key=True).annotate(has_aliases=Exists(aliases))


@dataclass(frozen=True)
class LockedPlayers:
    """Players by name key, held until the transaction ends; and of *free* names, which are nobody's, name and look."""

    players: Mapping[str, Player]
    free: Mapping[str, str] = field(default_factory=dict)


_HELD = """
    SELECT {columns},
        EXISTS (SELECT 1 FROM contest_player AS alias WHERE alias.merged_into_id = contest_player.id) AS has_aliases
    FROM contest_player WHERE name_key {among} AND merged_into_id IS NULL ORDER BY id {lock}
"""
_NEAR = "SELECT name_key, look_key FROM contest_player WHERE name_key {among} OR look_key {among}"


def lock_all(nicknames: Sequence[str]) -> LockedPlayers:
    """Hold the players who have these nicknames themselves, in the order of their numbers: no deadlock.

    What is in neither part of the answer is for `lock_by_name`: it leads to a player, or looks like another's name.
    """
    keys_of = {name_key(nickname): nickname for nickname in nicknames}
    condition, parameter = among(list(keys_of))
    lock = "FOR NO KEY UPDATE OF contest_player" if connection.features.has_select_for_no_key_update else ""
    sql = _HELD.format(columns=columns(Player), among=condition, lock=lock)
    held = {player.name_key: player for player in Player.objects.raw(sql, [parameter])}
    missing = {key: keys(nickname)["look_key"] for key, nickname in keys_of.items() if key not in held}
    if not missing:
        return LockedPlayers(held)
    condition, parameter = among(list({*missing, *missing.values()} - {""}))
    near = bulk.rows(_NEAR.format(among=condition), [parameter, parameter])
    taken = {name for row in near for name in row}
    free = {key: look for key, look in missing.items() if not taken & ({key, look} - {""})}
    return LockedPlayers(held, free)


def lock_by_name(nickname: str) -> Player | None:
    """The living player of *nickname*, through its aliases (rule 4.13), held until the transaction ends.

    A nickname that nobody has is the player's whose name it looks like (rule 4.5).
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
    """Make the player of a nickname nobody has used, and the secret that proves it from now on (shown once).

    Old programs can neither show nor keep a secret: there the address proves the nickname, or nothing (rule 4.12).
    """
    player, given = new(nickname, country=country, email=email, at=at, door=door, secret=secret)
    player.save(force_insert=True)
    return player, given


def new(
    nickname: str, *, country: str, email: str, at: datetime, door: Door | None = None, secret: str = ""
) -> tuple[Player, str | None]:
    """As `create`, but nothing is stored yet."""
    given = None if door == Door.LEGACY else secret or new_secret()
    player = Player(
        nickname=nickname,
        **keys(nickname),
        country=country,
        email=canonical(email) if email else "",
        claim_sha256=sha256_of(given) if given else "",
        created_at=at,
    )
    vars(player)["has_aliases"] = False  # as `_lock_players` has it
    return player, given


def store(those: Sequence[Player]) -> None:
    """Store players made by `new`, whose names differ, by one statement; whose name was taken meanwhile gets no key."""
    bulk.insert(sorted(those, key=lambda player: player.name_key), _NEW)  # in one order: no deadlock


_NEW = ("name_key", "nickname", "look_key", "country", "email", "claim_sha256", "archive_number", "created_at")


def changes_at(player: Player, country: str, email: str) -> bool:
    """Whether a sender with proof who says this changes anything of *player*."""
    return bool(_changes(player, country, email))


def _changes(player: Player, country: str, email: str) -> dict[str, str]:
    """What a proved sender says of themselves: another country, or the address that was missing."""
    changed = {}
    if country and country != player.country:
        changed["country"] = country
    # An address given later claims no open nickname (rule 4.12), and replaces none: that is done with a login.
    if email and not player.email and not player.is_open:
        changed["email"] = email
    return changed


def _update(player: Player, changed: Mapping[str, str]) -> None:
    if changed:
        Player.objects.filter(pk=player.pk).update(**changed)
        for name, value in changed.items():
            setattr(player, name, value)
    if "country" in changed:
        personal_bests.show_anew(player)


def _why(player: Player, door: Door) -> str:
    """Why *player* cannot be entered without proof, and what helps."""
    words = _TAKEN
    if player.is_imported:
        words = _IMPORTED
    elif player.is_open:
        words = _OPEN
    elif door == Door.LEGACY and not player.email:
        words = _WITHOUT_ADDRESS
    return str(words) % {"name": player.nickname}


def is_program_at_a_persons_door(player: Player, door: Door) -> bool:
    """Rule 16.2: the web form and the old programs are for people; a program comes through the API."""
    return player.league == League.BOT and door in (Door.WEB, Door.LEGACY)


def is_organiser(player: Player, viewer: Viewer | None) -> bool:
    """Rules 1.8, 4.10: who is signed in with staff rights, and every nickname that such an account owns."""
    if viewer and viewer.is_organiser:
        return True
    if not (player.owner_id or getattr(player, "has_aliases", True)):
        return False
    owners = [name.owner for name in names_of(player) if name.owner_id]
    return any(owner is not None and owner.is_staff for owner in owners)


def find(nickname: str) -> Player | None:
    """The living player of *nickname* as somebody typed it."""
    player = _row_of(nickname, name_key(nickname))
    return living(player) if player else None
