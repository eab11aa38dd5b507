"""The API's objects as dataclasses. Members that the site adds later are in `extra`."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from leitai.base import Shape


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


@dataclass(frozen=True)
class Round(Shape):
    number: int
    phase: str
    opens_at: datetime
    closes_at: datetime
    title: str = ""
    track: str = "main"

    @property
    def levels(self) -> list[Level]:
        """The levels, if the round has opened."""
        return [Level.of(level) for level in self.extra.get("levels", [])]


@dataclass(frozen=True)
class Track(Shape):
    """One of several contests that run in parallel; *current* is the number of its open round, if there is one."""

    track: str
    title: str
    current: int | None = None


@dataclass(frozen=True)
class Receipt(Shape):
    """The submission is stored and will be judged. *claim* is returned only once, with a new nickname: store it."""

    id: str
    number: int
    received_at: datetime
    sha256: str
    url: str = ""
    claim: str = field(default="", repr=False)


@dataclass(frozen=True)
class Submission(Shape):
    """A submission, or a trial (Client.check), which has no number and no state."""

    verdict: str
    number: int | None = None
    state: str = "judged"
    detail: str = ""
    slot: str | None = None
    moves: int | None = None
    pushes: int | None = None
    step: int | None = None
    why: str | None = None
    reading: str | None = None  # in which moves were found in the text
    left_out: list[dict[str, Any]] = field(default_factory=list)  # "line" and "text" of parts not read as moves
    ranks: dict[str, int | None] = field(default_factory=dict)

    @property
    def is_judged(self) -> bool:
        return self.state not in ("queued", "running")


@dataclass(frozen=True)
class Player(Shape):
    """A player; Client.player also returns sums, rating and rounds in *extra*."""

    number: int
    name: str
    country: str = ""
    league: str = "human"


@dataclass(frozen=True)
class Row(Shape):
    rank: int
    player: Player
    moves: int
    pushes: int
    received_at: datetime


@dataclass(frozen=True)
class Accepted(Shape):
    """The public facts of an accepted submission; *lurd* if its moves are public and were requested."""

    number: int
    player: Player
    moves: int
    pushes: int
    received_at: datetime
    slot: str | None = None
    round: int | None = None
    lurd: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Sent(Shape):
    """A submission in your own history; *text* only if it was requested."""

    id: str
    number: int
    round: int
    state: str
    verdict: str
    received_at: datetime
    slot: str | None = None
    practice: bool = False
    moves: int | None = None
    pushes: int | None = None
    url: str = ""
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Best(Shape):
    """Your best result on one board of a level by one metric."""

    round: int
    slot: str
    board: str
    by: str
    moves: int
    pushes: int
    number: int
    received_at: datetime


@dataclass(frozen=True)
class Event(Shape):
    """Something that happened; its other members, in *extra*, depend on its kind."""

    number: int
    kind: str
    at: datetime
    round: int | None = None
    url: str = ""


@dataclass(frozen=True)
class Champions(Shape):
    """Holders of a round's titles, with points or without; None if there is none."""

    moves: Player | None = None
    pushes: Player | None = None
    second: Player | None = None


@dataclass(frozen=True)
class ResultLine(Shape):
    """A player's line of the results; points are counted in halves, so they are whole numbers."""

    place: int
    player: Player
    move_half_points: int
    push_half_points: int
    titles: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Results(Shape):
    round: int
    preview: bool
    provisional: bool
    revision: int | None = None
    points: list[ResultLine] = field(default_factory=list)
    champions: Champions = field(default_factory=Champions)
    lucky_player: Player | None = None


@dataclass(frozen=True)
class Season(Shape):
    season: str
    title: str
    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True)
class Optimum(Shape):
    """A count, *by* moves or pushes, that no solution of the level at *url* betters; *certificate* is a URL."""

    url: str
    by: str
    number: int
    level_sha256: str
    certificate: str | None


@dataclass(frozen=True)
class Archive(Shape):
    round: int
    url: str


@dataclass(frozen=True)
class Dump(Shape):
    """All public data of one night; each file has name, url, lines, bytes and sha256."""

    night: str
    made_at: datetime
    files: list[dict[str, Any]]


@dataclass(frozen=True)
class Collection(Shape):
    """A published collection; *levels* is their number, *file* the URL of the download, if that is allowed."""

    slug: str
    title: str
    levels: int
    author: str = ""
    licence: str = ""
    url: str = ""
    file: str | None = None


@dataclass(frozen=True)
class LibraryLevel(Shape):
    """A level to play on any day: of a round and slot, or a collection and place; *board* if downloads are allowed."""

    title: str
    width: int
    height: int
    boxes: int
    sha256: str
    round: int | None = None
    slot: str | None = None
    collection: str | None = None
    place: int | None = None
    author: str = ""
    board: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class RebuiltLevel(Shape):
    """A level rebuilt from a solution; *url* is the page to play it, if the moves are short enough for one."""

    board: str
    width: int
    height: int
    boxes: int
    url: str | None = None


@dataclass(frozen=True)
class Loss(Shape):
    """The reason why a position is lost: *boxes* can never all get to goals, and *reach* is where they can still get.

    Both are cells, row times width plus column from 0. *push* lost them; *moves* come before it.
    """

    boxes: list[int]
    reach: list[int]
    push: int
    moves: int


@dataclass(frozen=True)
class Search(Shape):
    """A question to the solver, its progress and its result."""

    id: str
    state: str
    answer: str | None = None
    limit: str | None = None
    lurd: str | None = field(default=None, repr=False)
    moves: int | None = None
    pushes: int | None = None
    optimal: str | None = None
    loss: Loss | None = None
    lower_bound_pushes: int = 0
    lower_bound_moves: int = 0

    @property
    def is_done(self) -> bool:
        return self.state not in ("queued", "running")


@dataclass(frozen=True)
class Tally(Shape):
    """A player's sums in the hall of fame or a season; points are counted in halves, so they are whole numbers."""

    rank: int
    player: Player
    rounds: int
    half_points: int


@dataclass(frozen=True)
class Point(Shape):
    """A point of a Pareto front; later results that equal it are in *extra*."""

    player: Player
    moves: int
    pushes: int
    number: int
    received_at: datetime


@dataclass(frozen=True)
class Webhook(Shape):
    """A URL that receives events; *secret* only when it was created, *deliveries* only from Client.webhook."""

    id: int
    url: str
    events: list[str]
    created_at: datetime
    ended_at: datetime | None = None
    secret: str = field(default="", repr=False)
    deliveries: list[dict[str, Any]] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class Delivery(Shape):
    """A delivery to a webhook, with the receiver's last response."""

    id: int
    event: str
    created_at: datetime
    attempts: int = 0
    delivered_at: datetime | None = None
    next_try_at: datetime | None = None
    answer: str = ""
