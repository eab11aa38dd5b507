"""An author's own pages: the levels they propose, and the organisers' answers."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest import visibility
from contest.infra import client_ip, clock, rate_limits
from contest.infra.attempts import Attempts
from contest.infra.integers import whole_number
from contest.infra.rate_limits import BOARD, costs
from contest.levels import Examination
from contest.levels import pasted as incoming
from contest.levels.pasted import PastedLevels
from contest.library import proposals
from contest.library.proposals import Author, Stale
from contest.models import Proposal
from contest.rendering.boards import drawing, has_thumbnail, thumbnail
from contest.vetting import orders
from contest.web.shell.forms import PlainForm, may_store, status_of
from contest.web.shell.request import Request
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError

_BOARD = {"class": "moves", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
_MAX_TWINS = 6
MAX_FILE_BYTES = 131_072
_FIELDS = ("text", "solution", "title", "author", "licence", "note")


class ReadForm(PlainForm):
    """Pasted text or a file that contains one level."""

    pasted = forms.CharField(
        label=_("Level, with your solution if you have one"),
        required=False,
        strip=False,
        max_length=proposals.LONGEST_TEXT + proposals.LONGEST_SOLUTION,
        widget=forms.Textarea({**_BOARD, "rows": 8}),
        help_text=_("XSB and LURD together, or anything else with a level: .sok, .slc, MF8 text, a SokoPlayer link."),
    )
    file = forms.FileField(label=_("Or a file"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file and file.size > MAX_FILE_BYTES:
            most = {"size": f"{file.size:,}", "most": f"{MAX_FILE_BYTES:,}"}
            self.add_error("file", gettext("The file has %(size)s bytes; the limit here is %(most)s.") % most)
        elif not file and not cleaned.get("pasted", "").strip() and not self.errors:
            self.add_error("pasted", gettext("Paste a level, or choose a file."))
        return cleaned


class ProposalForm(PlainForm):
    """A draft; `proposals.send` decides whether it may be sent."""

    text = forms.CharField(
        label=_("Level (XSB)"),
        strip=False,
        max_length=proposals.LONGEST_TEXT,
        widget=forms.Textarea({**_BOARD, "rows": 10}),
    )
    solution = forms.CharField(
        label=_("Your own solution (LURD)"),
        required=False,
        max_length=proposals.LONGEST_SOLUTION,
        widget=forms.Textarea({**_BOARD, "rows": 3}),
        help_text=_("It proves that the level can be solved. Only the organisers see it."),
    )
    title = forms.CharField(label=_("Title"), required=False, max_length=200)
    author = forms.CharField(
        label=_("Author's name"),
        required=False,
        max_length=200,
        help_text=_("Shown beside the level."),
    )
    licence = forms.ChoiceField(
        label=_("Rights"), required=False, choices=Proposal.Licence.choices, widget=forms.RadioSelect
    )
    note = forms.CharField(
        label=_("Note to the organisers"),
        required=False,
        max_length=proposals.LONGEST_NOTE,
        widget=forms.Textarea({"rows": 3}),
    )


class CommentForm(PlainForm):
    text = forms.CharField(
        label=_("Write to the organisers"), max_length=proposals.LONGEST_NOTE, widget=forms.Textarea({"rows": 3})
    )


@costs(BOARD)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def propose_page(request: Request) -> HttpResponse:
    """List the author's proposals, with a form to propose another level."""
    author = proposals.author_of(request.viewer, request.user)
    form = ReadForm(request.POST, request.FILES) if request.method == "POST" else ReadForm()
    if form.is_bound and form.is_valid():
        started = _start_proposal(request, form, author)
        if started:
            return redirect(started)
    own = visibility.own_proposals(request.viewer, request.user) if author else Proposal.objects.none()
    listed = list(own[: proposals.MOST_DRAFTS * 5])
    _count_reading(request, sum(len(proposal.text) for proposal in listed if has_thumbnail(proposal)))
    pictures = [(proposal, thumbnail(proposal)) for proposal in listed]
    context = {"author": author, "form": form, "proposals": pictures}
    return render(request, "contest/proposals/propose.html", context, status=status_of(form))


def _count_reading(request: Request, size: int) -> None:
    """Count a page that draws or examines *size* bytes of stored levels like a form with them. Raise Busy."""
    rate_limits.pass_door(BOARD, client_ip.sender_of(request), size)


def _start_proposal(request: Request, form: ReadForm, author: Author | None) -> Proposal | None:
    """Create a draft of the one level in *form*; return None and add an error to *form* on failure."""
    if author is None:
        form.add_error(
            None, gettext("To propose it, sign in or claim a nickname. Your text stays here in the meantime.")
        )
        return None
    file = form.cleaned_data["file"]
    place = "file" if file else "pasted"
    try:
        pasted = incoming.read(file.read() if file else form.cleaned_data["pasted"])
        if len(pasted.found) != 1:
            form.add_error(place, _message_for_level_count(pasted))
            return None
        found = pasted.found[0]
        if not may_store(request, form, found.text, found.solution):
            return None
        return proposals.start(author, found.text, found.solution, title=found.title, name=found.author, at=clock.now())
    except ValidationError as error:
        form.add_error(None, error)
    except PuzzleError as error:
        form.add_error(place, describe_error(error))
    return None


def _message_for_level_count(pasted: PastedLevels) -> str:
    if not pasted.found:
        return " ".join(pasted.unread[:1]) or gettext("No readable level was found.")
    count = {"count": len(pasted.found)}
    return gettext("The text contains %(count)s levels. Please propose them one by one.") % count


@costs(BOARD)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_page(request: Request, pk: int) -> HttpResponse:
    """Show one proposal: edit it while it is a draft, comment on it later."""
    proposal = get_object_or_404(visibility.own_proposals(request.viewer, request.user), pk=pk)
    form = ProposalForm(initial={name: getattr(proposal, name) for name in _FIELDS} | {"text": str(proposal.board)})
    comment_form, status = CommentForm(), 200
    if request.method == "POST":
        action = request.POST.get("do", "")
        if action in ("save", "send", "look"):
            form = ProposalForm(request.POST)
        elif action == "comment":
            comment_form = CommentForm(request.POST)
        try:
            response = _perform_action(request, proposal, action, form, comment_form)
        except Stale as stale:
            return _render_page(request, proposal, form, comment_form, status=409, stale=stale)
        if response:
            return response
        status = max(status_of(form), status_of(comment_form))
    return _render_page(request, proposal, form, comment_form, status=status)


def _perform_action(
    request: Request, proposal: Proposal, action: str, form: ProposalForm, comment_form: CommentForm
) -> HttpResponse | None:
    """Perform *action*; return None for a preview, or with errors added to the form on failure."""
    at, version = clock.now(), whole_number(request.POST.get("version", "")) or 0
    if action in _PLAIN_ACTS:
        _PLAIN_ACTS[action](proposal, version)
        return redirect("propose" if action == "delete" else proposal)
    used_form = comment_form if action == "comment" else form
    if not used_form.is_bound or not used_form.is_valid() or action == "look":
        return None
    # A proposal that is sent is vetted; drafts and comments are not.
    seconds = orders.get_budget().seconds if action == "send" else 0
    if action == "send" and not Attempts(request).is_within("proposal"):
        form.add_error(None, gettext("Too many levels came from your network today. Please continue tomorrow."))
        return None
    if not may_store(request, used_form, *map(str, used_form.cleaned_data.values()), seconds=seconds):
        return None
    try:
        if action == "comment":
            text = comment_form.cleaned_data["text"]
            proposals.comment(proposal, text, at=at, by=request.user, is_by_staff=False)
        else:
            saved = proposals.save(proposal, form.cleaned_data, version)
            vars(proposal).update(version=saved.version)
            if action == "send":
                proposals.send(saved, request.viewer, at=at, version=saved.version)
    except Stale:
        raise
    except ValidationError as error:
        used_form.add_error(None, error)
        return None
    except PuzzleError as error:
        used_form.add_error("text", describe_error(error))
        return None
    return redirect(proposal)


_PLAIN_ACTS: dict[str, Callable[[Proposal, int], object]] = {
    "withdraw": proposals.withdraw,
    "again": proposals.take_up_again,
    "delete": proposals.delete,
}


def _render_page(
    request: Request,
    proposal: Proposal,
    form: ProposalForm,
    comment_form: CommentForm,
    *,
    status: int,
    stale: Stale | None = None,
) -> HttpResponse:
    at = clock.now()
    values = {name: str(form[name].value() or "") for name in ("text", "solution", "title", "author")}
    if not form.is_bound:  # what is posted was counted at the gate
        _count_reading(request, len(values["text"]) + len(values["solution"]))
    examined = proposals.examined_text(
        values["text"][: proposals.LONGEST_TEXT],
        values["solution"][: proposals.LONGEST_SOLUTION],
        title=values["title"],
        author=values["author"],
        viewer=request.viewer,
        at=at,
    )
    context = {
        "proposal": proposal,
        "form": form,
        "written": comment_form,
        "comments": proposal.comments.all(),
        "stale": stale,
        "is_draft": proposal.state == Proposal.State.DRAFT,
        "is_open": proposal.state in Proposal.OPEN,
        "may_comment": proposal.state not in (Proposal.State.DRAFT, Proposal.State.WITHDRAWN),
        "published": _published_level(proposal, at),
        **_describe_examination(examined),
    }
    return render(request, "contest/proposals/proposal.html", context, status=status)


def _describe_examination(examined: Examination) -> dict[str, Any]:
    played = examined.played
    return {
        "picture": drawing(examined.board, examined.cells, ruler=True) if examined.board else "",
        "errors": [message for messages in examined.errors.values() for message in messages],
        "warnings": examined.warnings,
        "twins": [(twin, drawing(twin.board)) for twin in examined.twins[:_MAX_TWINS]],
        "counts": (played.moves, played.pushes) if played and played.is_solved else None,
    }


def _published_level(proposal: Proposal, at: datetime) -> Any:
    """Return the public level once its round has opened, else None."""
    if proposal.kept_as is None or proposal.kept_as.used_in is None:
        return None
    return visibility.levels(visibility.Viewer(), at).filter(round=proposal.kept_as.used_in, key=proposal.key).first()
