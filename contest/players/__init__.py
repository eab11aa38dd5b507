"""Players without accounts.

`names`: allowed nicknames · `titles` that are refused · `claims`: proof of a nickname · `email_addresses` in canonical
form · `entering` under a nickname · `acts` on players · `merging` two names · `reports` about names · `accounts` that
own nicknames · `api_tokens` for programs · `resting` names of erased players.
"""

from contest.players.claims import is_proved, remember_claim, secret_for, sha256_of, viewer_of
from contest.players.entering import (
    NameTaken,
    admit,
    build_player,
    create,
    enter,
    is_organiser,
    is_program_at_human_door,
    lock_all,
    lock_by_name,
    store_players,
    would_change,
)
from contest.players.names import MAX_CODE_POINTS, MAX_GRAPHEMES, BadName, check_new, clean_nickname, name_key

__all__ = [
    "MAX_CODE_POINTS",
    "MAX_GRAPHEMES",
    "BadName",
    "NameTaken",
    "admit",
    "build_player",
    "check_new",
    "clean_nickname",
    "create",
    "enter",
    "is_organiser",
    "is_program_at_human_door",
    "is_proved",
    "lock_all",
    "lock_by_name",
    "name_key",
    "remember_claim",
    "secret_for",
    "sha256_of",
    "store_players",
    "viewer_of",
    "would_change",
]
