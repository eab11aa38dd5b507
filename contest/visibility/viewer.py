"""Who is looking."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from contest.models import Submission


@dataclass(frozen=True)
class Viewer:
    """Who is looking, and which players they have proved to be (rule 4.11)."""

    # The claim secrets their browser holds, by the number of the name.
    claims: Mapping[int, str] = field(default_factory=dict, repr=False)
    # Players proved through those, by a login or by an API token.
    proved: frozenset[int] = frozenset()
    is_organiser: bool = False

    @property
    def players(self) -> frozenset[int]:
        return self.proved | frozenset(self.claims)

    def owns(self, submission: Submission) -> bool:
        """Rule 7.5: a web proof of the player. Knowing the nickname is not enough."""
        return submission.player_id in self.players
