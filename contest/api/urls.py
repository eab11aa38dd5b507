"""Addresses of the API, below /api/v1/."""

from django.urls import path, re_path

from contest.api import bulk, events, people, sending, solver, views

urlpatterns = [
    path("submissions/", sending.Submissions.as_view(), name="api-submissions"),
    path("submissions/<slug:receipt_id>/", sending.OneSubmission.as_view(), name="api-submission"),
    path("check/", sending.Check.as_view(), name="api-check"),
    path("rounds/", views.Rounds.as_view(), name="api-rounds"),
    path("rounds/<int:number>/", views.OneRound.as_view(), name="api-round"),
    path("rounds/<int:number>/levels.sok", bulk.LevelFile.as_view(), name="api-level-file"),
    path("rounds/<int:number>/chain/", views.Chain.as_view(), name="api-chain"),
    path("rounds/<int:number>/submissions/", views.Accepted.as_view(), name="api-accepted"),
    path("rounds/<int:number>/solutions/", views.Solutions.as_view(), name="api-solutions"),
    path("rounds/<int:number>/results/", views.Results.as_view(), name="api-results"),
    path("rounds/<int:number>/draw/", views.Draw.as_view(), name="api-draw"),
    path("rounds/<int:number>/<slug:slot>/", views.OneLevel.as_view(), name="api-level"),
    path("rounds/<int:number>/<slug:slot>/standings/", views.Standings.as_view(), name="api-standings"),
    path("rounds/<int:number>/<slug:slot>/pareto/", views.Pareto.as_view(), name="api-pareto"),
    path("levels.ndjson", bulk.Levels.as_view(), name="api-all-levels"),
    path("submissions.ndjson", bulk.Accepted.as_view(), name="api-all-accepted"),
    path("solutions.ndjson", bulk.Solutions.as_view(), name="api-all-solutions"),
    path("events/", events.Events.as_view(), name="api-events"),
    path("archives/", bulk.Archives.as_view(), name="api-archives"),
    path("rounds/<int:number>/<slug:slot>/hint/", solver.Hint.as_view(), name="api-hint"),
    path("solver/", solver.Ask.as_view(), name="api-solver"),
    path("solver/<slug:search_id>/", solver.Answer.as_view(), name="api-solver-answer"),
    path("solver/<slug:search_id>/cancel/", solver.Cancel.as_view(), name="api-solver-cancel"),
    path("players/", people.Players.as_view(), name="api-players"),
    path("players/<int:number>/", people.OnePlayer.as_view(), name="api-player"),
    path("hall/", people.Hall.as_view(), name="api-hall"),
    path("seasons/", people.Seasons.as_view(), name="api-seasons"),
    path("seasons/<slug:slug>/", people.OneSeason.as_view(), name="api-season"),
    path("token/", views.AboutToken.as_view(), name="api-token"),
    path("limits/", views.Limits.as_view(), name="api-limits"),
    path("time/", views.Time.as_view(), name="api-time"),
    path("openapi.json", views.OpenAPI.as_view(), name="api-file"),
    re_path("", views.Nothing.as_view(), name="api-nothing"),
]
