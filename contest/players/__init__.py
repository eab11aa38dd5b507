"""Players without accounts: nicknames (names), what proves them (claims), entering under them (entering), what is done
to them (acts) and said about them (reports), and what an account adds (accounts)."""

from contest.players.claims import is_proved, proving_receipts, remember_claim, viewer_of
from contest.players.entering import NameTaken, create, enter, is_organiser, is_program_at_a_persons_door
from contest.players.names import MAX_CODE_POINTS, MAX_GRAPHEMES, BadName, clean_nickname, name_key

__all__ = [
    "MAX_CODE_POINTS",
    "MAX_GRAPHEMES",
    "BadName",
    "NameTaken",
    "clean_nickname",
    "create",
    "enter",
    "is_organiser",
    "is_program_at_a_persons_door",
    "is_proved",
    "name_key",
    "proving_receipts",
    "remember_claim",
    "viewer_of",
]
