"""Public collections: published from an imported one, edited, withdrawn."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from contest import visibility
from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.desk.levels import queueing
from contest.desk.levels.collections import AT_ONCE
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import collection_import, publishing, shelf
from contest.library import queueing as queues
from contest.models import CollectedLevel, Collection, IntakeLevel
from contest.rendering.boards import drawing

_MAY = "change_librarylevel"
PER_PAGE = 40


class CollectionForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The public description of a collection, and the permission to publish it."""

    class Meta:
        model = Collection
        fields = ("title_zh", "title_en", "slug", "author", "remarks", "licence", "may_download", "rights")

    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        if self.instance.pk:
            del self.fields["slug"]


class PublishForm(CollectionForm):
    is_allowed = forms.BooleanField(
        label=_("The author or rights holder allows this site to publish these levels"),
        error_messages={"required": _("Levels may be published only with permission. Tick this once you have it.")},
    )


@staff(_MAY)
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: StaffRequest, pk: int) -> HttpResponse:
    """Publish an imported collection."""
    intake = get_object_or_404(visibility.intakes(request.user).defer("data"), pk=pk)
    name = intake.name.rsplit(".", 1)[0]
    form = PublishForm(request.POST or None, initial={"title_en": name, "slug": slugify(name)[:60]})
    playable = IntakeLevel.objects.filter(intake=intake, standing__in=publishing.PLAYABLE).count()
    if form.is_bound and form.is_valid():
        try:
            collection = publishing.publish_intake(form.instance, intake, at=clock.now(), by=request.user)
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            if playable > AT_ONCE:
                waking.wake_intakes()
                return redirect("desk-intake", pk=intake.pk)
            collection_import.work_on(intake)
            messages.success(request, gettext("Published: everybody may play it now."))
            return redirect("desk-collection", pk=collection.pk)
    context = {"form": form, "intake": intake, "playable": playable}
    return render(request, "contest/desk/levels/publish_collection.html", context, status=422 if form.errors else 200)


@staff(_MAY)
@require_safe
def collections(request: StaffRequest) -> HttpResponse:
    return render(request, "contest/desk/levels/collections.html", {"listed": Collection.objects.all()})


@staff(_MAY)
@require_http_methods(["GET", "HEAD", "POST"])
def collection_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Edit, withdraw or restore a collection; queue its levels for a series."""
    collection = get_object_or_404(publishing.whole() if request.method == "POST" else Collection, pk=pk)
    do = request.POST.get("do")
    if do == "withdraw":
        publishing.withdraw(collection, at=clock.now(), by=request.user)
        return redirect("desk-collection", pk=pk)
    if do == "show":
        publishing.show_again(collection, by=request.user)
        return redirect("desk-collection", pk=pk)
    if do in ("queue", "queue-all"):
        return _queue(request, collection)
    form = CollectionForm(request.POST or None, instance=collection)
    if form.is_bound and form.is_valid():
        publishing.change(form.instance, by=request.user)
        messages.success(request, gettext("Saved."))
        return redirect("desk-collection", pk=pk)
    page = Paginator(CollectedLevel.objects.filter(collection=collection), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "collection": collection,
        "chosen": page,
        "shown": [(level, drawing(level.board)) for level in page],
        "matches": page.paginator.count,
        "queue": queueing.queue_form(request),
    }
    return render(request, "contest/desk/levels/collection.html", context, status=422 if form.errors else 200)


def _queue(request: StaffRequest, collection: Collection) -> HttpResponse:
    """Queue the ticked levels, or all, in the order of the collection."""
    wanted = CollectedLevel.objects.filter(collection=collection).order_by("place")
    if request.POST.get("do") == "queue":
        places = [whole_number(place) for place in request.POST.getlist("place")[:PER_PAGE]]
        wanted = wanted.filter(place__in=[place for place in places if place is not None])
    try:
        queue = queueing.read_choice(request)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(request.get_full_path())
    levels, series = list(wanted[: shelf.MOST_AT_ONCE]), queue.cleaned_data["series"]
    done = queues.enqueue_public(levels, series, queue.slots, at=clock.now(), by=request.user)
    if not levels:
        messages.warning(request, gettext("Tick the levels first."))
    queueing.report_outcome(request, series, done)
    return redirect(request.get_full_path())
