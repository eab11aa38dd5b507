"""The rows. Who may see one is asked of `visibility`; what becomes of one is decided by the acts."""

from contest.models.level import Level, Slot
from contest.models.player import League, Player
from contest.models.result import Best, Metric, Verification
from contest.models.round import Round
from contest.models.submission import Door, Reader, State, Submission, Verdict

__all__ = [
    "Best",
    "Door",
    "League",
    "Level",
    "Metric",
    "Player",
    "Reader",
    "Round",
    "Slot",
    "State",
    "Submission",
    "Verdict",
    "Verification",
]
