"""URLs of collections, below the language prefix."""

from django.urls import path

from contest.web.collections import playing, runs, views
from contest.web.play import coaching

urlpatterns = [
    path("collections/", views.collections_page, name="collections"),
    path("collections/<slug:slug>/", views.collection_page, name="collection"),
    path("collections/<slug:slug>/<int:place>/", views.level_page, name="collected-level"),
    path("collections/<slug:slug>/<int:place>/play/", playing.play_page, name="collected-play"),
    path("collected/<str:receipt_id>/", playing.receipt, name="collected-receipt"),
    path("collected/<str:receipt_id>/coach/", coaching.coach_collected, name="coach-collected"),
    path("run/", runs.modes_page, name="runs"),
    path("run/<slug:mode>/", runs.run_page, name="run"),
    path("run/<slug:mode>/start/", runs.start, name="run-start"),
    path("ran/<str:receipt_id>/", runs.receipt, name="run-receipt"),
]
