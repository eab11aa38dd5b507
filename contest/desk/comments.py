"""Players' comments: list the reported and the latest, hide them with a reason, restore them (rule 27.4)."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from contest.desk.access import StaffRequest, staff
from contest.infra import clock
from contest.models import Comment, CommentReport
from contest.outreach.community import comments

PER_PAGE = 30
MOST_WAITING = 50
MOST_REPORTS = 10  # of one comment
ACTS: dict[str, tuple[Callable[..., None], Promise]] = {
    "hide": (comments.hide, _("The comment is hidden.")),
    "restore": (comments.restore, _("The comment is shown again.")),
    "leave": (comments.dismiss_reports, _("The comment stays as it is.")),
}


@staff("view_namereport")
@require_safe
def all_comments(request: StaffRequest) -> HttpResponse:
    """List reported comments, the longest waiting first, and all comments, newest first."""
    page = Paginator(comments.list_latest(), PER_PAGE).get_page(request.GET.get("page"))
    open_reports = CommentReport.objects.filter(decided_at=None)[:MOST_REPORTS]
    waiting = comments.list_reported().prefetch_related(Prefetch("reports", open_reports, to_attr="open_reports"))[
        :MOST_WAITING
    ]
    return render(request, "contest/desk/home/comments.html", {"waiting": waiting, "chosen": page})


@staff("change_namereport")
@require_POST
def act(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    if name not in ACTS:
        raise Http404
    comment = get_object_or_404(Comment, pk=pk, deleted_at=None)
    do, message = ACTS[name]
    try:
        do(comment, request.user, reason=request.POST.get("reason", ""), at=clock.now())
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, str(message))
    return redirect("desk-comments")
