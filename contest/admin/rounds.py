"""Rounds with their levels, and the tracks they belong to."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import BaseInlineFormSet, ModelForm, Script
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from contest import levels, rounds, visibility
from contest.infra import clock
from contest.models import Level, Round, Slot, Track
from contest.organising.acts import ActsAdmin
from contest.organising.filters import ListedFilters
from contest.organising.object_forms import TrackForm
from contest.organising.round_acts import ACTS
from contest.organising.round_forms import LevelForm, LevelFormSet, RoundForm
from contest.organising.settings_form import SETTINGS
from contest.rounds import testers, tracks
from contest.rules.phases import Phase
from solvers.sokoban import Level as Board
from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.sprites import LIGHT

_PHASES = {
    Phase.DRAFT: _("draft"),
    Phase.SCHEDULED: _("scheduled"),
    Phase.OPEN: _("open"),
    Phase.CLOSED: _("closed"),
    Phase.FINAL: _("final"),
    Phase.CANCELLED: _("cancelled"),
}


def _draw(board: Board, cells: frozenset[int] = frozenset()) -> SafeString:
    """Return a drawing with *cells* marked: it contains only numbers and class names, no user input."""
    return mark_safe(svg(board, marks=cells, theme=LIGHT, ruler=True))  # noqa: S308 - numbers only


class LevelInline(admin.StackedInline):  # type: ignore[type-arg]  # generic in the stubs only
    """The levels of a round, frozen once it has opened (rule 2.9)."""

    model = Level
    form = LevelForm
    formset = LevelFormSet
    extra = 0
    max_num = len(Slot)
    fields = ["slot", "title", "author", "text", "preview", "solution", "confirmed"]
    readonly_fields = ["preview"]
    view_on_site = False  # before the opening the page does not exist

    @admin.display(description=_("preview"))
    def preview(self, level: Level) -> SafeString | str:
        return _draw(level.board) if level.text and level.pk else "-"

    def get_min_num(self, request: HttpRequest, obj: Round | None = None, **kwargs: Any) -> int:
        return 0 if obj else 1

    def get_fields(self, request: HttpRequest, obj: Round | None = None) -> list[Any]:
        return [field for field in self.fields or [] if field != "confirmed" or self._is_free(obj)]

    def get_formset(self, request: HttpRequest, obj: Round | None = None, **kwargs: Any) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        formset.by = request.user  # type: ignore[attr-defined]  # the class is created for this request
        return formset

    def has_add_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        return super().has_add_permission(request, obj) and self._is_free(obj)

    def has_change_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        return super().has_change_permission(request, obj) and self._is_free(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        return super().has_delete_permission(request, obj) and self._is_free(obj)

    def _is_free(self, round_: Round | None) -> bool:
        return round_ is None or not rounds.is_frozen(round_, clock.now())


class PhaseFilter(admin.SimpleListFilter):
    title = _("phase")
    parameter_name = "phase"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(phase.value, words) for phase, words in _PHASES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Round]) -> QuerySet[Round]:
        chosen = next((phase for phase in Phase if phase.value == self.value()), None)
        return queryset & Round.objects.in_phase(chosen, clock.now()) if chosen else queryset


@admin.register(Round)
class RoundAdmin(ActsAdmin):
    """Rounds: created here, level first; they become public by their times."""

    form = RoundForm
    inlines = [LevelInline]
    list_display = ["number", "track", "title", "phase", "announced_at", "opens_at", "closes_at"]
    list_filter = [PhaseFilter, "track"]
    search_fields = ["=number", "title_zh", "title_en"]
    acts = ACTS
    change_form_template = "admin/contest/round_change_form.html"
    view_on_site = False

    class Media:
        css = {"all": ["contest/admin.css"]}
        js = [Script("contest/draw-levels.js", type="module")]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.drawing_view))
        return [path("drawing/", view, name="contest_round_drawing"), *super().get_urls()]

    def drawing_view(self, request: HttpRequest) -> HttpResponse:
        """Draw the level that is being typed, with everything that would prevent saving it."""
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        is_vetted = visibility.may_see_vetting(request.user)
        given = [request.POST.get(name, "") for name in ("text", "solution")]
        examined = levels.examine(*given, is_vetted=is_vetted)
        board = examined.board and _draw(examined.board, examined.cells)
        return render(request, "admin/contest/level_drawing.html", {"board": board, "errors": examined.errors.values()})

    def desk_url(self, about: Round) -> str:
        return reverse("desk-round", args=[about])

    @admin.display(description=_("title"))
    def title(self, round_: Round) -> str:
        return round_.title

    @admin.display(description=_("phase"))
    def phase(self, round_: Round) -> str:
        return str(_PHASES[round_.phase(clock.now())])

    def save_model(self, request: HttpRequest, obj: Round, form: "ModelForm[Round]", change: bool) -> None:
        rounds.save_or_announce(obj, at=clock.now(), by=request.user)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {**rounds.suggest_round(clock.now()), **super().get_changeform_initial_data(request)}

    def get_fieldsets(self, request: HttpRequest, obj: Round | None = None) -> list[Any]:
        """Leave out the track if the site has only one."""
        several = Track.objects.several()
        facts = [name for name in RoundForm.Meta.fields if several or name != "track"]
        return [
            (None, {"fields": facts}),
            (_("Settings"), {"fields": SETTINGS, "classes": ["collapse"]}),
            (_("For programs"), {"fields": ["rules"], "classes": ["collapse"]}),
        ]

    def get_form(
        self,
        request: HttpRequest,
        obj: Round | None = None,
        change: bool = False,  # noqa: FBT002 - Django's signature
        **kwargs: Any,
    ) -> type["ModelForm[Round]"]:
        form = super().get_form(request, obj, change, **kwargs)
        form.by = request.user  # type: ignore[attr-defined]  # the class is created for this request
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: Round | None = None) -> list[str]:
        """Return the fields that can no longer change; only for `announced_at` does no other check refuse a change.

        A user who may not edit the levels has no form that checks them, and so announces nothing here.
        """
        at = clock.now()
        if obj is None or obj.pk is None or not rounds.is_announced(obj, at):
            level = LevelInline(Round, self.admin_site)
            may_edit = level.has_change_permission(request, obj) if obj else level.has_add_permission(request)
            return [] if may_edit else ["announced_at"]
        opened = ["opens_at", "closes_at"] if rounds.is_past_opening(obj, at) else []
        return ["number", "track", "announced_at", *opened]

    def has_delete_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        """Allow only drafts to be deleted; the number of a public round is never used again (rule 2.1)."""
        is_draft = obj is not None and not rounds.is_announced(obj, clock.now())
        return is_draft and super().has_delete_permission(request, obj)

    def save_formset(
        self, request: HttpRequest, form: "ModelForm[Round]", formset: "BaseInlineFormSet[Any, Any, Any]", change: bool
    ) -> None:
        if formset.has_changed() and rounds.is_frozen(form.instance, clock.now()):
            raise PermissionDenied  # it has opened while the form was checked or waited for a lock
        super().save_formset(request, form, formset, change)
        if form.instance.announced_at and ("announced_at" in form.changed_data or formset.has_changed()):
            testers.bind(form.instance, at=clock.now())
        for level_form in formset.forms:
            if isinstance(level_form, LevelForm) and level_form.passed and level_form.has_changed():
                for warning in level_form.passed.warnings:
                    messages.warning(request, f"{level_form.instance.get_slot_display()}: {warning}")


@admin.register(Track)
class TrackAdmin(ListedFilters):
    """Tracks cannot be deleted: rounds, archives and URLs name them (rule 2.11). The main one stays first."""

    list_display = ["slug", "title_zh", "title_en", "order", "is_rated"]
    form = TrackForm
    change_form_template = "admin/contest/acts_change_form.html"

    def get_fields(self, request: HttpRequest, obj: Track | None = None) -> list[Any]:
        return ["slug", *TrackForm(instance=obj).fields]

    def get_readonly_fields(self, request: HttpRequest, obj: Track | None = None) -> list[str]:
        return ["slug"] if obj else []

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        track = self.get_object(request, unquote(object_id))
        context = {**(extra_context or {}), "desk": track and reverse("desk-track", args=[track.slug])}
        return super().change_view(request, object_id, form_url, context)

    def has_delete_permission(self, request: HttpRequest, obj: Track | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Track, form: "ModelForm[Track]", change: bool) -> None:
        tracks.save(obj, by=request.user)
