"""Objects for organisers' programs: drafts, waiting levels and series, without boards and moves."""

from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    FloatField,
    IntegerField,
    ListField,
    RegexField,
    SerializerMethodField,
    URLField,
)

from contest.api.serializers.base import AnswerSerializer, MappingSerializer
from contest.api.serializers.bodies import BodySerializer
from contest.api.serializers.fields import SLOTS, CountField, InstantField, StrictListField, StrictTextField
from contest.models import Series
from contest.rules.phases import Phase


class DraftSerializer(AnswerSerializer):
    """A round as organisers see it before it is final."""

    number = IntegerField(help_text="Of a draft it may still change.")
    track = CharField(source="track_id")
    phase = ChoiceField([phase.value for phase in Phase])
    title_zh = CharField()
    title_en = CharField()
    opens_at = InstantField()
    closes_at = InstantField()
    missing = ListField(child=CharField(), help_text="What the next steps still want, in words.")
    is_prepared = BooleanField(help_text="It waits for a person to publish it.")
    desk = URLField(help_text="Where a person looks at it.")


class DraftListSerializer(MappingSerializer):
    """Rounds that are not final, the latest opening first."""

    count = CountField()
    results = DraftSerializer(many=True)


@extend_schema_field({"type": "string", "format": "date-time"})
class _MomentField(StrictTextField):
    """A time as text, which the view parses."""


class NewDraftSerializer(BodySerializer):
    """A draft to create; an absent member gets the desk's suggestion."""

    track = StrictTextField(required=False, help_text="Its slug; by default main.")
    title_zh = StrictTextField(required=False)
    title_en = StrictTextField(required=False)
    opens_at = _MomentField(required=False, help_text="RFC 3339, with its zone.")
    closes_at = _MomentField(required=False, help_text="RFC 3339, with its zone.")


class WaitingLevelSerializer(AnswerSerializer):
    """A level that is ready for a round, without board and solution."""

    id = IntegerField(source="pk")
    title = CharField()
    author = CharField()
    tags = CharField()
    width = IntegerField()
    height = IntegerField()
    boxes = IntegerField()


class WaitingLevelsSerializer(MappingSerializer):
    """The newest 1,000 levels that wait in no queue."""

    count = CountField()
    results = WaitingLevelSerializer(many=True)


class SeriesSerializer(AnswerSerializer):
    """A series, with the number of levels in its queues."""

    id = IntegerField(source="pk")
    name_zh = CharField()
    name_en = CharField()
    track = CharField(source="track_id")
    is_running = BooleanField()
    queued = SerializerMethodField(help_text="Levels in all its slots.")

    @extend_schema_field(CountField())
    def get_queued(self, series: Series) -> int:
        return series.queue.count()


class SeriesListSerializer(MappingSerializer):
    """All series."""

    count = CountField()
    results = SeriesSerializer(many=True)


class QueueSerializer(BodySerializer):
    """Levels to queue, distributed over the slots in the given order."""

    levels = StrictListField(child=RegexField("^[0-9]{1,15}$"), help_text="Their ids, as text.")
    slots = StrictListField(child=ChoiceField(SLOTS), required=False, help_text="By default main.")


class QueuedSerializer(MappingSerializer):
    """Number of levels queued: they were ready, in no queue and in no round. Messages about the others."""

    queued = CountField()
    refused = CharField(help_text="Levels that stand in announced or past rounds (rule 23.2); empty if none does.")
    public = CharField(help_text="Queued levels that anybody may have solved in a public collection; empty if none.")


class PartSerializer(MappingSerializer):
    """A part of the site."""

    part = CharField()
    seconds = FloatField(help_text="Since it last did what it does.")


class HealthSerializer(MappingSerializer):
    """Health of the site, as on the desk."""

    trouble = CharField(help_text="Empty: none.")
    parts = PartSerializer(many=True)
