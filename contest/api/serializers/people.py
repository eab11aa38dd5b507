"""Players' pages, the hall of fame, seasons, and tokens."""

from django.conf import settings
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    FloatField,
    IntegerField,
    ListField,
    SerializerMethodField,
)

from contest.api.serializers.base import AnswerSerializer, MappingSerializer
from contest.api.serializers.fields import LEAGUES, SLOTS, TITLES, CountField, InstantField
from contest.api.serializers.rankings import PlayerSerializer, RankSerializer
from contest.models import Scope, Token


class TotalSerializer(AnswerSerializer):
    """Sums over final rounds; half points add up exactly (rule 9.3)."""

    player = PlayerSerializer()
    rounds = CountField()
    half_points = CountField()
    mmc = CountField()
    mpc = CountField()
    second = CountField()
    lucky = CountField()
    firsts_by_moves = CountField()
    firsts_by_pushes = CountField()
    first = IntegerField(help_text="First round with a place.")
    last = IntegerField()


class TallySerializer(RankSerializer, TotalSerializer):
    """A player's sums."""


class EnteredSerializer(AnswerSerializer):
    """A final round the player entered."""

    round = IntegerField(source="placing.round.number")
    place = IntegerField(source="placing.place", allow_null=True)
    half_points = CountField(source="placing.total")
    titles = ListField(child=ChoiceField(TITLES))


class PlaceSerializer(AnswerSerializer):
    """Ranks on a level."""

    round = IntegerField(source="level.round.number")
    slot = ChoiceField(SLOTS, source="level.slot")
    rank_by_moves = IntegerField(source="by_moves")
    rank_by_pushes = IntegerField(source="by_pushes")


class HoldingSerializer(AnswerSerializer):
    """A point of a Pareto front that the player holds."""

    round = IntegerField(source="level.round.number", allow_null=True)
    slot = ChoiceField(SLOTS, source="level.slot", allow_null=True)
    number = IntegerField()
    moves = CountField(allow_null=True)
    pushes = CountField(allow_null=True)


class RatingSerializer(AnswerSerializer):
    """A rating by OpenSkill."""

    mu = FloatField()
    sigma = FloatField()


class ProfileSerializer(AnswerSerializer):
    """A player's page."""

    number = IntegerField(source="player.pk")
    name = CharField(source="player.nickname")
    country = CharField(source="player.country")
    league = ChoiceField(LEAGUES, source="player.league")
    total = TotalSerializer(source="tally", allow_null=True)
    rating = RatingSerializer(source="newest_rating", allow_null=True)
    rounds = EnteredSerializer(many=True)
    best_levels = PlaceSerializer(source="best", many=True)
    pareto = HoldingSerializer(source="holdings", many=True)


class HallSerializer(MappingSerializer):
    """The hall of fame."""

    by = CharField()
    league = ChoiceField(LEAGUES)
    track = CharField()
    count = CountField(help_text="How many rows there are in all.")
    results = TallySerializer(many=True)


class SeasonSerializer(AnswerSerializer):
    """A season."""

    season = CharField(source="slug")
    title = CharField(source="*")
    begins_at = InstantField()
    ends_at = InstantField()


@extend_schema_serializer(many=False)
class SeasonsSerializer(MappingSerializer):
    """The seasons, latest first."""

    count = CountField(help_text="How many rows there are in all.")
    results = SeasonSerializer(many=True)


class WholeSeasonSerializer(SeasonSerializer):
    """A season and its table."""

    rounds = ListField(child=IntegerField())
    league = ChoiceField(LEAGUES)
    track = CharField()
    count = CountField(help_text="How many rows there are in all.")
    results = TallySerializer(many=True)


class TokenSerializer(AnswerSerializer):
    """A token without its secret, which is shown once."""

    id = CharField(source="public_id")
    name = CharField()
    player = PlayerSerializer()
    archive_number = IntegerField(
        source="player.archive_number", help_text="What archives call the player, and sealed texts."
    )
    scopes = SerializerMethodField()
    created_at = InstantField()
    expires_at = InstantField(allow_null=True)
    last_used_at = InstantField(allow_null=True)
    per_minute = SerializerMethodField()

    @extend_schema_field(ListField(child=ChoiceField(Scope.values)))
    def get_scopes(self, token: Token) -> list[str]:
        """Return the scopes, without those that the site has dropped since."""
        return [scope for scope in token.scopes if scope in Scope.values]

    @extend_schema_field(CountField())
    def get_per_minute(self, token: Token) -> int:
        return settings.TOKEN_PER_MINUTE if token.per_minute is None else token.per_minute
