"""Players, rankings, Pareto fronts and accepted submissions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rest_framework.serializers import BooleanField, CharField, ChoiceField, IntegerField

from contest.api.serializers.base import Serializer, Wrapper
from contest.api.serializers.fields import LEAGUES, METRICS, SLOTS, CountField, HashField, InstantField
from contest.api.serializers.submissions import SlotOrNullField, VoidSerializer
from contest.models import Level, Submission
from contest.rankings import pareto, standings
from contest.rankings.pareto import EVERYONE
from contest.rules.phases import Phase


@dataclass(frozen=True)
class Board:
    """One list of results of a level."""

    level: Level
    league: str
    at: datetime

    @property
    def is_provisional(self) -> bool:
        return self.level.round.phase(self.at) != Phase.FINAL

    @property
    def is_void(self) -> bool:
        return self.level.voided_at is not None


@dataclass(frozen=True)
class Front(Board):
    """Pareto front of a level."""

    results: Sequence[pareto.Point]

    @property
    def count(self) -> int:
        return len(self.results)


@dataclass(frozen=True)
class Ranking(Board):
    """Ranking of a level, with part of its rows: *count* are there in all."""

    by: str
    board: str
    count: int = 0
    results: Sequence[standings.Row] = ()


@dataclass(frozen=True)
class ListedSubmission(Wrapper):
    """An accepted submission as everybody may list it; the hash of its text only from the reveal (rule 7.4)."""

    row: Submission
    with_hash: bool

    @property
    def sha256(self) -> str | None:
        return self.row.sha256 if self.with_hash else None


@dataclass(frozen=True)
class ToldSubmission(ListedSubmission):
    """The same in an event. Counts of a submission that is no longer accepted are for its sender only."""

    with_hash: bool = False

    @property
    def moves(self) -> int | None:
        return self.row.moves if self.row.is_accepted else None

    @property
    def pushes(self) -> int | None:
        return self.row.pushes if self.row.is_accepted else None


class PlayerSerializer(Serializer):
    """A player."""

    number = IntegerField(source="pk")
    name = CharField(source="nickname")
    country = CharField()
    league = ChoiceField(LEAGUES)


class ResultSerializer(Serializer):
    """A result."""

    player = PlayerSerializer()
    moves = CountField()
    pushes = CountField()
    received_at = InstantField()
    number = IntegerField(help_text="Of the submission.")


class RankSerializer(Serializer):
    rank = IntegerField()


class RowSerializer(RankSerializer, ResultSerializer):
    """A line of a ranking."""

    pareto = BooleanField()
    practice = BooleanField(source="is_practice")


class _Board(Serializer):
    round = IntegerField(source="level.round.number")
    slot = ChoiceField(SLOTS, source="level.slot")
    league = ChoiceField([*LEAGUES, EVERYONE])
    board_version = CountField(source="level.board_version", help_text="Raised by whatever changes the board.")
    provisional = BooleanField(source="is_provisional")
    void = BooleanField(source="is_void")


class RankingSerializer(_Board):
    """What a ranking says of itself: whatever it is made of, and so its ETag."""

    by = ChoiceField(METRICS)
    board = ChoiceField(["contest", "spectator", "all_time"])


class StandingsSerializer(RankingSerializer):
    """A ranking of a level."""

    count = CountField(help_text="How many rows there are in all.")
    results = RowSerializer(many=True)


class PointSerializer(Serializer):  # rule 12.2
    """A point, and who equalled it later."""

    player = PlayerSerializer(source="holder.player")
    moves = CountField(source="holder.moves")
    pushes = CountField(source="holder.pushes")
    received_at = InstantField(source="holder.received_at")
    number = IntegerField(source="holder.number", help_text="Of the submission.")
    equalled = ResultSerializer(many=True)


class FrontSerializer(_Board):
    """The Pareto front of a level."""

    count = CountField(help_text="How many rows there are in all.")
    results = PointSerializer(many=True)


class AcceptedSerializer(ResultSerializer):
    """An accepted submission."""

    slot = SlotOrNullField()
    hors_concours = BooleanField(source="is_hors_concours")
    void = VoidSerializer(source="*", allow_null=True)
    sha256 = HashField(allow_null=True, help_text="Of the text, from the close.")


class _RoundNumber(Serializer):
    round = IntegerField(source="round.number")


class SolutionSerializer(AcceptedSerializer):
    """An accepted submission with its moves."""

    lurd = CharField()


class AcceptedLineSerializer(_RoundNumber, AcceptedSerializer):
    """An accepted submission, in a list of all rounds."""


class SolutionLineSerializer(_RoundNumber, SolutionSerializer):
    """The same with its moves."""


class ToldSubmissionSerializer(Serializer):
    """A submission that was accepted, as an event tells of it."""

    player = PlayerSerializer()
    moves = CountField(allow_null=True, help_text="Null where it is no longer accepted.")
    pushes = CountField(allow_null=True, help_text="Null where it is no longer accepted.")
    received_at = InstantField()
    number = IntegerField(help_text="Of the submission.")
    slot = SlotOrNullField()
    hors_concours = BooleanField(source="is_hors_concours")
    void = VoidSerializer(source="*", allow_null=True)
    sha256 = HashField(allow_null=True, help_text="Of the text, from the close.")
