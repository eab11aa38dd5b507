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
from contest.desk.levels.importing import looked_at
from contest.infra import clock
from contest.library import proposals
from contest.library.proposals import Stale
from contest.models import Proposal
from contest.organising.acts import add_errors
from contest.rendering.boards import drawing

PER_PAGE = 40


class AcceptForm(LevelForm):
    """Values that the library needs in addition to the proposal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("text", "solution", "title", "author", "unsolved_reason"):
            del self.fields[name]


class WordsForm(forms.Form):
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
    paginator.count = counts.get(state) or sum(counts.get(one, 0) for one in Proposal.OPEN)
    page = paginator.get_page(request.GET.get("page"))
    words = {
        "chosen": page,
        "shown": [{"proposal": one, "picture": drawing(one.board)} for one in page],
        "states": [(*choice, counts[choice[0]]) for choice in Proposal.State.choices if choice[0] in counts],
        "state": state,
    }
    return render(request, "contest/desk/levels/proposals.html", words)


@staff("change_librarylevel")
@require_http_methods(["GET", "HEAD", "POST"])
def proposal(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one proposal with everything known about its level."""
    found = visibility.proposals(request.user).select_related("player", "kept_as__used_in", "decided_by")
    one = get_object_or_404(found, pk=pk)
    do = request.POST.get("do", "")
    accept = AcceptForm(request.POST if do == "accept" else None, initial={"rights": _rights(one)})
    words = WordsForm(request.POST if do in ("decline", "comment") else None, label_suffix="")
    status = 200
    if request.method == "POST":
        try:
            if _act(request, one, do, accept, words):
                return redirect("desk-proposal", pk)
            status = 422
        except Stale as stale:
            words.full_clean()
            return _page(request, found.get(pk=pk), accept, words, stale=stale, status=409)
    return _page(request, one, accept, words, status=status)


def _page(request: StaffRequest, one: Proposal, accept: AcceptForm, words: WordsForm, **more: Any) -> HttpResponse:
    status = more.pop("status")
    level = LevelForm(
        initial={
            "text": str(one.board),
            "solution": one.solution,
            "title": one.title,
            "author": one.author,
        }
    )
    looked = looked_at(level, request.user, one.kept_as)
    page = {
        "proposal": one,
        "picture": looked.picture,
        "looked": replace(looked, picture=""),  # the template shows it separately
        "asks_confirmation": looked.is_remarkable or bool(accept["confirmed"].errors),
        "accept": accept,
        "words": words,
        "comments": one.comments.all(),
        "is_open": one.state in Proposal.OPEN,
        "rows": str(one.board),
        **more,
    }
    return render(request, "contest/desk/levels/proposal.html", page, status=status)


def _act(request: StaffRequest, one: Proposal, do: str, accept: AcceptForm, words: WordsForm) -> bool:
    """Perform the action of the pressed button; return False, with errors in the form, if it fails."""
    at, by = clock.now(), request.user
    version = int(text) if (text := request.POST.get("version", "")).isdecimal() and len(text) < 10 else 0
    form: forms.Form = accept if do == "accept" else words
    if do == "review":
        proposals.review(one, version, by=by)
        return True
    if not form.is_valid():
        return False
    try:
        if do == "accept":
            proposals.accept(one, accept.cleaned_data, version, at=at, by=by)
        elif do == "decline":
            proposals.decline(one, words.cleaned_data["text"], version, at=at, by=by)
        elif do == "comment":
            proposals.comment(one, words.cleaned_data["text"], at=at, by=by, is_by_staff=True)
    except Stale:
        raise
    except ValidationError as error:
        add_errors(form, error)
        return False
    return True


def _rights(one: Proposal) -> str:
    """Return the licence the author ticked, with name and date, as the library stores it."""
    day = f"{one.sent_at:%Y-%m-%d}" if one.sent_at else ""
    return f"{one.get_licence_display()} ({one.author}, {day})"[:300]
