"""The API's doors: each reads a request, calls one act or asks for rows, and shows the answer."""

from collections.abc import Sequence
from typing import Any, NoReturn

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from contest import results, visibility
from contest.api import pages, schema
from contest.api.authentication import needed_token, viewer_of
from contest.api.base import View, choice, league_of, level_of, levels_of
from contest.api.objects import rankings, rounds, site
from contest.api.objects.components import ACCEPTED_PAGE, ROUND_PAGE, SOLUTION_PAGE
from contest.api.objects.kinds import MOST_TEXTS
from contest.api.objects.people import TOKEN
from contest.api.objects.rankings import ListedSubmission
from contest.api.objects.rounds import RoundAt
from contest.api.permissions import HasToken
from contest.api.schema import (
    AROUND,
    BOARD,
    BY,
    CURSOR,
    EVERY_LEAGUE,
    LIMIT,
    PHASE,
    PHASES,
    REVISION,
    SLOT,
    START,
    TRACK,
    reads,
)
from contest.infra import cache, clock
from contest.infra.kept import not_modified
from contest.infra.site_address import absolute
from contest.models import Metric, Player, Round, Scope, Slot, Submission
from contest.rankings import pareto, standings
from contest.replays import practice
from contest.rules.phases import Phase


class Rounds(View):
    @reads("RoundPage", "Rounds, newest first.", TRACK, PHASE, LIMIT, CURSOR)
    def get(self, request: Request) -> Response:
        at, viewer = clock.now(), viewer_of(request)

        def with_levels(rounds: Sequence[Round]) -> list[RoundAt]:
            levels = levels_of(rounds, viewer, at)
            return [RoundAt(round_, levels[round_.pk], at) for round_ in rounds]

        found = visibility.rounds(viewer, at)
        if track := request.query_params.get("track"):
            found = found.filter(track=get_object_or_404(visibility.tracks(viewer, at), slug=track))
        if phase := choice(request, "phase", ["", *PHASES]):
            found = found.in_phase(Phase(phase), at)
        return Response(ROUND_PAGE.show(pages.page(request, found, with_levels)))


class Tracks(View):
    @reads("TrackList", "The tracks, main first, each with its open round.")
    def get(self, request: Request) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        current = dict(visibility.rounds(viewer, at).open(at).order_by().values_list("track", "number"))
        tracks = [rounds.TrackAt(track, current.get(track.slug)) for track in visibility.tracks(viewer, at)]
        return Response(rounds.TRACK_LIST.show(tracks))


class OneRound(View):
    @reads("WholeRound", "A round.")
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        levels = levels_of([round_], viewer, at)[round_.pk]
        is_archived = visibility.has_archive(viewer, round_, at)
        archive = absolute(request, reverse("archive", args=[number])) if is_archived else None
        return Response(rounds.WHOLE_ROUND.show(RoundAt(round_, levels, at, archive)))


class Chain(View):
    @reads("Chain", "The newest link of the receipt chain; of a closed round the last of its own.")
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        return Response(rounds.CHAIN.show((round_, visibility.chain_link(round_, at))))


class AcceptedSubmissions(View):
    @reads("AcceptedPage", "What was accepted in a round, newest first.", SLOT, LIMIT, CURSOR)
    def get(self, request: Request, number: int) -> Response:
        """What everybody may know of a round's accepted submissions (rules 7.1, 7.4)."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        with_hash = visibility.may_see_hashes(round_, at)

        def list_rows(rows: Sequence[Submission]) -> list[ListedSubmission]:
            return [ListedSubmission(row, with_hash) for row in rows]

        accepted = _of_slot(request, visibility.accepted_submissions(viewer, at), round_)
        return Response(ACCEPTED_PAGE.show(pages.page(request, accepted, list_rows)))


class Solutions(View):
    @reads("SolutionPage", "The moves of a round, once they are public.", SLOT, LIMIT, CURSOR)
    def get(self, request: Request, number: int) -> Response:
        """The moves of a round, once they are public (rule 7.3); a player who reads them is remembered (rule 20.3)."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        if not visibility.are_solutions_public(round_, at):
            raise Http404

        def list_with_hashes(rows: Sequence[Submission]) -> list[ListedSubmission]:
            for row in rows:
                practice.note_seen(viewer, row, at)
            return [ListedSubmission(row, with_hash=True) for row in rows]

        solutions = _of_slot(request, visibility.solutions(viewer, round_, at), round_)
        return Response(SOLUTION_PAGE.show(pages.page(request, solutions, list_with_hashes, most=MOST_TEXTS)))


class Results(View):
    @reads("Results", "The results of a round.", REVISION)
    def get(self, request: Request, number: int) -> Response:
        """What stands (rules 14.1, 14.3); while the round is open the points as they would be (rule 7.4)."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        published = visibility.snapshots(viewer, at).filter(round=round_).order_by("revision")
        wanted = pages.whole_number(request, "revision", default=0, least=1, most=pages.LARGEST_NUMBER)
        snapshot = get_object_or_404(published, revision=wanted) if wanted else published.last()
        if snapshot:
            document, is_preview = snapshot.document, False
        elif visibility.may_see_results(round_, at):
            document, is_preview = results.live(round_, at), False
        elif visibility.may_preview_points(round_, at):
            document, is_preview = results.live(round_, at), True
        else:
            raise Http404
        revisions = list(published.values_list("revision", flat=True))
        page = absolute(request, reverse("results-json", args=[number]))
        address = f"{page}?revision={snapshot.revision}" if snapshot else ""
        found = rounds.ResultsOf(round_, document, revisions, is_preview, snapshot, address)
        return Response(rounds.RESULTS.show(found))


class Draw(View):
    @reads("Draw", "The lucky draw of a round, from the reveal.")
    def get(self, request: Request, number: int) -> Response:
        """Rule 11.11: all that is needed to draw again."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        if not visibility.may_see_results(round_, at):
            raise Http404
        drawn = results.table(results.current(round_, at)).draw
        if drawn is None:
            raise Http404
        return Response(rounds.DRAW.show(drawn))


class OneLevel(View):
    @reads("Level", "A level, from the opening of its round.")
    def get(self, request: Request, number: int, slot: str) -> Response:
        return Response(rounds.LEVEL.show(level_of(request, number, slot, clock.now())))


class Standings(View):
    @reads("Standings", "A ranking of a level.", BY, EVERY_LEAGUE, BOARD, START, LIMIT, AROUND)
    def get(self, request: Request, number: int, slot: str) -> HttpResponseBase:
        at = clock.now()
        level = level_of(request, number, slot, at)
        metric = Metric(choice(request, "by", Metric.values))
        league = league_of(request, level)
        board = choice(request, "board", standings.boards(level))
        start, limit = pages.part(request)
        around = pages.whole_number(request, "around", default=0, least=1, most=pages.LARGEST_NUMBER)
        ranking = rankings.Ranking(level, league, at, metric, board)
        # Whatever changes what is shown raises the board's version, so nobody need rank to know that nothing changed.
        version = (level.pk, *rankings.FACTS.show(ranking).items(), start, limit, around)
        etag = f'"{cache.digest(version)}"'
        if unchanged := not_modified(request, etag):
            return unchanged

        def rank() -> dict[str, Any]:
            if around:
                player = Player.objects.filter(pk=around).first()
                rows = standings.around(level, metric, player, league=league, board=board) if player else []
            else:
                rows = standings.standings(level, metric, league=league, board=board, start=start, limit=limit)
            count = standings.count(level, metric, league=league, board=board)
            return rankings.STANDINGS.show(rankings.PartOfRanking(ranking, count, rows))

        return Response(cache.remember(("standings", version), rank), headers={"ETag": etag})


class Pareto(View):
    @reads("Front", "The Pareto front of a level.", EVERY_LEAGUE)
    def get(self, request: Request, number: int, slot: str) -> Response:
        at = clock.now()
        level = level_of(request, number, slot, at)
        league = league_of(request, level)
        front = rankings.Front(rankings.Board(level, league, at), pareto.points(level, league))
        return Response(rankings.FRONT.show(front))


class AboutToken(View):
    permission_classes = [HasToken]
    scopes = {"GET": Scope.READ}

    @reads("Token", "What the token is that this is asked with.", needs_token=True)
    def get(self, request: Request) -> Response:
        return Response(TOKEN.show(needed_token(request)))


class Limits(View):
    @reads("Limits", "The limits of this site.")
    def get(self, _request: Request) -> Response:
        """Rule 5.9."""
        return Response(site.LIMITS.show(None))


class Time(View):
    @reads("Time", "The clock that counts.")
    def get(self, _request: Request) -> Response:
        return Response(site.TIME_NOW.show(clock.now()))


class OpenAPI(View):
    def get(self, _request: Request) -> Response:
        """What is written down here, for programs; /api/docs/try/ shows it to people."""
        return Response(schema.document())


class Nothing(View):
    """Every other address: a program gets a problem document, not a page."""

    def initial(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise Http404


def _of_slot(request: Request, rows: QuerySet[Submission], round_: Round) -> QuerySet[Submission]:
    """Those of *rows* that are of the round, and of the level asked for."""
    slot = choice(request, "slot", ["", *Slot.values])
    return rows.filter(round=round_, level__slot=slot) if slot else rows.filter(round=round_)
