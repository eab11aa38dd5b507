"""The list of all levels that anybody may play at any time, and that of proved optima."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest import visibility
from contest.archive.format import as_csv
from contest.infra import clock
from contest.levels import catalogue, daily, listing, optima
from contest.levels.catalogue import Selection
from contest.models import CollectedLevel, Collection
from contest.web.pages.tiles import Tile, TileList
from contest.web.shell.forms import LongSelect
from contest.web.shell.request import Request

PER_PAGE = 40
OPTIMA_PER_PAGE = 100
MOST_BOXES = 10_000
SHOWN = [
    (catalogue.ALL, pgettext_lazy("levels", "All")),
    (catalogue.NEW, _("New to me")),
    (catalogue.SOLVED, pgettext_lazy("levels", "Solved")),
    (catalogue.BETTER, _("Could be better")),
    (catalogue.STARRED, _("Followed")),
]
SIZES = [("", pgettext_lazy("sizes", "any")), *((str(side), f"≤ {side} × {side}") for side in (8, 10, 14, 20, 30))]
ORDERS = [
    ("newest", _("Newest first")),
    ("easiest", _("Easiest first")),
    ("hardest", _("Hardest first")),
    ("boxes", _("Fewest boxes first")),
    ("size", _("Smallest first")),
    ("most", _("Most solved first")),
    ("least", _("Least solved first")),
    ("best", _("Fewest moves known first")),
    ("optimum", _("Fewest proved pushes first")),
    ("author", _("By author")),
    ("beautiful", _("Most beautiful first")),
    ("hard", _("Hardest by votes first")),
    ("new", _("Newest idea first")),
]
KINDS = [
    ("", _("All levels")),
    ("rounds", _("Levels of past rounds")),
    ("collections", _("Levels of collections")),
]


_IN_ORDER = ("q", "boxes_from", "boxes_to", "size", "grade", "kind", "collection", "by", "proved")


class LevelsForm(forms.Form):
    """The filters and the order of the list, all optional."""

    q = forms.CharField(label=_("Title or author"), max_length=100, widget=forms.TextInput({"type": "search"}))
    boxes_from = forms.IntegerField(label=_("Boxes from"), min_value=0, max_value=MOST_BOXES)
    boxes_to = forms.IntegerField(label=_("Boxes up to"), min_value=0, max_value=MOST_BOXES)
    size = forms.ChoiceField(label=_("Size"), choices=SIZES, widget=LongSelect)
    grade = forms.TypedChoiceField(
        label=_("Difficulty"),
        choices=[("", pgettext_lazy("sizes", "any")), *CollectedLevel.Grade.choices],
        coerce=int,
        empty_value=None,
        widget=LongSelect,
    )
    kind = forms.ChoiceField(label=_("From"), choices=KINDS, widget=LongSelect)
    by = forms.ChoiceField(label=_("Order"), choices=ORDERS, widget=LongSelect)
    proved = forms.BooleanField(label=_("Optimum proved"))
    author = forms.CharField(max_length=200, widget=forms.HiddenInput)
    show = forms.ChoiceField(choices=SHOWN, widget=forms.HiddenInput)

    use_required_attribute = False

    def __init__(self, collections: Iterable[Collection], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = ((collection.slug, str(collection)) for collection in collections)
        self.fields["collection"] = forms.ChoiceField(
            label=_("Collection"), choices=[("", pgettext_lazy("collections", "any")), *named], widget=LongSelect
        )
        self.order_fields(_IN_ORDER)
        for field in self.fields.values():
            field.required = False

    def clean(self) -> None:
        least, most = self.cleaned_data.get("boxes_from"), self.cleaned_data.get("boxes_to")
        if least is not None and most is not None and least > most:
            self.add_error("boxes_to", _("Fewer boxes than “from”: no level can have that many."))

    def bounds(self) -> Selection:
        """Return the selection from the valid fields; invalid ones are ignored."""
        given = self.cleaned_data
        return Selection(
            show=given.get("show") or catalogue.ALL,
            boxes_from=given.get("boxes_from"),
            boxes_to=given.get("boxes_to"),
            longest=int(given["size"]) if given.get("size") else None,
            text=given.get("q") or "",
            by=given.get("by") or "newest",
            kind=given.get("kind") or "",
            collection=given.get("collection") or "",
            grade=given.get("grade"),
            author=given.get("author") or "",
            is_proved=bool(given.get("proved")),
        )


@require_safe
def levels_page(request: Request) -> HttpResponse:
    at = clock.now()
    published = list(visibility.collections(request.viewer, at))
    form = LevelsForm(published, request.GET)
    is_valid = form.is_valid()
    wanted = form.bounds()
    tile_list = TileList(request.viewer, at, wanted, published)
    listed: Paginator[Tile] = Paginator(tile_list, PER_PAGE)  # type: ignore[arg-type]  # slices alone
    progress = listing.progress_in(request.viewer, at, wanted, published)
    if progress and (known := progress.count(wanted.show)) is not None:
        listed.count = known
    chosen = listed.get_page(request.GET.get("page"))
    context = {
        "form": form,
        "fields": form.visible_fields(),
        "shown": [(value, label, value == wanted.show) for value, label in SHOWN],
        "is_filtered": wanted != Selection(),
        "lacks_names": bool(form["show"].value()) and not request.viewer.players,
        "leaves_out": wanted.by in listing.OF_SOME,
        "wanted": wanted,
        "chosen": chosen,
        "own": progress,
        "collections": len(published),
        "tiles": chosen.object_list,
        "daily": daily.of_day(at) if wanted == Selection() and chosen.number == 1 else None,
    }
    return render(request, "contest/level/levels.html", context, status=200 if is_valid else 422)


@require_safe
def optima_page(request: Request) -> HttpResponse:
    chosen = Paginator(optima.find(clock.now()), OPTIMA_PER_PAGE).get_page(request.GET.get("page"))
    published = visibility.collections(request.viewer, clock.now()).count()
    return render(request, "contest/level/optima.html", {"chosen": chosen, "collections": published})


@require_safe
def optima_csv(_request: Request) -> HttpResponse:
    table = as_csv(optima.FIELDS, optima.as_rows(optima.find(clock.now())))
    return HttpResponse(table, content_type="text/csv; charset=utf-8")
