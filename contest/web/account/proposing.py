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
from contest.levels import Examination
from contest.levels import pasted as incoming
from contest.levels.pasted import PastedLevels
from contest.library import proposals
from contest.library.proposals import Author, Stale
from contest.models import Proposal
from contest.rendering.boards import drawing
from contest.web.shell.forms import PlainForm
from contest.web.shell.request import Request
from contest.wording.verdicts import error_words
from solvers.errors import PuzzleError

_BOARD = {"class": "moves", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
_MOST_TWINS = 6
MOST_FILE = 131_072
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
        if file and file.size > MOST_FILE:
            most = {"size": f"{file.size:,}", "most": f"{MOST_FILE:,}"}
            self.add_error("file", gettext("The file has %(size)s bytes; up to %(most)s can be taken here.") % most)
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
        help_text=_("As it will stand beside the level."),
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


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def propose_page(request: Request) -> HttpResponse:
    """List the author's proposals, with a form to propose another level."""
    author = proposals.author_of(request.viewer, request.user)
    form = ReadForm(request.POST, request.FILES) if request.method == "POST" else ReadForm()
    if form.is_bound and form.is_valid():
        started = _start(request, form, author)
        if started:
            return redirect(started)
    own = visibility.own_proposals(request.viewer, request.user) if author else Proposal.objects.none()
    words = {"author": author, "form": form, "proposals": own[: proposals.MOST_DRAFTS * 5]}
    return render(request, "contest/proposals/propose.html", words, status=422 if form.errors else 200)


def _start(request: Request, form: ReadForm, author: Author | None) -> Proposal | None:
    """Create a draft of the one level in *form*; return None and add an error to *form* on failure."""
    if author is None:
        form.add_error(None, gettext("Sign in, or prove a nickname, to propose it. The text stays here meanwhile."))
        return None
    file = form.cleaned_data["file"]
    place = "file" if file else "pasted"
    try:
        rate_limits.pass_address(client_ip.sender_of(request))
        brought = incoming.read(file.read() if file else form.cleaned_data["pasted"])
        if len(brought.found) != 1:
            form.add_error(place, _not_one(brought))
            return None
        found = brought.found[0]
        return proposals.start(author, found.text, found.solution, title=found.title, name=found.author, at=clock.now())
    except rate_limits.Busy:
        form.add_error(None, gettext("That was fast. Please wait a minute."))
    except ValidationError as error:
        form.add_error(None, error)
    except PuzzleError as error:
        form.add_error(place, error_words(error))
    return None


def _not_one(brought: PastedLevels) -> str:
    if not brought.found:
        return " ".join(brought.unread[:1]) or gettext("No readable level was found in it.")
    count = {"count": len(brought.found)}
    return gettext("There are %(count)s levels in it. Propose them one by one, please.") % count


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_page(request: Request, pk: int) -> HttpResponse:
    """Show one proposal: edit it while it is a draft, comment on it later."""
    own = get_object_or_404(visibility.own_proposals(request.viewer, request.user), pk=pk)
    form = ProposalForm(initial={name: getattr(own, name) for name in _FIELDS} | {"text": str(own.board)})
    written, status = CommentForm(), 200
    if request.method == "POST":
        do = request.POST.get("do", "")
        if do in ("save", "send", "look"):
            form = ProposalForm(request.POST)
        elif do == "comment":
            written = CommentForm(request.POST)
        try:
            done = _act(request, own, do, form, written)
        except Stale as stale:
            return _page(request, own, form, written, status=409, stale=stale)
        if done:
            return done
        status = 422 if form.errors or written.errors else 200
    return _page(request, own, form, written, status=status)


def _act(request: Request, own: Proposal, do: str, form: ProposalForm, written: CommentForm) -> HttpResponse | None:
    """Perform the action *do*; return None for a preview, or with errors added to the form on failure."""
    at, version = clock.now(), _version(request)
    if do in _PLAIN_ACTS:
        _PLAIN_ACTS[do](own, version)
        return redirect("propose" if do == "delete" else own)
    used = written if do == "comment" else form
    if not used.is_bound or not used.is_valid() or do == "look":
        return None
    try:
        if do == "comment":
            text = written.cleaned_data["text"]
            proposals.comment(own, text, at=at, by=request.user, is_by_staff=False)
        else:
            saved = proposals.save(own, form.cleaned_data, version)
            vars(own).update(version=saved.version)
            if do == "send":
                proposals.send(saved, request.viewer, at=at, version=saved.version)
    except Stale:
        raise
    except ValidationError as error:
        used.add_error(None, error)
        return None
    except PuzzleError as error:
        used.add_error("text", error_words(error))
        return None
    return redirect(own)


_PLAIN_ACTS: dict[str, Callable[[Proposal, int], object]] = {
    "withdraw": proposals.withdraw,
    "again": proposals.take_up_again,
    "delete": proposals.delete,
}


def _version(request: Request) -> int:
    text = request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _page(
    request: Request,
    own: Proposal,
    form: ProposalForm,
    written: CommentForm,
    *,
    status: int,
    stale: Stale | None = None,
) -> HttpResponse:
    at = clock.now()
    held = {name: str(form[name].value() or "") for name in ("text", "solution", "title", "author")}
    examined = proposals.examined_text(
        held["text"][: proposals.LONGEST_TEXT],
        held["solution"][: proposals.LONGEST_SOLUTION],
        title=held["title"],
        author=held["author"],
        viewer=request.viewer,
        at=at,
    )
    words = {
        "proposal": own,
        "form": form,
        "written": written,
        "comments": own.comments.all(),
        "stale": stale,
        "is_draft": own.state == Proposal.State.DRAFT,
        "is_open": own.state in Proposal.OPEN,
        "may_comment": own.state not in (Proposal.State.DRAFT, Proposal.State.WITHDRAWN),
        "published": _published_level(own, at),
        **_look(examined),
    }
    return render(request, "contest/proposals/proposal.html", words, status=status)


def _look(examined: Examination) -> dict[str, Any]:
    played = examined.played
    return {
        "picture": drawing(examined.board, examined.cells, ruler=True) if examined.board else "",
        "errors": [words for said in examined.errors.values() for words in said],
        "warnings": examined.warnings,
        "twins": [(twin, drawing(twin.board)) for twin in examined.twins[:_MOST_TWINS]],
        "counts": (played.moves, played.pushes) if played and played.is_solved else None,
    }


def _published_level(own: Proposal, at: datetime) -> Any:
    """Return the public level once its round has opened, else None."""
    if own.kept_as is None or own.kept_as.used_in is None:
        return None
    return visibility.levels(visibility.Viewer(), at).filter(round=own.kept_as.used_in, key=own.key).first()
