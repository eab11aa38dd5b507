"""Series of posts on the desk: create, rename, list the parts in order."""

import copy

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.desk.writing.forms import PostSeriesForm
from contest.infra import clock
from contest.models import PostSeries
from contest.staff import audit_log


@staff("view_post")
@require_http_methods(["GET", "POST"])
def all_series(request: StaffRequest) -> HttpResponse:
    """List all series of posts, with a form to create one."""
    form = PostSeriesForm(request.POST or None)
    if form.is_bound and not request.user.has_perm("contest.change_post"):
        raise Http404
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            made = form.save()
            audit_log.record(request.user, "make series of posts", made, after=form.cleaned_data)
        messages.success(request, _("To add a post to the series, edit the post."))
        return redirect("desk-one-post-series", made.pk)
    context = {"form": form, "listed": PostSeries.objects.annotate(parts=Count("posts")).order_by("-pk")}
    return render(request, "contest/desk/writing/all_post_series.html", context, status=422 if form.errors else 200)


@staff("change_post")
@require_http_methods(["GET", "POST"])
def series_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Edit the titles of a series, and list its parts in order, drafts included."""
    series = get_object_or_404(PostSeries, pk=pk)
    stored = copy.copy(series)
    form = PostSeriesForm(request.POST or None, instance=series)
    if form.is_bound and form.is_valid():
        before = {name: getattr(stored, name) for name in form.changed_data}
        after = {name: form.cleaned_data[name] for name in form.changed_data}
        with transaction.atomic():
            form.save()
            audit_log.record(request.user, "change series of posts", series, before=before, after=after)
        messages.success(request, _("Saved."))
        return redirect("desk-one-post-series", pk)
    parts = stored.posts.defer("html_zh", "html_en").in_series()
    context = {"form": form, "series": stored, "parts": parts, "at": clock.now()}
    return render(request, "contest/desk/writing/post_series.html", context, status=422 if form.errors else 200)
