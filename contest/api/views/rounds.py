"""Views of rounds and levels, and of the site itself: each reads a request, fetches rows, and shows the answer."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from contest import results, visibility
from contest.api import schema
from contest.api.authentication import required_token
from contest.api.base import ListView, View, count_fitting_texts, levels_of
from contest.api.filters import PhaseFilter, SlotFilter, TrackFilter, read_choice, read_row_number, read_slice
from contest.api.permissions import HasToken
from contest.api.schema import AROUND, BOARD, BY, EVERY_LEAGUE, LIMIT, REVISION, START, reads
from contest.api.serializers import rankings, rounds
from contest.api.serializers.base import Wrapper
from contest.api.serializers.people import TokenSerializer
from contest.api.serializers.rankings import accepted_row
from contest.api.serializers.site import MOST_TEXTS, LimitsSerializer, TimeSerializer, read_limits
from contest.infra import cache
from contest.infra.kept import not_modified
from contest.infra.site_address import absolute_url
from contest.models import Level, Metric, Player, Round, Scope, Submission
from contest.rankings import pareto, standings
from contest.replays import practice


@extend_schema_view(get=reads(rounds.RoundSerializer(many=True), "Rounds, newest first."))
class Rounds(ListView):
    serializer_class = rounds.RoundSerializer
    filter_backends = [TrackFilter, PhaseFilter]

    def get_queryset(self) -> QuerySet[Round]:
        return visibility.rounds(self.viewer, self.at)

    def present(self, rows: Sequence[Round]) -> list[Wrapper]:
        levels = levels_of(rows, self.viewer, self.at)
        return [rounds.round_at(round_, levels[round_.pk], self.at) for round_ in rows]


class Tracks(View):
    @reads(rounds.TrackListSerializer, "The tracks, main first, each with its open round.")
    def get(self, _request: Request) -> Response:
        open_rounds = visibility.rounds(self.viewer, self.at).open(self.at)
        current = dict(open_rounds.order_by().values_list("track", "number"))
        tracks = [Wrapper(track, current=current.get(track.slug)) for track in visibility.tracks(self.viewer, self.at)]
        return Response(rounds.TrackListSerializer({"results": tracks}).data)


class RoundDetail(View):
    @reads(rounds.WholeRoundSerializer, "A round.")
    def get(self, request: Request, number: int) -> Response:
        round_ = get_object_or_404(visibility.rounds(self.viewer, self.at), number=number)
        levels = levels_of([round_], self.viewer, self.at)[round_.pk]
        is_archived = visibility.has_archive(self.viewer, round_, self.at)
        archive = absolute_url(request, reverse("archive", args=[number])) if is_archived else None
        return Response(rounds.WholeRoundSerializer(rounds.whole_round_at(round_, levels, self.at, archive)).data)


class OpenedRoundMixin:
    """The round in the URL, from its opening on."""

    @cached_property
    def round(self: Any) -> Round:
        found: Round = get_object_or_404(visibility.opened_rounds(self.viewer, self.at), number=self.kwargs["number"])
        return found


class Chain(OpenedRoundMixin, View):
    @reads(rounds.ChainSerializer, "The newest link of the receipt chain; of a closed round the last of its own.")
    def get(self, _request: Request, number: int) -> Response:
        link = visibility.chain_link(self.round, self.at)
        facts = {"round": number, "number": link and link.number, "link": link and link.link}
        return Response(rounds.ChainSerializer(facts).data)


@extend_schema_view(get=reads(rankings.AcceptedSerializer(many=True), "What was accepted in a round, newest first."))
class AcceptedSubmissions(OpenedRoundMixin, ListView):
    """The public facts of a round's accepted submissions (rules 7.1, 7.4)."""

    serializer_class = rankings.AcceptedSerializer
    filter_backends = [SlotFilter]

    def get_queryset(self) -> QuerySet[Submission]:
        return visibility.accepted_submissions(self.viewer, self.at).filter(round=self.round)

    def present(self, rows: Sequence[Submission]) -> list[Wrapper]:
        with_hash = visibility.may_see_hashes(self.round, self.at)
        return [accepted_row(row, with_hash=with_hash) for row in rows]


@extend_schema_view(
    get=reads(rankings.SolutionSerializer(many=True), "The moves of a round, once they are public.", refusals=[429])
)
class Solutions(OpenedRoundMixin, ListView):
    """The moves of a round, once public (rule 7.3); the site records that the player has seen them (rule 20.3)."""

    serializer_class = rankings.SolutionSerializer
    filter_backends = [SlotFilter]
    largest_page = MOST_TEXTS

    def get_queryset(self) -> QuerySet[Submission]:
        if not visibility.are_solutions_public(self.round, self.at):
            raise Http404
        return visibility.solutions(self.viewer, self.round, self.at).filter(round=self.round)

    def count_fitting(self, rows: QuerySet[Submission]) -> int:
        return count_fitting_texts(self.request, [moves or 0 for moves in rows.values_list("moves", flat=True)])

    def present(self, rows: Sequence[Submission]) -> list[Wrapper]:
        for row in rows:
            practice.record_seen(self.viewer, row, self.at)
        return [accepted_row(row, with_hash=True) for row in rows]


class Results(View):
    @reads(rounds.ResultsSerializer, "The results of a round.", REVISION)
    def get(self, request: Request, number: int) -> Response:
        """Return the current results (rules 14.1, 14.3), or a preview of the points of an open round (rule 7.4)."""
        round_ = get_object_or_404(visibility.rounds(self.viewer, self.at), number=number)
        published = visibility.snapshots(self.viewer, self.at).filter(round=round_).order_by("revision")
        wanted = read_row_number(request, "revision")
        snapshot = get_object_or_404(published, revision=wanted) if wanted else published.last()
        if snapshot:
            table = results.table(snapshot.document)
        elif visibility.may_see_results(round_, self.at) or visibility.may_preview_points(round_, self.at):
            table = results.standing(round_, list(round_.levels.all()), self.at)
        else:
            raise Http404
        is_preview = not snapshot and not visibility.may_see_results(round_, self.at)
        revisions = list(published.values_list("revision", flat=True))
        page = absolute_url(request, reverse("results-json", args=[number]))
        address = f"{page}?revision={snapshot.revision}" if snapshot else None
        found = rounds.results_of(
            table, snapshot, is_preview=is_preview, round=round_, revisions=revisions, address=address
        )
        return Response(rounds.ResultsSerializer(found).data)


class Draw(View):
    @reads(rounds.DrawSerializer, "The lucky draw of a round, from the reveal.")
    def get(self, _request: Request, number: int) -> Response:
        """Rule 11.11: return all that is needed to repeat the draw."""
        round_ = get_object_or_404(visibility.rounds(self.viewer, self.at), number=number)
        if not visibility.may_see_results(round_, self.at):
            raise Http404
        drawn = results.standing(round_, list(round_.levels.all()), self.at).draw
        if drawn is None:
            raise Http404
        return Response(rounds.DrawSerializer(drawn).data)


class LevelView(View):
    def get_level(self) -> Level:
        """Return the level in the URL."""
        levels = visibility.levels(self.viewer, self.at)
        found: Level = get_object_or_404(levels, round__number=self.kwargs["number"], slot=self.kwargs["slot"])
        return found

    def get_league(self, level: Level) -> str:
        """Return the requested league; by default the one the round ranks (rule 16.4)."""
        usual = standings.default_league(level.round)
        return read_choice(self.request, "league", sorted(standings.LEAGUES, key=lambda league: league != usual))


class LevelDetail(LevelView):
    @reads(rounds.LevelSerializer, "A level, from the opening of its round.")
    def get(self, _request: Request, **_names: Any) -> Response:
        return Response(rounds.LevelSerializer(self.get_level()).data)


class Standings(LevelView):
    @reads(rankings.StandingsSerializer, "A ranking of a level.", BY, EVERY_LEAGUE, BOARD, START, LIMIT, AROUND)
    def get(self, request: Request, **_names: Any) -> HttpResponseBase:
        level = self.get_level()
        metric = Metric(read_choice(request, "by", Metric.values))
        league = self.get_league(level)
        board = read_choice(request, "board", standings.boards(level))
        start, limit = read_slice(request)
        around = read_row_number(request, "around")
        ranking = rankings.board_of(level, league, self.at, by=metric, board=board)
        # Every visible change raises the board's version, so a 304 needs no ranking.
        version = (level.pk, *rankings.RankingSerializer(ranking).data.items(), start, limit, around)
        etag = f'"{cache.digest(version)}"'
        if unchanged := not_modified(request, etag):
            return unchanged

        def rank() -> dict[str, Any]:
            if around:
                player = Player.objects.filter(pk=around).first()
                rows = standings.rows_around(level, metric, player, league=league, board=board) if player else []
            else:
                rows = standings.standings(level, metric, league=league, board=board, start=start, limit=limit)
            count = standings.count(level, metric, league=league, board=board)
            return dict(rankings.StandingsSerializer(Wrapper(ranking, count=count, results=rows)).data)

        return Response(cache.remember(("standings", version), rank), headers={"ETag": etag})


class Pareto(LevelView):
    @reads(rankings.FrontSerializer, "The Pareto front of a level.", EVERY_LEAGUE)
    def get(self, _request: Request, **_names: Any) -> Response:
        level = self.get_level()
        league = self.get_league(level)
        points = [Wrapper(point.holder, equalled=point.equalled) for point in pareto.points(level, league)]
        front = rankings.board_of(level, league, self.at, count=len(points), results=points)
        return Response(rankings.FrontSerializer(front).data)


class AboutToken(View):
    permission_classes = [HasToken]
    scopes = {"GET": Scope.READ}

    @reads(TokenSerializer, "What the token is that this is asked with.")
    def get(self, request: Request) -> Response:
        return Response(TokenSerializer(required_token(request)).data)


class Limits(View):
    @reads(LimitsSerializer, "The limits of this site.")
    def get(self, _request: Request) -> Response:
        """Rule 5.9."""
        return Response(LimitsSerializer(read_limits()).data)


class Time(View):
    @reads(TimeSerializer, "The clock that counts.")
    def get(self, _request: Request) -> Response:
        return Response(TimeSerializer({"time": self.at}).data)


class OpenAPI(View):
    def get(self, _request: Request) -> Response:
        """Return the OpenAPI document for programs; /api/docs/try/ shows it to people."""
        return Response(schema.document())


class Nothing(View):
    """Every other URL: a program gets a problem document, not a page."""

    def initial(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise Http404
