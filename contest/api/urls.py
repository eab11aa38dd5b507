"""URLs of the API, below /api/v1/; `keep` marks views with responses that may be cached."""

from typing import Any

from django.urls import path, re_path
from rest_framework.routers import SimpleRouter

from contest.api import sending
from contest.api.feeds import bulk, dumps, events, webhooks
from contest.api.views import desk, library, people, rebuilding, rounds, solver
from contest.infra.kept import keep
from contest.rankings import board_versions


class CachedRouter(SimpleRouter):
    """A router for views with responses that may be cached."""

    def get_urls(self) -> list[Any]:
        urls: list[Any] = super().get_urls()
        return [
            path(str(route.pattern), keep(route.callback, reads=_reads(route.name)), name=route.name) for route in urls
        ]


def _reads(name: str) -> str:
    return "cursor limit" if name.endswith("-list") else ""


_router = SimpleRouter(use_regex_path=False)
_router.register("webhooks", webhooks.Webhooks, basename="api-webhook")
_router.register("seasons", people.Seasons, basename="api-season")
_cached_router = CachedRouter(use_regex_path=False)
_cached_router.register("collections", library.Collections, basename="api-collection")
_cached_router.register("players", people.Players, basename="api-player")

urlpatterns = [
    *_router.urls,
    *_cached_router.urls,
    path("submissions/", sending.Submissions.as_view(), name="api-submissions"),
    path("submissions/<slug:receipt_id>/", sending.SubmissionDetail.as_view(), name="api-submission"),
    path("bests/", sending.Bests.as_view(), name="api-bests"),
    path("check/", sending.Check.as_view(), name="api-check"),
    path("rebuild/", rebuilding.Rebuild.as_view(), name="api-rebuild"),
    path("rebuild/<str:moves>/", rebuilding.Rebuilt.as_view(), name="api-rebuilt"),
    path("rounds/", keep(rounds.Rounds.as_view(), reads="cursor limit phase track"), name="api-rounds"),
    path("tracks/", keep(rounds.Tracks.as_view()), name="api-tracks"),
    path("rounds/<int:number>/", keep(rounds.RoundDetail.as_view()), name="api-round"),
    path("rounds/<int:number>/levels.sok", keep(bulk.LevelFile.as_view()), name="api-level-file"),
    path("rounds/<int:number>/chain/", keep(rounds.Chain.as_view()), name="api-chain"),
    path(
        "rounds/<int:number>/submissions/",
        keep(rounds.AcceptedSubmissions.as_view(), reads="cursor limit slot"),
        name="api-accepted",
    ),
    path("rounds/<int:number>/solutions/", rounds.Solutions.as_view(), name="api-solutions"),
    path("rounds/<int:number>/results/", keep(rounds.Results.as_view(), reads="revision"), name="api-results"),
    path("rounds/<int:number>/draw/", keep(rounds.Draw.as_view()), name="api-draw"),
    path("rounds/<int:number>/sealed/", sending.SealedAnswers.as_view(), name="api-sealed"),
    path("rounds/<int:number>/sealed/open/", sending.OpenSealed.as_view(), name="api-sealed-open"),
    path("rounds/<int:number>/<slug:slot>/", keep(rounds.LevelDetail.as_view()), name="api-level"),
    path(
        "rounds/<int:number>/<slug:slot>/standings/",
        keep(rounds.Standings.as_view(), board_versions.of_its_round, reads="around board by league limit start"),
        name="api-standings",
    ),
    path("rounds/<int:number>/<slug:slot>/pareto/", keep(rounds.Pareto.as_view(), reads="league"), name="api-pareto"),
    path("levels.ndjson", keep(bulk.Levels.as_view()), name="api-all-levels"),
    path("optima.ndjson", keep(bulk.Optima.as_view()), name="api-optima"),
    path("submissions.ndjson", bulk.AcceptedSubmissions.as_view(), name="api-all-accepted"),
    path("solutions.ndjson", bulk.Solutions.as_view(), name="api-all-solutions"),
    path("dumps/", dumps.Dumps.as_view(), name="api-dumps"),
    path("dumps/<slug:night>/<str:name>", dumps.File.as_view(), name="api-dump-file"),
    path("events/", events.Events.as_view(), name="api-events"),
    path("archives/", keep(bulk.Archives.as_view()), name="api-archives"),
    path("rounds/<int:number>/<slug:slot>/hint/", solver.Hint.as_view(), name="api-hint"),
    path("solver/", solver.Ask.as_view(), name="api-solver"),
    path("solver/<slug:search_id>/", solver.Answer.as_view(), name="api-solver-answer"),
    path("solver/<slug:search_id>/cancel/", solver.Cancel.as_view(), name="api-solver-cancel"),
    path("collections/<slug:slug>/levels.sok", library.CollectionFile.as_view(), name="api-collection-file"),
    path("levels/", library.Library.as_view(), name="api-library"),
    path("hall/", keep(people.Hall.as_view(), reads="by league limit start track"), name="api-hall"),
    path("desk/health/", desk.Health.as_view(), name="api-desk-health"),
    path("desk/rounds/", desk.Drafts.as_view(), name="api-desk-rounds"),
    path("desk/rounds/<int:number>/prepare/", desk.Prepare.as_view(), name="api-desk-prepare"),
    path("desk/levels/", desk.Levels.as_view(), name="api-desk-levels"),
    path("desk/series/", desk.AllSeries.as_view(), name="api-desk-series"),
    path("desk/series/<int:number>/queue/", desk.Queue.as_view(), name="api-desk-queue"),
    path("token/", rounds.AboutToken.as_view(), name="api-token"),
    path("limits/", rounds.Limits.as_view(), name="api-limits"),
    path("time/", rounds.Time.as_view(), name="api-time"),
    path("openapi.json", rounds.OpenAPI.as_view(), name="api-file"),
    re_path("", rounds.Nothing.as_view(), name="api-nothing"),
]
