"""Rounds with their levels, results, draws, links of the receipt chain, sealed answers and archives."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    ListField,
    SerializerMethodField,
    URLField,
)

from contest import results, visibility
from contest.api.serializers.base import AnswerSerializer, MappingSerializer, Wrapper
from contest.api.serializers.bodies import BodySerializer
from contest.api.serializers.fields import (
    PHASES,
    SLOTS,
    TITLES,
    CountField,
    HashField,
    InstantField,
    StrictChoiceField,
    StrictCountField,
    StrictHashField,
    StrictTextField,
)
from contest.api.serializers.rankings import PlayerSerializer
from contest.api.serializers.submissions import VoidSerializer
from contest.models import Level, Player, Round, SealedState, Snapshot
from contest.wording import bilingual, notes


def round_at(row: Round, levels: Sequence[Level], at: datetime) -> Wrapper:
    """Return a round as of *at*; *levels* are those that may be seen (rule 7.4)."""
    rules = visibility.settings(row, at)
    return Wrapper(
        row,
        phase=row.phase(at),
        title=visibility.title(row, at),
        settings=rules.as_json() if rules else None,
        commitment=visibility.commitment(row, at) or None,
        levels=levels or None,
    )


def whole_round_at(row: Round, levels: Sequence[Level], at: datetime, archive: str | None) -> Wrapper:
    """Return the same with all public facts; *archive* is the URL of its archive."""
    return Wrapper(
        round_at(row, levels, at),
        cancelled=row if row.cancelled_at is not None and row.cancelled_at <= at else None,
        lucky=visibility.lucky_number(row, at),
        notes=map(notes.note, visibility.notes(row, at)),
        disqualified=map(notes.ruling, visibility.disqualifications(row, at)),
        archive=archive,
    )


def results_of(table: results.Results, snapshot: Snapshot | None, *, is_preview: bool, **facts: Any) -> Wrapper:
    """Return the results in *table*, and the *snapshot* that published them, if there is one.

    A preview has no titles (rule 7.4). A player with a title may have no points.
    """
    holders: Mapping[str, Player] = {} if is_preview else dict(table.title_holders)
    reason = bilingual.in_language(snapshot.reason_zh, snapshot.reason_en).text if snapshot else ""
    return Wrapper(
        table,
        snapshot=snapshot,
        preview=is_preview,
        champions={"moves": holders.get("MMC"), "pushes": holders.get("MPC"), "second": holders.get("second")},
        lucky_player=holders.get("lucky"),
        points=[replace(row, titles=[title for title in row.titles if title in holders]) for row in table.rows],
        provisional=snapshot is None,
        reason=reason or None,
        **facts,
    )


class LevelLineSerializer(AnswerSerializer):
    """A level as published, in the list of all levels: without anything that a submission changes."""

    round = IntegerField(source="round.number")
    slot = ChoiceField(SLOTS)
    title = CharField()
    author = CharField()
    board = SerializerMethodField(help_text="XSB rows joined by newlines; floor is -.")
    width = CountField()
    height = CountField()
    boxes = CountField()
    sha256 = HashField()
    void = VoidSerializer(source="*", allow_null=True)

    def get_board(self, level: Level) -> str:
        return level.text.replace("|", "\n")


class LevelSerializer(LevelLineSerializer):
    """A level as published, with the version of its board."""

    board_version = CountField(help_text="Raised by whatever changes the board.")


class RoundSerializer(AnswerSerializer):
    """A round in a list."""

    number = IntegerField()
    track = CharField(source="track_id", help_text="The track it belongs to; main, unless there are several.")
    name = CharField(
        help_text="What people call it: the number, or weekly-7 on another track; its addresses lead to those of the "
        "number."
    )
    phase = ChoiceField(PHASES)
    title = CharField(help_text="In the language of Accept-Language.")
    announced_at = InstantField()
    opens_at = InstantField()
    closes_at = InstantField()
    finalised_at = InstantField(allow_null=True)
    settings = DictField(allow_null=True, help_text="See the rulebook, section 17.")
    commitment = HashField(allow_null=True, help_text="Of the lucky number, from the opening.")
    levels = LevelSerializer(many=True, required=False, help_text="Absent until the round has opened.")


class TrackSerializer(AnswerSerializer):
    """One of several contests that run in parallel."""

    track = CharField(source="slug", help_text="Its name in addresses.")
    title = CharField(source="*", help_text="In the language of Accept-Language.")
    current = IntegerField(allow_null=True, help_text="Its open round.")


class TrackListSerializer(MappingSerializer):
    """The tracks, main first."""

    results = TrackSerializer(many=True)


class CancelledSerializer(AnswerSerializer):
    """When and why the round was cancelled."""

    at = InstantField(source="cancelled_at")
    reason = SerializerMethodField()

    def get_reason(self, row: Round) -> str:
        return bilingual.in_language(row.cancel_reason_zh, row.cancel_reason_en).text


class LuckyNumberSerializer(AnswerSerializer):
    """The lucky number."""

    number = CountField()
    salt = CharField()
    is_typed = BooleanField()


class RoundNoteSerializer(AnswerSerializer):
    """A note of the organisers."""

    at = InstantField()
    what = CharField()
    why = CharField(source="why.text")


class RulingSerializer(AnswerSerializer):
    """A ruling."""

    player = PlayerSerializer()
    reason = CharField(source="why.text")


class WholeRoundSerializer(RoundSerializer):  # rule 7.4
    """A round with all its public facts."""

    cancelled = CancelledSerializer(allow_null=True)
    lucky = LuckyNumberSerializer(
        allow_null=True, help_text="From the reveal, or the end of the day in which sealed answers are opened."
    )
    notes = RoundNoteSerializer(many=True)
    disqualified = RulingSerializer(many=True)
    archive = URLField(allow_null=True, help_text="The ZIP with everything, when it is ready.")


class ChampionsSerializer(MappingSerializer):
    """Holders of the titles, with points or without; null if there is none."""

    moves = PlayerSerializer(allow_null=True)
    pushes = PlayerSerializer(allow_null=True)
    second = PlayerSerializer(allow_null=True)


class ResultLineSerializer(AnswerSerializer):
    """A line of the results."""

    place = IntegerField()
    player = PlayerSerializer()
    move_half_points = CountField(source="by_moves")
    push_half_points = CountField(source="by_pushes")
    titles = ListField(child=ChoiceField(TITLES))


class ResultsSerializer(AnswerSerializer):  # rules 14.3, 14.4
    """The results of a round."""

    round = IntegerField(source="round.number")
    preview = BooleanField(help_text="Of an open round: points as they would be, without titles.")
    revisions = ListField(child=IntegerField())
    champions = ChampionsSerializer()
    lucky_player = PlayerSerializer(allow_null=True)
    points = ResultLineSerializer(many=True)
    provisional = BooleanField()
    revision = IntegerField(source="snapshot.revision", allow_null=True)
    made_at = InstantField(source="snapshot.made_at", allow_null=True)
    reason = CharField(allow_null=True, help_text="Of a revision.")
    sha256 = HashField(source="snapshot.sha256", allow_null=True, help_text="Of the whole document.")
    document = URLField(
        source="address", allow_null=True, help_text="The whole document, from which everything can be computed again."
    )


class BeaconSerializer(AnswerSerializer):
    """Public randomness in the draw."""

    name = CharField()
    round = IntegerField()
    value = HashField(allow_null=True)


class DrawSerializer(AnswerSerializer):  # rule 11.11
    """The lucky draw, with all that is needed to repeat it."""

    round = IntegerField()
    commitment = HashField()
    number = CountField()
    salt = CharField()
    is_typed = BooleanField()
    formula = CharField()
    candidates = SerializerMethodField()
    index = CountField(allow_null=True)
    lucky = PlayerSerializer(allow_null=True)
    kept_from = IntegerField(allow_null=True, help_text="The revision whose lucky player stayed.")
    beacon = BeaconSerializer(allow_null=True, help_text="Its value is null until an organiser has entered it.")

    @extend_schema_field(PlayerSerializer(many=True))
    def get_candidates(self, draw: results.ShownDraw) -> Any:
        return PlayerSerializer([row.player for row in draw.rows], many=True).data


class ChainSerializer(MappingSerializer):  # rule 24.2
    """A link of the receipt chain."""

    round = IntegerField()
    number = IntegerField(allow_null=True)
    link = HashField(allow_null=True)


class SealedEntrySerializer(BodySerializer):  # rule 5.11
    """A sealed answer: the counts that a player claims, without the moves."""

    slot = StrictChoiceField(SLOTS)
    moves = StrictCountField()
    pushes = StrictCountField()
    sha256 = StrictHashField(help_text="Of the sealed text.")


class SealedTextSerializer(BodySerializer):
    """The text that opens a sealed answer."""

    text = StrictTextField(
        help_text="The five lines to the letter; white space around and within them does not matter."
    )


class SealedAnswerSerializer(AnswerSerializer):  # rule 5.12
    """A sealed answer: unproved until it is opened."""

    number = IntegerField(help_text="Of sealed answers alone.")
    round = IntegerField(source="level.round.number")
    slot = ChoiceField(SLOTS, source="level.slot")
    player = PlayerSerializer()
    moves = CountField()
    pushes = CountField()
    sha256 = HashField()
    state = ChoiceField(SealedState.values)
    received_at = InstantField()
    opened_at = InstantField(allow_null=True)
    submission = IntegerField(source="submission_id", allow_null=True, help_text="What it became when it was opened.")
    leaf = HashField(
        source="chain_link.leaf", allow_null=True, help_text="Of the receipt chain; null for some seconds."
    )
    chain_link = HashField(source="chain_link.link", allow_null=True)


class ArchiveSerializer(MappingSerializer):
    """An archive to download."""

    round = IntegerField()
    url = URLField()


class ArchiveListSerializer(MappingSerializer):
    """The archives to download, newest round first."""

    results = ArchiveSerializer(many=True)
