"""The person who requests data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from contest.models import Submission


@dataclass(frozen=True)
class Viewer:
    """The person who requests data, and the players they have proved to own (rule 4.11)."""

    # Claim secrets in the browser, by player number.
    claims: Mapping[int, str] = field(default_factory=dict, repr=False)
    # Players proved by those secrets, by a login or by an API token.
    proved: frozenset[int] = frozenset()
    is_organiser: bool = False
    # The key of the user who is signed in.
    account: int | None = None

    @property
    def players(self) -> frozenset[int]:
        return self.proved | frozenset(self.claims)

    def owns(self, submission: Submission) -> bool:
        """Return whether the viewer has proved to own the player (rule 7.5); knowing the nickname is not enough."""
        return submission.player_id in self.players
