"""The API's objects as values. Whatever the site adds later is in `extra`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self


@dataclass(frozen=True)
class Shape:
    """An object of the API; times become datetimes, fields unknown here go to *extra*."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        known = {field.name for field in fields(cls)} - {"extra"}
        values = {name: _value(name, given.get(name)) for name in known if name in given}
        extra = {name: value for name, value in given.items() if name not in known}
        return cls(**values, extra=extra)  # type: ignore[call-arg]  # every shape has extra


def _value(name: str, value: Any) -> Any:
    return datetime.fromisoformat(value) if name.endswith("_at") and value else value


@dataclass(frozen=True)
class Level(Shape):
    round: int
    slot: str
    board: str  # XSB rows joined by newlines
    title: str = ""
    author: str = ""
    width: int = 0
    height: int = 0
    boxes: int = 0
    sha256: str = ""
    board_version: int = 0
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Round(Shape):
    number: int
    phase: str
    opens_at: datetime
    closes_at: datetime
    title: str = ""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def levels(self) -> list[Level]:
        """The levels, where the round has opened."""
        return [Level.of(level) for level in self.extra.get("levels", [])]


@dataclass(frozen=True)
class Receipt(Shape):
    """The submission is durably stored and will be judged. *claim* comes once, with a new nickname: keep it."""

    id: str
    number: int
    received_at: datetime
    sha256: str
    url: str = ""
    claim: str = field(default="", repr=False)
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Submission(Shape):
    """A submission; of a trial (Client.check) without number and state."""

    verdict: str
    number: int | None = None
    state: str = "judged"
    detail: str = ""
    slot: str | None = None
    moves: int | None = None
    pushes: int | None = None
    step: int | None = None
    why: str | None = None
    ranks: dict[str, int | None] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_judged(self) -> bool:
        return self.state not in ("queued", "running")


@dataclass(frozen=True)
class Row(Shape):
    rank: int
    player: dict[str, Any]
    moves: int
    pushes: int
    received_at: datetime
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
