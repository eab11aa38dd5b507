"""Acts that wait for a second organiser, on the desk: reviewed in the current state, confirmed or sent back."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.desk import actions
from contest.desk.access import StaffRequest, staff
from contest.desk.people.requests import find_about, kind_of
from contest.desk.rounds import RULING
from contest.infra import clock
from contest.models import SecondLook
from contest.organising import impact, second_looks
from contest.organising.acts import Act, ActForm
from contest.staff.track_owners import OWN
from contest.wording import notes


@staff(*RULING, "change_submission", "change_player", OWN, fresh=True)
@require_http_methods(["GET", "POST"])
def second_look_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show a requested act: the first POST previews its effects, the second does it. The requester may withdraw it.

    If it was sent back, show the requester the reason.
    """
    at = clock.now()
    rows = SecondLook.objects.select_related(*second_looks.RELATED)
    answered = SecondLook.objects.sent_back_to(request.user).values("pk")
    second_look = get_object_or_404(rows.filter(Q(ended_at=None) | Q(pk__in=answered)), pk=pk)
    kind, about = kind_of(second_look), find_about(second_look)
    act = kind.acts.get(second_look.act)
    if act is None or not (second_look.ended_at or second_looks.may_decide(request.user, second_look)):
        raise Http404
    form = act.form(second_look.given, about=about, label_suffix="")
    is_right = form.is_valid()
    wrong = [] if is_right or second_look.ended_at else [_("The entered values are no longer valid; send it back.")]
    expected: impact.Consequences | None = None
    if request.method == "POST":
        try:
            back = "desk" if second_look.ended_at else kind.back(about)
            if answer := _decide(request, second_look, act, about, form, at, back):
                return answer
            if is_right:
                expected = actions.preview(request, kind, act, about, form.cleaned_data, at)
        except ValidationError as error:
            wrong = error.messages
    context = {
        "asked": second_look,
        "about": second_looks.name_about(second_look) if second_look.about else about,
        "back": kind.back(about),
        "act": act,
        "filled": [(field.label, _in_words(form.cleaned_data.get(field.name))) for field in form],
        "wrong": wrong,
        "is_own": second_look.asked_by_id == request.user.pk,
        "expected": expected,
        "reason": form.cleaned_data.get("reason") if expected else None,
        "told": [(note.round, notes.note(note).what) for note in expected.notes] if expected else [],
        "undoing": actions.UNDOING.get(act.name, ""),
        "most": actions.MOST_CHANGES,
        "answer": request.POST.get("answer", ""),
    }
    return render(request, "contest/desk/people/second_look.html", context, status=422 if wrong else 200)


def _in_words(value: Any) -> Any:
    return (_("yes") if value else _("no")) if isinstance(value, bool) else value


def _decide(
    request: StaffRequest, second_look: SecondLook, act: Act, about: Any, form: ActForm, at: datetime, back: str
) -> HttpResponse | None:
    """Apply the pressed button; return the response if this decides the request."""
    do = request.POST.get("do")
    if second_look.ended_at:
        second_looks.mark_seen(second_look, at)
        return redirect(back)
    if do == "send-back":
        second_looks.send_back(second_look, request.POST.get("answer", ""), at=at, by=request.user)
        messages.success(request, _("Sent back: %(act)s") % {"act": act.title})
        return redirect(back)
    if do == "confirm" and form.is_valid():
        outcome = second_looks.confirm(second_look, act, about, form.cleaned_data, at=at, by=request.user)
        return actions.answer(request, f"{about}: {act.title}", outcome, back)
    return None
