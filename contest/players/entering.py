"""Entering under a nickname: whose it is, and whether the sender may (rules 4.3 to 4.12)."""

from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from contest.infra.compiled_queries import SOME_TEXT, Prepared
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
    "The nickname “%(name)s” belongs to somebody already and has no e-mail address, which is what proves it here. "
    "If it is yours, add one on the page “My nicknames”; otherwise choose another one."
)
_OPEN = _(
    "The nickname “%(name)s” came from an older program without an e-mail address: nothing proves whose it is, and "
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
    if is_proved(player, claim, viewer, email=email, door=door):
        _update(player, country=country, email=email)
    elif not (player.is_open and door == Door.LEGACY):
        unproved()
        raise NameTaken(player, _why(player, door))
    return player, None


def _held() -> QuerySet[Player]:
    aliases = Player.objects.filter(merged_into=OuterRef("pk"))
    return Player.objects.select_for_update(no_key=True).annotate(has_aliases=Exists(aliases))


_held_by_key = Prepared(lambda key: _held().filter(name_key=key, merged_into=None), SOME_TEXT)


def lock_by_name(nickname: str) -> Player | None:
    """The living player of *nickname*, through its aliases (rule 4.13), held until the transaction ends.

    A nickname that nobody has is the player's whose name it looks like (rule 4.5).
    """
    key = name_key(nickname)
    while True:
        if player := _held_by_key.first(key):
            return player
        alias = _row_of(nickname, key)
        if not alias:
            return None
        if player := _held().filter(pk=living(alias).pk, merged_into=None).first():
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
    given = None if door == Door.LEGACY else secret or new_secret()
    player = Player.objects.create(
        nickname=nickname,
        **keys(nickname),
        country=country,
        email=canonical(email) if email else "",
        claim_sha256=sha256_of(given) if given else "",
        created_at=at,
    )
    return player, given


def _update(player: Player, *, country: str, email: str) -> None:
    """What a proved sender says of themselves: another country, or the address that was missing."""
    changed = {}
    if country and country != player.country:
        changed["country"] = country
    # An address given later claims no open nickname (rule 4.12), and replaces none: that is done with a login.
    if email and not player.email and not player.is_open:
        changed["email"] = email
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
