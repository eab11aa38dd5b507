"""An entry on its way into the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from contest import players
from contest.infra import rate_limits
from contest.models import Door, Reader, Round
from contest.submissions import limits
from contest.submissions.entry import Entry
from contest.visibility import Viewer


@dataclass(repr=False)  # neither texts nor claims belong in a log
class Arrival:
    """An entry received by a door, with everything known before it is stored."""

    entry: Entry
    text: bytes
    sha256: str
    at: datetime  # by the database's clock
    door: Door
    viewer: Viewer | None
    address: str
    language: str  # the sender's: the storing thread's may differ
    round: Round
    seconds: float  # the most it may cost the judge
    size: int  # bytes of the text, or of its moves as the verdict stores them if these are longer
    rounds_to_try: Sequence[Round] = ()  # open rounds to try if it names none (rule 6.8)
    turn_delay: timedelta = timedelta()  # delay of its address's turn after its arrival

    @property
    def share(self) -> timedelta:
        return limits.share_of(self.seconds * (1 + len(self.rounds_to_try)))

    @property
    def load(self) -> rate_limits.Load:
        return limits.load_of(self.address, self.share, self.size)

    @cached_property
    def network(self) -> str:
        """A keyed hash of the sender's network."""
        return rate_limits.network_of(self.address)

    @cached_property
    def name_key(self) -> str:
        return players.name_key(self.entry.nickname)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Fields of an identical submission: one of the same player that matches is the same submission (rule 5.6)."""
        return {
            "round": self.round,
            "is_practice": self.entry.practice,
            "slot_named": self.entry.slot,
            "reader": Reader.PASTED,
            "sha256": self.sha256,
        }
