"""The page of all levels that anybody may play, on any day."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest.infra import clock
from contest.levels import catalogue, daily
from contest.levels.catalogue import Wanted
from contest.stats import records
from contest.stats.records import LevelRecords
from contest.web.pages.views import Request

PER_PAGE = 40
MOST_BOXES = 10_000
SHOWN = [
    (catalogue.ALL, pgettext_lazy("levels", "All")),
    (catalogue.NEW, _("New to me")),
    (catalogue.SOLVED, pgettext_lazy("levels", "Solved")),
    (catalogue.BETTER, _("Could be better")),
]
SIZES = [("", pgettext_lazy("sizes", "any")), *((str(side), f"≤ {side} × {side}") for side in (8, 10, 14, 20, 30))]
ORDERS = [
    ("newest", _("Newest first")),
    ("boxes", _("Fewest boxes first")),
    ("size", _("Smallest first")),
    ("most", _("Most solved first")),
    ("least", _("Least solved first")),
]


class LevelsForm(forms.Form):
    """What of the list is asked for: everything may be left out."""

    q = forms.CharField(label=_("Title or author"), max_length=100, widget=forms.TextInput({"type": "search"}))
    boxes_from = forms.IntegerField(label=_("Boxes from"), min_value=0, max_value=MOST_BOXES)
    boxes_to = forms.IntegerField(label=_("Boxes up to"), min_value=0, max_value=MOST_BOXES)
    size = forms.ChoiceField(label=_("Size"), choices=SIZES)
    by = forms.ChoiceField(label=_("Order"), choices=ORDERS)
    show = forms.ChoiceField(choices=SHOWN, widget=forms.HiddenInput)

    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.required = False

    def clean(self) -> None:
        least, most = self.cleaned_data.get("boxes_from"), self.cleaned_data.get("boxes_to")
        if least is not None and most is not None and least > most:
            self.add_error("boxes_to", _("Fewer boxes than “from”: no level can have that many."))

    def wanted(self) -> Wanted:
        """What is asked for, without what is wrong."""
        given = self.cleaned_data
        return Wanted(
            show=given.get("show") or catalogue.ALL,
            boxes_from=given.get("boxes_from"),
            boxes_to=given.get("boxes_to"),
            longest=int(given["size"]) if given.get("size") else None,
            text=given.get("q") or "",
            by=given.get("by") or "newest",
        )


@dataclass(frozen=True)
class Tile:
    """A level with its records, and how far the reader's own players are with it."""

    level: Any  # with what `catalogue.levels` adds
    records: LevelRecords

    @property
    def is_solved(self) -> bool:
        return self.level.own_moves is not None

    @property
    def is_best(self) -> bool:
        """Whether nobody needs fewer moves, or nobody fewer pushes, than the reader's own players."""
        by_moves, by_pushes = self.records.by_moves, self.records.by_pushes
        return self.is_solved and bool(
            (by_moves and self.level.own_moves <= by_moves.moves)
            or (by_pushes and self.level.own_pushes <= by_pushes.pushes)
        )


@require_safe
def levels_page(request: Request) -> HttpResponse:
    at = clock.now()
    form = LevelsForm(request.GET)
    is_right = form.is_valid()
    wanted = form.wanted()
    listed = catalogue.levels(request.viewer, at, wanted)
    chosen = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    words = {
        "form": form,
        "fields": form.visible_fields(),
        "shown": [(value, label, value == wanted.show) for value, label in SHOWN],
        "is_filtered": wanted != Wanted(),
        "chosen": chosen,
        "tiles": [Tile(one.level, one) for one in records.of_levels(chosen.object_list)],
        "daily": daily.of_day(at),
    }
    return render(request, "contest/levels.html", words, status=200 if is_right else 422)
