"""Players, as far as an organiser may see them."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contest.models import Player


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Nickname and name key belong together, so neither is edited; the e-mail address is never shown whole."""

    list_display = ["nickname", "country", "league", "shown_email", "created_at"]
    list_filter = ["league"]
    search_fields = ["nickname", "name_key"]
    fields = ["nickname", "name_key", "country", "league", "shown_email", "created_at"]
    readonly_fields = ["nickname", "name_key", "shown_email", "created_at"]

    @admin.display(description=_("e-mail"))
    def shown_email(self, player: Player) -> str:
        return player.masked_email

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False
