"""Queueing of levels: the form, which remembers the last choice, and messages about the result."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contest.desk.access import StaffRequest
from contest.desk.forms import QueueForm, QueueManyForm
from contest.infra import clock
from contest.library.standing import QueueingOutcome
from contest.models import Series
from contest.staff import track_owners

_SESSION_KEY = "queue"  # in the session
_MAY = ("change_librarylevel", "change_series")


def may_queue(request: StaffRequest) -> bool:
    return any(track_owners.may(request.user, permission) for permission in _MAY)


def _fillable_series(request: StaffRequest) -> QuerySet[Series]:
    """Return the running series that have queues the user may fill."""
    return track_owners.filter_rows(request.user, Series.objects.filter(is_running=True), *_MAY)


def queue_form(request: StaffRequest, kind: type[QueueForm] = QueueManyForm) -> QueueForm | None:
    """Return a form preset with the series and slot from the query string, else with the last choice.

    None if there is no series or the user may not queue. One query.
    """
    running = [(series.pk, str(series)) for series in _fillable_series(request)] if may_queue(request) else []
    if not running:
        return None
    known: dict[str, Any] = request.session.get(_SESSION_KEY, {})
    named = {name: request.GET[name] for name in ("series", "slot") if request.GET.get(name)}
    made = kind(initial={**known, **named})
    made.fields["series"].choices = running  # type: ignore[attr-defined]  # it is a ModelChoiceField
    return made


def read_choice(request: StaffRequest, kind: type[QueueForm] = QueueManyForm) -> Any:
    """Return the submitted form and remember its choice. Raise ValidationError if it names no queue."""
    sent = kind(request.POST)
    sent.fields["series"].queryset = _fillable_series(request)  # type: ignore[attr-defined]  # it is a ModelChoiceField
    if not sent.is_valid():
        raise ValidationError(_("Choose a series and a slot."))
    request.session[_SESSION_KEY] = {"series": sent.cleaned_data["series"].pk, "slot": sent.cleaned_data["slot"]}
    return sent


def report_outcome(request: StaffRequest, series: Series, done: QueueingOutcome) -> None:
    """Report how many levels were queued, how many were left out, and why."""
    count, left_out = done.count, done.left_out
    if report := done.report(request.user, clock.now()):
        messages.warning(request, report)
    if count:
        message = ngettext(
            "%(count)s level was added to the queue of %(series)s.",
            "%(count)s levels were added to the queue of %(series)s.",
            count,
        )
        messages.success(request, message % {"count": count, "series": series})
    if left_out:
        message = ngettext(
            "%(count)s level was skipped: it is not ready, or is already in a queue.",
            "%(count)s levels were skipped: they are not ready, or are already in a queue.",
            left_out,
        )
        messages.warning(request, message % {"count": left_out})
