"""Acts that wait for a second organiser, on the desk: reviewed in the current state, confirmed or sent back."""

from datetime import datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.desk import actions
from contest.desk.access import StaffRequest, staff
from contest.desk.rounds import ACTS_ON_ROUNDS, RULING, may_do
from contest.infra import clock
from contest.models import SecondLook
from contest.organising import impact, second_looks
from contest.organising.acts import Act, ActForm
from contest.staff import track_owners
from contest.staff.track_owners import OWN
from contest.wording import notes


@staff(*RULING, OWN, fresh=True)
@require_http_methods(["GET", "POST"])
def one(request: StaffRequest, pk: int) -> HttpResponse:
    """Show a requested act: the first POST previews its effects, the second does it. The requester may withdraw it."""
    at = clock.now()
    waiting = SecondLook.objects.waiting().select_related("round", "asked_by")
    asked = get_object_or_404(track_owners.within(request.user, waiting, *RULING, by="round__track"), pk=pk)
    act = ACTS_ON_ROUNDS.acts.get(asked.act)
    if act is None or not may_do(request.user, act, asked.round):
        raise Http404
    form = act.form(asked.given, about=asked.round, label_suffix="")
    is_right = form.is_valid()
    wrong = [] if is_right else [_("What was filled in no longer holds; send it back.")]
    expected: impact.Consequences | None = None
    if request.method == "POST":
        try:
            if _decide(request, asked, act, form, at):
                return redirect("desk-round", asked.round)
            if is_right:
                expected = impact.of(
                    lambda: act.run(asked.round, form.cleaned_data, at, request.user), [asked.round], at
                )
        except ValidationError as error:
            wrong = error.messages
    words = {
        "asked": asked,
        "round": asked.round,
        "act": act,
        "filled": [(field.label, form.cleaned_data.get(field.name)) for field in form],
        "wrong": wrong,
        "is_own": asked.asked_by_id == request.user.pk,
        "expected": expected,
        "reason": form.cleaned_data.get("reason") if expected else None,
        "told": [(note.round, notes.note(note).what) for note in expected.notes] if expected else [],
        "undoing": actions.UNDOING.get(act.name, ""),
        "most": actions.MOST_CHANGES,
    }
    return render(request, "contest/desk/people/second_look.html", words, status=422 if wrong else 200)


def _decide(request: StaffRequest, asked: SecondLook, act: Act, form: ActForm, at: datetime) -> bool:
    """Apply the pressed button; return True if this decides the request."""
    if request.POST.get("do") == "send-back":
        second_looks.send_back(asked, at=at, by=request.user)
        messages.success(request, _("Sent back: %(act)s") % {"act": act.title})
        return True
    if request.POST.get("do") == "confirm" and form.is_valid():
        second_looks.confirm(asked, act, form.cleaned_data, at=at, by=request.user)
        messages.success(request, f"{asked.round}: {act.title}")
        return True
    return False
