"""URLs, each with and without the trailing slash: these programs follow no redirect."""

from django.urls import re_path

from contest.legacy import views

urlpatterns = [
    re_path(r"^api/competition/?$", views.competition, name="legacy-competition"),
    re_path(r"^api/competition/submission/?$", views.submission_list, name="legacy-submissions"),
    re_path(r"^submit_result\.php/?$", views.submit, name="legacy-submit"),
    re_path(r"^solution_table\.php/?$", views.solution_table, name="legacy-table"),
]
