"""Addresses of the API, below /api/v1/; `keep` are those that may be answered again as before."""

from django.urls import path, re_path

from contest.api import bulk, events, people, sending, solver, views
from contest.infra.kept import keep
from contest.rankings import board_versions

urlpatterns = [
    path("submissions/", sending.Submissions.as_view(), name="api-submissions"),
    path("submissions/<slug:receipt_id>/", sending.OneSubmission.as_view(), name="api-submission"),
    path("bests/", sending.Bests.as_view(), name="api-bests"),
    path("check/", sending.Check.as_view(), name="api-check"),
    path("rounds/", keep(views.Rounds.as_view()), name="api-rounds"),
    path("rounds/<int:number>/", keep(views.OneRound.as_view()), name="api-round"),
    path("rounds/<int:number>/levels.sok", keep(bulk.LevelFile.as_view()), name="api-level-file"),
    path("rounds/<int:number>/chain/", keep(views.Chain.as_view()), name="api-chain"),
    path("rounds/<int:number>/submissions/", keep(views.Accepted.as_view()), name="api-accepted"),
    path("rounds/<int:number>/solutions/", views.Solutions.as_view(), name="api-solutions"),
    path("rounds/<int:number>/results/", keep(views.Results.as_view()), name="api-results"),
    path("rounds/<int:number>/draw/", keep(views.Draw.as_view()), name="api-draw"),
    path("rounds/<int:number>/<slug:slot>/", keep(views.OneLevel.as_view()), name="api-level"),
    path(
        "rounds/<int:number>/<slug:slot>/standings/",
        keep(views.Standings.as_view(), board_versions.of_its_round),
        name="api-standings",
    ),
    path("rounds/<int:number>/<slug:slot>/pareto/", keep(views.Pareto.as_view()), name="api-pareto"),
    path("levels.ndjson", keep(bulk.Levels.as_view()), name="api-all-levels"),
    path("submissions.ndjson", bulk.Accepted.as_view(), name="api-all-accepted"),
    path("solutions.ndjson", bulk.Solutions.as_view(), name="api-all-solutions"),
    path("events/", events.Events.as_view(), name="api-events"),
    path("archives/", keep(bulk.Archives.as_view()), name="api-archives"),
    path("rounds/<int:number>/<slug:slot>/hint/", solver.Hint.as_view(), name="api-hint"),
    path("solver/", solver.Ask.as_view(), name="api-solver"),
    path("solver/<slug:search_id>/", solver.Answer.as_view(), name="api-solver-answer"),
    path("solver/<slug:search_id>/cancel/", solver.Cancel.as_view(), name="api-solver-cancel"),
    path("players/", keep(people.Players.as_view()), name="api-players"),
    path("players/<int:number>/", keep(people.OnePlayer.as_view()), name="api-player"),
    path("hall/", keep(people.Hall.as_view()), name="api-hall"),
    path("seasons/", people.Seasons.as_view(), name="api-seasons"),
    path("seasons/<slug:slug>/", people.OneSeason.as_view(), name="api-season"),
    path("token/", views.AboutToken.as_view(), name="api-token"),
    path("limits/", views.Limits.as_view(), name="api-limits"),
    path("time/", views.Time.as_view(), name="api-time"),
    path("openapi.json", views.OpenAPI.as_view(), name="api-file"),
    re_path("", views.Nothing.as_view(), name="api-nothing"),
]
