"""Nicknames of an old archive: which spellings may be one person's, and which names have an owner here."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from contest import players
from contest.models import Player
from contest.players.claims import can_be_proved
from contest.players.names import keys

_REMARK = re.compile(r"[(（\[【].*?[)）\]】]")
_COLUMNS = (
    *("nickname", "name_key", "look_key", "merged_into", "is_imported", "claim_sha256", "email", "owner", "erased_at"),
)
_LEAST_CLOSE = 4  # letters; shorter names differ by one letter too often


@dataclass
class Name:
    """A nickname of the results, how many it has, and similar names: of these results, or of imported players here.

    *owned* are names of players here who have an owner: nothing is joined with them.
    """

    nickname: str
    count: int = 0
    similar: list[str] = field(default_factory=list)
    owned: list[str] = field(default_factory=list)
    is_owned: bool = False  # this very name
    is_known: bool = False  # an imported player here has this name

    @property
    def key(self) -> str:
        return players.name_key(self.nickname)

    @property
    def needs_look(self) -> bool:
        return bool(self.similar or self.is_owned)


def compare(counts: Mapping[str, int]) -> list[Name]:
    """Return the nicknames with their suggestions; those of *counts* differ in their keys.

    Names are similar if they are equal without case, blanks, signs and remarks in brackets, or but for one letter.
    Time O(names of the results and of all players).
    """
    names = {players.name_key(nickname): Name(nickname, count) for nickname, count in counts.items()}
    by_variant: defaultdict[str, list[Name]] = defaultdict(list)
    for name in names.values():
        for variant in _variants(name.nickname):
            by_variant[variant].append(name)
    for group in by_variant.values():
        for name in group:
            others = (other.nickname for other in group if other is not name)
            name.similar += [other for other in others if other not in name.similar]
    _compare_with_players(names, by_variant)
    # The spelling with most results is suggested first.
    for name in names.values():
        name.similar.sort(key=lambda other: -counts.get(other, 0))
    return sorted(names.values(), key=lambda name: (not name.needs_look, name.nickname.casefold()))


def _compare_with_players(names: Mapping[str, Name], by_variant: Mapping[str, list[Name]]) -> None:
    by_look = {look: name for name in names.values() if (look := keys(name.nickname)["look_key"])}
    rows = list(Player.objects.only(*_COLUMNS))
    owned = {row.merged_into_id or row.pk for row in rows if can_be_proved(row)}
    for player in (row for row in rows if not row.erased_at):
        is_owned = (player.merged_into_id or player.pk) in owned
        same = names.get(player.name_key) or by_look.get(player.look_key)
        for name in {id(name): name for name in ([same] if same else _similar(player, by_variant))}.values():
            if name is same:
                name.is_owned, name.is_known = is_owned, not is_owned
            elif player.nickname not in (shown := name.owned if is_owned else name.similar):
                shown.append(player.nickname)


def _similar(player: Player, by_variant: Mapping[str, list[Name]]) -> Iterable[Name]:
    return (name for variant in _variants(player.nickname) for name in by_variant.get(variant, ()))


def _variants(nickname: str) -> Iterator[str]:
    """Yield the name without case, blanks, signs and remarks; and that without one letter, so one typing error meets.

    >>> "zhangsan" in {*_variants("Zhang San")} & {*_variants("zhangsan（北京）")}
    True
    """
    text = unicodedata.normalize("NFKC", nickname).casefold()
    plain = "".join(filter(str.isalnum, _REMARK.sub("", text))) or "".join(filter(str.isalnum, text))
    yield plain
    if len(plain) >= _LEAST_CLOSE:
        yield from {f"{plain[:at]}{plain[at + 1 :]}" for at in range(len(plain))}
