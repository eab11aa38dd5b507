"""Players, rankings, Pareto fronts and accepted submissions."""

from datetime import datetime
from typing import Any

from rest_framework.serializers import BooleanField, CharField, ChoiceField, IntegerField

from contest.api.serializers.base import AnswerSerializer, Wrapper
from contest.api.serializers.fields import LEAGUES, METRICS, SLOTS, CountField, HashField, InstantField
from contest.api.serializers.submissions import SlotOrNullField, VoidSerializer
from contest.models import Level, Submission
from contest.rankings.pareto import EVERYONE
from contest.rules.phases import Phase


def board_of(level: Level, league: str, at: datetime, **facts: Any) -> Wrapper:
    """Return a list of results of a level."""
    is_provisional = level.round.phase(at) != Phase.FINAL
    return Wrapper(level, league=league, provisional=is_provisional, void=level.voided_at is not None, **facts)


def accepted_row(row: Submission, *, with_hash: bool) -> Wrapper:
    """Return an accepted submission for public lists; with the hash of its text only from the reveal (rule 7.4)."""
    return Wrapper(row, sha256=row.sha256 if with_hash else None)


def event_submission_row(row: Submission) -> Wrapper:
    """Return the same for an event. Counts of a submission that is no longer accepted are for its sender only."""
    counts = (row.moves, row.pushes) if row.is_accepted else (None, None)
    return Wrapper(row, sha256=None, moves=counts[0], pushes=counts[1])


class PlayerSerializer(AnswerSerializer):
    """A player."""

    number = IntegerField(source="pk")
    name = CharField(source="nickname")
    country = CharField()
    league = ChoiceField(LEAGUES)


class ResultSerializer(AnswerSerializer):
    """A result."""

    player = PlayerSerializer()
    moves = CountField()
    pushes = CountField()
    received_at = InstantField()
    number = IntegerField(help_text="Of the submission.")


class RankSerializer(AnswerSerializer):
    rank = IntegerField()


class RowSerializer(RankSerializer, ResultSerializer):
    """A line of a ranking."""

    pareto = BooleanField()
    practice = BooleanField(source="is_practice")


class _Board(AnswerSerializer):
    round = IntegerField(source="round.number")
    slot = ChoiceField(SLOTS)
    league = ChoiceField([*LEAGUES, EVERYONE])
    board_version = CountField(help_text="Raised by whatever changes the board.")
    provisional = BooleanField()
    void = BooleanField()


class RankingSerializer(_Board):
    """Identity of a ranking: everything that its rows and its ETag depend on."""

    by = ChoiceField(METRICS)
    board = ChoiceField(["contest", "spectator", "all_time"])


class StandingsSerializer(RankingSerializer):
    """A ranking of a level."""

    count = CountField(help_text="How many rows there are in all.")
    results = RowSerializer(many=True)


class PointSerializer(ResultSerializer):  # rule 12.2
    """A point of the front, with later results that equal it."""

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


class _RoundNumber(AnswerSerializer):
    round = IntegerField(source="round.number")


class SolutionSerializer(AcceptedSerializer):
    """An accepted submission with its moves."""

    lurd = CharField()


class AcceptedLineSerializer(_RoundNumber, AcceptedSerializer):
    """An accepted submission, in a list of all rounds."""


class SolutionLineSerializer(_RoundNumber, SolutionSerializer):
    """An accepted submission with its moves, in a list of all rounds."""


class ToldSubmissionSerializer(AnswerSerializer):
    """A submission that was accepted, as an event reports it."""

    player = PlayerSerializer()
    moves = CountField(allow_null=True, help_text="Null where it is no longer accepted.")
    pushes = CountField(allow_null=True, help_text="Null where it is no longer accepted.")
    received_at = InstantField()
    number = IntegerField(help_text="Of the submission.")
    slot = SlotOrNullField()
    hors_concours = BooleanField(source="is_hors_concours")
    void = VoidSerializer(source="*", allow_null=True)
    sha256 = HashField(allow_null=True, help_text="Of the text, from the close.")
