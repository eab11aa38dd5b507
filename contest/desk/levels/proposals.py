"""Levels proposed by authors, on the desk: review, discuss, accept into the library, or decline."""

from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from contest import visibility
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import LevelForm
from contest.desk.levels.importing import examine_form
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import proposals
from contest.library.proposals import Stale
from contest.models import Proposal
from contest.organising.acts import add_errors
from contest.rendering.boards import thumbnail

PER_PAGE = 40


class AcceptForm(LevelForm):
    """Values that the library needs in addition to the proposal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("text", "solution", "title", "author", "unsolved_reason"):
            del self.fields[name]


class NoteForm(forms.Form):
    """A reason or a comment for the author."""

    text = forms.CharField(
        label=_("To the author"), max_length=proposals.LONGEST_NOTE, widget=forms.Textarea({"rows": 3})
    )


@staff("change_librarylevel")
@require_safe
def all_proposals(request: StaffRequest) -> HttpResponse:
    """List proposals: open ones, the longest waiting first, or those in one state, newest first."""
    state = request.GET.get("state", "")
    found = visibility.proposals(request.user)
    counts = dict(found.order_by().values_list("state").annotate(Count("pk")))
    if state in counts:
        found = found.filter(state=state).order_by("-sent_at")
    else:
        found = found.filter(state__in=Proposal.OPEN).order_by("sent_at")
    paginator = Paginator(found, PER_PAGE)
    paginator.count = counts.get(state) or sum(counts.get(open_state, 0) for open_state in Proposal.OPEN)
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "chosen": page,
        "shown": [{"proposal": proposal, "picture": thumbnail(proposal)} for proposal in page],
        "states": [(*choice, counts[choice[0]]) for choice in Proposal.State.choices if choice[0] in counts],
        "state": state,
    }
    return render(request, "contest/desk/levels/proposals.html", context)


@staff("change_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_page(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one proposal with everything known about its level."""
    found = visibility.proposals(request.user).select_related("player", "kept_as__used_in", "decided_by")
    proposal = get_object_or_404(found, pk=pk)
    do = request.POST.get("do", "")
    accept = AcceptForm(request.POST if do == "accept" else None, initial={"rights": _rights_text(proposal)})
    note = NoteForm(request.POST if do in ("decline", "comment") else None, label_suffix="")
    status = 200
    if request.method == "POST":
        try:
            if _handle_action(request, proposal, do, accept, note):
                return redirect("desk-proposal", pk)
            status = 422
        except Stale as stale:
            note.full_clean()
            return _render_page(request, found.get(pk=pk), accept, note, stale=stale, status=409)
    return _render_page(request, proposal, accept, note, status=status)


def _render_page(
    request: StaffRequest, proposal: Proposal, accept: AcceptForm, note: NoteForm, **more: Any
) -> HttpResponse:
    status = more.pop("status")
    level = LevelForm(
        initial={
            "text": str(proposal.board),
            "solution": proposal.solution,
            "title": proposal.title,
            "author": proposal.author,
        }
    )
    looked = examine_form(level, request.user, proposal.kept_as)
    context = {
        "proposal": proposal,
        "picture": looked.picture,
        "looked": replace(looked, picture=""),  # the template shows it separately
        "asks_confirmation": looked.is_remarkable or bool(accept["confirmed"].errors),
        "accept": accept,
        "words": note,
        "comments": proposal.comments.all(),
        "is_open": proposal.state in Proposal.OPEN,
        "rows": str(proposal.board),
        **more,
    }
    return render(request, "contest/desk/levels/proposal.html", context, status=status)


def _handle_action(request: StaffRequest, proposal: Proposal, do: str, accept: AcceptForm, note: NoteForm) -> bool:
    """Perform the action of the pressed button; return False, with errors in the form, if it fails."""
    at, by = clock.now(), request.user
    version = whole_number(request.POST.get("version", "")) or 0
    form: forms.Form = accept if do == "accept" else note
    if do == "review":
        proposals.review(proposal, version, by=by)
        return True
    if not form.is_valid():
        return False
    try:
        if do == "accept":
            proposals.accept(proposal, accept.cleaned_data, version, at=at, by=by)
        elif do == "decline":
            proposals.decline(proposal, note.cleaned_data["text"], version, at=at, by=by)
        elif do == "comment":
            proposals.comment(proposal, note.cleaned_data["text"], at=at, by=by, is_by_staff=True)
    except Stale:
        raise
    except ValidationError as error:
        add_errors(form, error)
        return False
    return True


def _rights_text(proposal: Proposal) -> str:
    """Return the licence the author ticked, with name and date, as the library stores it."""
    day = f"{proposal.sent_at:%Y-%m-%d}" if proposal.sent_at else ""
    return f"{proposal.get_licence_display()} ({proposal.author}, {day})"[:300]
