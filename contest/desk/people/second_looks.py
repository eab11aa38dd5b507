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
def second_look_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show a requested act: the first POST previews its effects, the second does it. The requester may withdraw it."""
    at = clock.now()
    waiting = SecondLook.objects.waiting().select_related("round", "asked_by")
    second_look = get_object_or_404(track_owners.filter_rows(request.user, waiting, *RULING, by="round__track"), pk=pk)
    act = ACTS_ON_ROUNDS.acts.get(second_look.act)
    if act is None or not may_do(request.user, act, second_look.round):
        raise Http404
    form = act.form(second_look.given, about=second_look.round, label_suffix="")
    is_right = form.is_valid()
    wrong = [] if is_right else [_("The entered values are no longer valid; send it back.")]
    expected: impact.Consequences | None = None
    if request.method == "POST":
        try:
            if _decide(request, second_look, act, form, at):
                return redirect("desk-round", second_look.round)
            if is_right:
                expected = impact.preview_act(
                    lambda: act.run(second_look.round, form.cleaned_data, at, request.user), [second_look.round], at
                )
        except ValidationError as error:
            wrong = error.messages
    context = {
        "asked": second_look,
        "round": second_look.round,
        "act": act,
        "filled": [(field.label, form.cleaned_data.get(field.name)) for field in form],
        "wrong": wrong,
        "is_own": second_look.asked_by_id == request.user.pk,
        "expected": expected,
        "reason": form.cleaned_data.get("reason") if expected else None,
        "told": [(note.round, notes.note(note).what) for note in expected.notes] if expected else [],
        "undoing": actions.UNDOING.get(act.name, ""),
        "most": actions.MOST_CHANGES,
    }
    return render(request, "contest/desk/people/second_look.html", context, status=422 if wrong else 200)


def _decide(request: StaffRequest, second_look: SecondLook, act: Act, form: ActForm, at: datetime) -> bool:
    """Apply the pressed button; return True if this decides the request."""
    if request.POST.get("do") == "send-back":
        second_looks.send_back(second_look, at=at, by=request.user)
        messages.success(request, _("Sent back: %(act)s") % {"act": act.title})
        return True
    if request.POST.get("do") == "confirm" and form.is_valid():
        second_looks.confirm(second_look, act, form.cleaned_data, at=at, by=request.user)
        messages.success(request, f"{second_look.round}: {act.title}")
        return True
    return False
