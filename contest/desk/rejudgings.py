"""Rejudgings on the desk (rule 6.13): compute in slices, review, have a worker apply them, or cancel as a whole."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from contest.admin.players import WhyForm
from contest.desk import actions
from contest.desk.access import StaffRequest, staff
from contest.infra.integers import whole_number
from contest.judging import rejudge
from contest.models import LongAct, Rejudging, Round, Slot, Verdict
from contest.models.submission import SCORED
from contest.organising.acts import Act, waits_for_two

PER_PAGE = 50
# Maximum time that a request spends judging before it responds.
SLICE_SECONDS = 5.0


class StartForm(forms.Form):
    """The name of a rejudging, and the submissions it covers."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    round = forms.ModelChoiceField(
        Round.objects.all(), label=gettext_lazy("Round"), required=False, empty_label=gettext_lazy("all rounds")
    )
    slot = forms.ChoiceField(
        label=gettext_lazy("Slot"),
        required=False,
        choices=[("", gettext_lazy("all levels")), *Slot.choices],
        help_text=gettext_lazy("With a slot, only submissions judged for it. Rejected submissions have no slot."),
    )


def _apply(rejudging: Rejudging, given: dict[str, Any], _at: Any, by: Any) -> LongAct:
    try:
        if rejudge.left(rejudging):
            raise rejudge.NotApplied(_("Some submissions have not been judged again yet. Continue first."))
        return rejudge.apply(rejudging, by, given["reason"])
    except rejudge.NotApplied as reason:
        raise ValidationError(str(reason)) from None


_REJUDGE = Act(
    "rejudge",
    gettext_lazy("Apply all changes"),
    _apply,
    lambda rejudging, _at: not (rejudging.applied_at or rejudging.acts.unended().exists()),
    WhyForm,
    takes_two=True,
    is_long=True,
)
ACTS_ON_REJUDGINGS = actions.Kind(
    {_REJUDGE.name: _REJUDGE},
    lambda rejudging: Round.objects.filter(pk__in=_changed_rows(rejudging).values("submission__round")),
    lambda rejudging: reverse("desk-rejudging", args=[rejudging.pk]),
)


@staff("change_submission")
@require_http_methods(["GET", "POST"])
def all_rejudgings(request: StaffRequest) -> HttpResponse:
    """List all rejudgings, with a form to start one."""
    asked = Round.objects.filter(number=whole_number(request.GET.get("round", "")) or 0).first()
    form = StartForm(request.POST or None, initial={"round": asked, "name": str(asked or "")}, label_suffix="")
    if form.is_bound and form.is_valid():
        round_, slot = form.cleaned_data["round"], form.cleaned_data["slot"]
        chosen = {"round": round_.number} if round_ else {}
        try:
            chosen |= {"slot": slot} if slot else {}
            rejudging = rejudge.start(form.cleaned_data["name"], chosen, request.user)
        except rejudge.NotApplied as reason:
            form.add_error("name", str(reason))
        else:
            rejudge.compute_for(rejudging, SLICE_SECONDS)
            return redirect("desk-rejudging", rejudging.pk)
    page = Paginator(Rejudging.objects.all(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "chosen": page}
    return render(request, "contest/desk/rounds/rejudgings.html", context, status=422 if form.errors else 200)


@staff("change_submission")
@require_http_methods(["GET", "POST"])
def rejudging_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show what would change; a POST judges the next slice."""
    rejudging = get_object_or_404(Rejudging, pk=pk)
    if request.method == "POST":
        if not rejudging.applied_at:
            rejudge.compute_for(rejudging, SLICE_SECONDS)
        messages.info(request, _("More submissions were judged; the possible changes are below."))
        return redirect("desk-rejudging", pk)
    return render(request, "contest/desk/rounds/rejudging.html", _describe(rejudging))


def _describe(rejudging: Rejudging) -> dict[str, Any]:
    left, preview, trouble = rejudge.left(rejudging), None, ""
    running = rejudging.acts.unended().first()
    if not (rejudging.applied_at or left or running):
        try:
            preview = rejudge.preview(rejudging)
        except rejudge.NotApplied as reason:
            trouble = str(reason)
    changed = preview.changed if preview else list(_changed_rows(rejudging))
    return {
        "made": rejudging,
        "form": actions.build_form(None, _REJUDGE, rejudging),
        "takes_two": waits_for_two(_REJUDGE),
        "left": left,
        "pruned": rejudge.pruned_count(rejudging),
        "running": running,
        "is_open": not (rejudging.applied_at or running),
        "is_unfinished": bool(left) and not rejudging.applied_at,
        "done": rejudging.rows.count(),
        "changed": [(row.submission, _verdict(row.before), _verdict(row.after)) for row in changed[:PER_PAGE]],
        "changed_count": len(changed),
        "moves": preview.moves[:PER_PAGE] if preview else [],
        "trouble": trouble,
    }


def _changed_rows(rejudging: Rejudging) -> Any:
    rows = rejudging.rows.filter(differs=True).select_related("submission__player")
    return rows.defer("submission__text", "submission__lurd").order_by("submission")


def _verdict(columns: dict[str, Any]) -> str:
    """Return a verdict in words, with its counts if it has any."""
    text = str(Verdict(columns["verdict"]).label)
    return f"{text} {columns['moves']}/{columns['pushes']}" if columns["verdict"] in SCORED else text


@staff("change_submission", fresh=True)
@require_POST
def apply(request: StaffRequest, pk: int) -> HttpResponse:
    """Have a worker write all new verdicts (rule 6.13)."""
    return actions.handle_act(request, ACTS_ON_REJUDGINGS, get_object_or_404(Rejudging, pk=pk), _REJUDGE.name)


@staff("change_submission")
@require_POST
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    rejudging = Rejudging.objects.filter(pk=pk).first()
    try:
        if rejudging:
            rejudge.cancel(rejudging, request.user)
    except rejudge.NotApplied as reason:
        messages.error(request, str(reason))
        return redirect("desk-rejudging", pk)
    messages.success(request, _("Cancelled: nothing was changed."))
    return redirect("desk-rejudgings")
