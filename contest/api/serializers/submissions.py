"""Submissions: entries, receipts, verdicts, trials, and a player's best results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    ListField,
    SerializerMethodField,
    URLField,
    ValidationError,
)

from contest.api.serializers.base import AnswerSerializer, MappingSerializer
from contest.api.serializers.bodies import BodySerializer, read
from contest.api.serializers.fields import (
    HELD,
    METRICS,
    PENDING,
    SLOTS,
    STATES,
    VERDICTS,
    ChoiceOrNullField,
    CountField,
    HashField,
    InstantField,
    MovesField,
    StrictBooleanField,
    StrictChoiceField,
    StrictIntegerField,
    StrictTextField,
    TextOrNullField,
)
from contest.api.serializers.problems import ProblemSerializer
from contest.models import Level, State, Submission
from contest.rankings import standings
from contest.submissions import Entry, Receipt
from contest.submissions.at_once import MAX_BOARD_LENGTH, Trial
from contest.wording import bilingual, verdicts

LARGEST_BATCH = 100
NO_RANKS: Mapping[str, int | None] = {"moves": None, "pushes": None}


@dataclass(frozen=True)
class ReceiptRow:
    """A receipt with the address of its submission."""

    receipt: Receipt
    url: str


class StateField(ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(STATES, **options)

    def to_representation(self, value: Any) -> str:
        return HELD if value == State.QUARANTINED else str(value)


class VerdictField(ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(VERDICTS, **options)

    def to_representation(self, value: Any) -> str:
        return str(value) or PENDING


class SlotOrNullField(ChoiceOrNullField):
    """The slot of a submission's level; null without a level, and for a board of the sender's own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(SLOTS, source="level.slot", **options)


class EntrySerializer(BodySerializer):
    """A submission to enter. Unknown members are ignored."""

    nickname = StrictTextField(required=False, help_text="1 to 32 characters; not needed with a token.")
    moves = MovesField(help_text="LURD in any letter case, run-length such as 3r2(lU); other text is left out.")
    country = StrictTextField(required=False, help_text="Up to 8 letters or digits, such as CN.")
    email = StrictTextField(required=False, help_text="Shown to nobody.")
    slot = StrictTextField(required=False, help_text="main, extra, extra2 or extra3; without it the level is found.")
    claim = StrictTextField(required=False, help_text="Proves a nickname that was used before.")
    idempotency_key = StrictTextField(required=False, help_text="For an item of a batch; else the header.")
    round = StrictIntegerField(required=False, help_text="Default: the open round with a level that the text solves.")
    track = StrictTextField(required=False, help_text="Only its open round.")
    practice = StrictBooleanField(required=False, help_text="For a round that has closed; enters no results.")


def read_entry(body: Any, idempotency_key: str) -> Entry:
    """Return the entry that *body* describes. Raise ValidationError.

    An absent nickname is left to the called function, which has its own code for it.
    """
    given = {"nickname": "", "practice": False, "idempotency_key": "", **read(EntrySerializer, body)}
    return Entry(**{**given, "idempotency_key": idempotency_key or given["idempotency_key"]})


class BatchSerializer(BodySerializer):
    __doc__ = f"Up to {LARGEST_BATCH} submissions, each for itself."

    submissions = ListField(child=EntrySerializer(), min_length=1, max_length=LARGEST_BATCH)


EntryOrBatch = PolymorphicProxySerializer("EntryOrBatch", [EntrySerializer, BatchSerializer], None)


class TrialSerializer(BodySerializer):
    """Moves to judge, on your own board or on the levels of a round."""

    moves = MovesField()
    board = StrictTextField(
        required=False,
        help_text="A text with one level: XSB rows separated by line ends or |, MF8, a file, a forum tag, a link.",
    )
    slot = StrictChoiceField(SLOTS, required=False)
    round = StrictIntegerField(required=False)
    track = StrictTextField(required=False, help_text="Only its open round.")

    def validate_board(self, board: str) -> str:
        if len(board) > MAX_BOARD_LENGTH:
            raise ValidationError(_("This is longer than any board."), "too_long")
        return board


def read_trial(body: Any) -> Trial:
    """Return the trial that *body* describes. Raise ValidationError."""
    return Trial(**read(TrialSerializer, body))


class SolutionTextSerializer(BodySerializer):
    """Moves from which a level is rebuilt."""

    moves = MovesField(help_text="LURD; capitals are pushes. Run-length is read.")


class RebuiltLevelSerializer(MappingSerializer):
    """The smallest level on which moves are a solution."""

    board = CharField(help_text="XSB rows joined by newlines; floor is -.")
    width = IntegerField()
    height = IntegerField()
    boxes = IntegerField()
    url = URLField(
        allow_null=True, help_text="The page on which it is played; null where the moves are too long for one."
    )


class ReceiptSerializer(AnswerSerializer):
    """The submission is stored and will be judged exactly once."""

    id = CharField(source="receipt.submission.receipt_id", help_text="Secret; keep it.")
    number = IntegerField(source="receipt.submission.number")
    received_at = InstantField(source="receipt.submission.received_at")
    sha256 = HashField(source="receipt.submission.sha256")
    url = URLField()
    claim = CharField(
        source="receipt.claim",
        required=False,
        help_text="Once, with a new nickname; it proves the nickname from now on.",
    )


@extend_schema_field(PolymorphicProxySerializer("ReceiptOrProblem", [ReceiptSerializer, ProblemSerializer], None))
class _AnswerField(DictField):
    """A receipt or a problem, already serialized."""


class BatchAnswerSerializer(MappingSerializer):
    """For each submission, in order: a receipt, or the problem that it alone would have caused."""

    results = ListField(child=_AnswerField())


class TurnedSerializer(MappingSerializer):
    """A text to send instead, so that it counts (rules 6.9, 6.10, 13.4)."""

    symmetry = CharField(help_text="How the board lay for which these moves are a solution; identity: as it lies.")
    slot = ChoiceOrNullField(SLOTS, help_text="Null on a board of one's own.")
    lurd = CharField()
    moves = CountField()
    pushes = CountField()
    spectator = BooleanField(help_text="Whether it is the possible part of a text, as a spectator answer.")


class RanksSerializer(MappingSerializer):
    """Ranks by both counts; null where this submission holds none."""

    moves = IntegerField(allow_null=True)
    pushes = IntegerField(allow_null=True)


class VoidSerializer(AnswerSerializer):  # rules 2.10, 15.1
    """Since when and why it no longer counts."""

    reason = SerializerMethodField()
    at = InstantField(source="voided_at")

    def get_reason(self, row: Submission | Level) -> str:
        """Return the reason in the reader's language, or else in the other."""
        return bilingual.in_language(row.void_reason_zh, row.void_reason_en).text

    def to_representation(self, instance: Any) -> Any:
        return super().to_representation(instance) if instance.voided_at else None


class LeftOutSerializer(MappingSerializer):  # rule 6.1
    """A part of a text that was not read as moves."""

    line = IntegerField(min_value=1)
    text = CharField(help_text="At most 40 characters; an invisible one by its number, as U+200E.")


class JudgedSerializer(AnswerSerializer):
    """The verdict on a submission or a trial."""

    verdict = VerdictField()
    slot = SlotOrNullField(
        help_text="The level it solves; if none, the one on which it got furthest. Null on a board of one's own."
    )
    moves = CountField(allow_null=True, help_text="Taken at the first solved state.")
    pushes = CountField(allow_null=True)
    cut = CountField(help_text="Moves behind the solved state, which do not count.")
    case_corrected = BooleanField(help_text="Whether capitals did not stand exactly at the pushes.")
    index = CountField(allow_null=True, help_text="Where it failed: character of the text, from 0.")
    step = CountField(allow_null=True, help_text="Where it failed: move, from 1.")
    why = TextOrNullField(help_text="Why it failed, as a code.")
    detail = SerializerMethodField(help_text="The verdict in words, in the language of Accept-Language.")
    reading = TextOrNullField(help_text="The reading in which moves were found, as `lines` or `words`; null if none.")
    left_out = LeftOutSerializer(many=True, help_text="The first parts of the text that were not read as moves.")
    boxes_home = CountField(allow_null=True)
    boxes = CountField(source="level.boxes", allow_null=True)
    turned = TurnedSerializer(allow_null=True)

    def get_detail(self, row: Any) -> str:
        return verdicts.describe_verdict(row)


class _Head(AnswerSerializer):
    id = CharField(source="receipt_id")
    number = IntegerField()
    round = IntegerField(source="round.number")
    practice = BooleanField(source="is_practice")
    state = StateField()
    void = VoidSerializer(source="*", allow_null=True)


class SubmissionSerializer(_Head, JudgedSerializer):  # rules 6.11, 7.5
    """A submission as the holder of its receipt sees it."""

    ranks = SerializerMethodField()
    received_at = InstantField()
    judged_at = InstantField(allow_null=True)
    full_size = CountField(
        allow_null=True, help_text="Bytes of a rejected text that was pruned to its beginning (rule 15.8); else null."
    )
    chain_link = HashField(source="chain_link.link", allow_null=True)
    nonce = TextOrNullField(
        source="chain_link.nonce", help_text="Opens the leaf of the chain; a secret until your moves are public."
    )
    entry = TextOrNullField(
        source="chain_link.document", help_text="The leaf is the SHA-256 of `entry|` and this line."
    )

    @extend_schema_field(RanksSerializer)
    def get_ranks(self, row: Submission) -> Mapping[str, int | None]:
        return standings.ranks(row) if row.is_accepted else NO_RANKS


class SentSerializer(AnswerSerializer):
    """A submission in the list of a player's own."""

    text = CharField(required=False, help_text="As it was sent, where that is asked for.")
    full_size = CountField(
        allow_null=True, help_text="Bytes of a rejected text that was pruned to its beginning (rule 15.8); else null."
    )
    id = CharField(source="receipt_id")
    number = IntegerField()
    round = IntegerField(source="round.number")
    slot = SlotOrNullField()
    practice = BooleanField(source="is_practice")
    state = StateField()
    verdict = VerdictField()
    moves = CountField(allow_null=True)
    pushes = CountField(allow_null=True)
    received_at = InstantField()
    void = VoidSerializer(source="*", allow_null=True)
    url = URLField()


class BestSerializer(AnswerSerializer):
    """A player's best result on one board of a level by one metric."""

    round = IntegerField(source="level.round.number")
    slot = ChoiceField(SLOTS, source="level.slot")
    board = ChoiceField(["contest", "spectator", "practice"])
    by = ChoiceField(METRICS, source="metric")
    moves = CountField()
    pushes = CountField()
    number = IntegerField(source="submission_id", help_text="Of the submission.")
    received_at = InstantField()


class BestListSerializer(MappingSerializer):
    """A player's best results."""

    results = BestSerializer(many=True)


class _TriedRound(AnswerSerializer):
    round = IntegerField(source="level.round.number", allow_null=True, help_text="Null on a board of one's own.")


class TriedSerializer(_TriedRound, JudgedSerializer):
    """Result of a trial; nothing was stored."""

    ranks = RanksSerializer(help_text="Those it would take now.")
