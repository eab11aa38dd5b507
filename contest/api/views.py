"""The API's doors: each reads a request, calls one act or asks for rows, and shows the answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from contest import results, submissions, visibility
from contest.api import pages, schema, sending
from contest.api.authentication import needed_token
from contest.api.base import View, choice, league_of, level_of, levels_of, viewer_of
from contest.api.objects import serializers
from contest.api.schema import AROUND, BOARD, BY, CURSOR, EVERY_LEAGUE, LIMIT, REVISION, SLOT, START, reads
from contest.infra import cache, clock
from contest.infra.kept import not_modified
from contest.models import Level, Metric, Player, Round, Scope, Slot, Submission
from contest.rankings import pareto, standings
from contest.replays import practice
from contest.rules.phases import Phase

FARTHEST_START = 1_000_000
# Each may be as long as a million moves.
MOST_SOLUTIONS = 20


class Rounds(View):
    @reads("RoundPage", "Rounds, newest first.", LIMIT, CURSOR)
    def get(self, request: Request) -> Response:
        at, viewer = clock.now(), viewer_of(request)

        def show(rounds: Sequence[Round]) -> list[dict[str, Any]]:
            levels = levels_of(rounds, viewer, at)
            return [serializers.round_object(round_, levels[round_.pk], at) for round_ in rounds]

        return Response(pages.page(request, visibility.rounds(viewer, at), show))


class OneRound(View):
    @reads("WholeRound", "A round.")
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        shown = serializers.round_object(round_, levels_of([round_], viewer, at)[round_.pk], at)
        archived = visibility.archived_rounds(viewer, at).filter(pk=round_.pk).exists()
        archive = pages.absolute(request, reverse("archive", args=[number])) if archived else None
        return Response({**shown, **serializers.round_facts(round_, at), "archive": archive})


class Chain(View):
    @reads("Chain", "The newest link of the receipt chain; of a closed round the last of its own.")
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        return Response(serializers.chain_object(round_, visibility.chain_link(round_, at)))


class Accepted(View):
    @reads("AcceptedPage", "What was accepted in a round, newest first.", SLOT, LIMIT, CURSOR)
    def get(self, request: Request, number: int) -> Response:
        """What everybody may know of a round's accepted submissions (rules 7.1, 7.4)."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        with_hash = visibility.may_see_hashes(round_, at)

        def show(rows: Sequence[Submission]) -> list[dict[str, Any]]:
            return [serializers.accepted_object(row, with_hash=with_hash) for row in rows]

        return Response(
            pages.page(request, _of_slot(request, visibility.accepted_submissions(viewer, at), round_), show)
        )


class Solutions(View):
    @reads("SolutionPage", "The moves of a round, once they are public.", SLOT, LIMIT, CURSOR)
    def get(self, request: Request, number: int) -> Response:
        """The moves of a round, once they are public (rule 7.3); a player who reads them is remembered (rule 20.3)."""
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        if not visibility.are_solutions_public(round_, at):
            raise Http404

        def show(rows: Sequence[Submission]) -> list[dict[str, Any]]:
            for row in rows:
                practice.note_seen(viewer, row, at)
            return [{**serializers.accepted_object(row, with_hash=True), "lurd": row.lurd} for row in rows]

        solutions = _of_slot(request, visibility.solutions(viewer, round_, at), round_)
        return Response(pages.page(request, solutions, show, most=MOST_SOLUTIONS))


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
        shown = serializers.results_object(round_, document, revisions, is_preview=is_preview)
        page = pages.absolute(request, reverse("results-json", args=[number]))
        address = f"{page}?revision={snapshot.revision}" if snapshot else ""
        return Response({**shown, **serializers.revision_object(snapshot, address)})


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
        return Response({"round": number, **serializers.draw_object(drawn)})


class OneLevel(View):
    @reads("Level", "A level, from the opening of its round.")
    def get(self, request: Request, number: int, slot: str) -> Response:
        return Response(serializers.level_object(level_of(request, number, slot, clock.now())))


class Standings(View):
    @reads("Standings", "A ranking of a level.", BY, EVERY_LEAGUE, BOARD, START, LIMIT, AROUND)
    def get(self, request: Request, number: int, slot: str) -> HttpResponseBase:
        at = clock.now()
        level = level_of(request, number, slot, at)
        metric = Metric(choice(request, "by", Metric.values))
        league = league_of(request, level)
        board = choice(request, "board", standings.boards(level))
        start = pages.whole_number(request, "start", default=0, most=FARTHEST_START)
        limit = pages.whole_number(request, "limit", default=pages.LARGEST_PAGE, least=1, most=pages.LARGEST_PAGE)
        around = pages.whole_number(request, "around", default=0, least=1, most=pages.LARGEST_NUMBER)
        facts = {**_board_object(level, league, at), "by": metric, "board": board}
        # Whatever changes what is shown raises the board's version, so nobody need rank to know that nothing changed.
        version = (level.pk, *facts.items(), start, limit, around)
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
            return {**facts, "count": count, "results": [serializers.standings_row(row) for row in rows]}

        return Response(cache.remember(("standings", version), rank), headers={"ETag": etag})


class Pareto(View):
    @reads("Front", "The Pareto front of a level.", EVERY_LEAGUE)
    def get(self, request: Request, number: int, slot: str) -> Response:
        at = clock.now()
        level = level_of(request, number, slot, at)
        league = league_of(request, level)
        points = [serializers.front_point(point) for point in pareto.points(level, league)]
        return Response({**_board_object(level, league, at), "count": len(points), "results": points})


class AboutToken(View):
    @reads("Token", "What the token is that this is asked with.", needs_token=True)
    def get(self, request: Request) -> Response:
        return Response(serializers.token_object(needed_token(request, Scope.READ)))


class Limits(View):
    @reads("Limits", "The limits of this site.")
    def get(self, _request: Request) -> Response:
        """Rule 5.9."""
        in_seconds = [{"seconds": seconds, "most": most} for seconds, most in settings.QUOTA_PER_SECONDS.items()]
        limits = {
            "player": {
                "in_seconds": in_seconds,
                "in_a_round": settings.QUOTA_PER_ROUND,
                "bytes_in_a_round": settings.QUOTA_BYTES_PER_ROUND,
            },
            "address": {"per_minute": settings.ADDRESS_PER_MINUTE},
            "token": {"per_minute": settings.TOKEN_PER_MINUTE},
            "batch": sending.LARGEST_BATCH,
            "moves_bytes": submissions.MAX_TEXT_BYTES,
            "body_bytes": settings.MAX_SUBMISSION_BODY,
            "page": pages.LARGEST_PAGE,
            "solutions_page": MOST_SOLUTIONS,
            "wait_seconds": sending.LONGEST_WAIT,
        }
        return Response(limits)


class Time(View):
    @reads("Time", "The clock that counts.")
    def get(self, _request: Request) -> Response:
        return Response({"time": serializers.time(clock.now())})


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


def _board_object(level: Level, league: str, at: datetime) -> dict[str, Any]:
    """What every list of a level's results says of itself."""
    return {
        "round": level.round.number,
        "slot": level.slot,
        "league": league,
        "board_version": level.board_version,
        "provisional": level.round.phase(at) != Phase.FINAL,
        "void": level.voided_at is not None,
    }
