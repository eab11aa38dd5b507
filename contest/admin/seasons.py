"""Named seasons."""

from django.contrib import admin

from contest.models import Season
from contest.organising.filters import ListedFilters


@admin.register(Season)
class SeasonAdmin(ListedFilters):
    list_display = ["slug", "title_zh", "title_en", "begins_at", "ends_at"]
    view_on_site = False  # before its first round is announced the page does not exist
