"""Forms of the desk that are sent twice, as by a double click, or whose name or row another request has just taken."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, models, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from contest.models import AuditEntry
from contest.staff.audit_log import target_name

SENT_AGAIN = timedelta(minutes=1)
_MOST_COMPARED = 20

M = TypeVar("M", bound=models.Model)
View = Callable[..., HttpResponseBase]


def call_again(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    """Call *view*, and once more if the database refuses a row, or another request has just deleted it: the form's own
    checks then find the other one, or no row.
    """
    try:
        return view(request, *args, **kwargs)
    except (IntegrityError, ObjectDoesNotExist):
        for name in request.FILES:
            for file in request.FILES.getlist(name):
                file.seek(0)
        return view(request, *args, **kwargs)


@transaction.atomic
def find_twin(like: M, names: Collection[str], act: str, *, by: User, at: datetime) -> M | None:
    """Return the row that *by* created by *act* within the last minute, with the values of *names* in *like*.

    Call it in the transaction that creates the row: it locks the organiser, so that of two requests at once the second
    finds the row of the first.
    """
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    recent = AuditEntry.objects.filter(actor=by, act=act, at__gt=at - SENT_AGAIN).order_by("-at", "-pk")
    targets = set(recent.values_list("target", flat=True)[:_MOST_COMPARED])
    newest = type(like)._default_manager.order_by("-pk")[:_MOST_COMPARED] if targets else ()
    wanted = [getattr(like, name) for name in names]
    twins = (row for row in newest if row.pk != like.pk and target_name(row) in targets)
    return next((row for row in twins if [getattr(row, name) for name in names] == wanted), None)
