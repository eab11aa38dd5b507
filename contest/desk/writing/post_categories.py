"""Categories of posts on the desk: rename them. Typing a category at a post creates it."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.desk.writing.forms import PostCategoryForm
from contest.infra.integers import whole_number
from contest.models import PostCategory
from contest.staff import audit_log


@staff("view_post")
@require_http_methods(["GET", "POST"])
def all_categories(request: StaffRequest) -> HttpResponse:
    """List the categories with the number of their posts, drafts included, each with a form for its names."""
    listed = PostCategory.objects.annotate(post_count=Count("posts"))
    sent: PostCategoryForm | None = None
    if request.method == "POST":
        if not request.user.has_perm("contest.change_post"):
            raise Http404
        category = get_object_or_404(listed, pk=whole_number(request.POST.get("category", "")) or 0)
        sent = PostCategoryForm(request.POST, instance=category, prefix=str(category.pk))
        if _rename(request, sent):
            messages.success(request, _("Saved."))
            return redirect("desk-post-categories")
    forms = [
        sent
        if sent and sent.instance.pk == category.pk
        else PostCategoryForm(instance=category, prefix=str(category.pk))
        for category in listed
    ]
    return render(request, "contest/desk/writing/post_categories.html", {"forms": forms}, status=422 if sent else 200)


def _rename(request: StaffRequest, form: PostCategoryForm) -> bool:
    if not form.is_valid():
        return False
    with transaction.atomic():
        stored: Any = PostCategory.objects.select_for_update().get(pk=form.instance.pk)
        form.save()
        before, after = ({"names": category.typed} for category in (stored, form.instance))
        audit_log.record(request.user, "rename category of posts", form.instance, before=before, after=after)
    return True
