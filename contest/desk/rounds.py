"""A round on the desk: its checklist, its edit, its preview, its acts."""

import copy
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Q, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import rounds
from contest.desk import actions as acting
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import RoundForm, RoundSearchForm
from contest.desk.words import STEP_WORDS, WAITING_WORDS
from contest.infra import clock
from contest.library import series
from contest.library import shelf as level_library
from contest.models import AuditEntry, LibraryLevel, NameReport, Question, Round, Slot
from contest.ops import health
from contest.organising import checklist
from contest.organising.acts import Act, ReasonForm, add_errors
from contest.organising.checklist import Name, Standing
from contest.organising.round_acts import ACTS
from contest.outreach import announcements as announcing
from contest.results import revisions
from contest.rules.phases import Phase
from contest.visibility import Viewer
from contest.web.pages import views as pages

ACTS_ON_ROUNDS = acting.Kind(
    # A round is announced on its preview.
    {act.name: act for act in ACTS if act.name != "announce"},
    lambda round_: [round_],
    lambda round_: reverse("desk-round", args=[round_.number]),
)
PER_PAGE = 30


@dataclass(frozen=True)
class ToRevise:
    """The final rounds that want a revision, as one thing to act on."""

    rounds: list[Round]

    def __str__(self) -> str:
        numbers = ", ".join(str(round_.number) for round_ in self.rounds)
        return ngettext("Round %(numbers)s", "Rounds %(numbers)s", len(self.rounds)) % {"numbers": numbers}


ACTS_ON_MANY = acting.Kind(
    {
        "revise": Act(
            "revise",
            gettext_lazy("Revise the results"),
            lambda about, given, at, by: revisions.revise_all(about.rounds, given["reason"], at=at, by=by),
            lambda about, _at: bool(about.rounds),
            ReasonForm,
        )
    },
    lambda about: about.rounds,
    lambda _about: reverse("desk"),
)


@staff("view_round", "add_librarylevel", "view_heartbeat")
@require_safe
def home(request: StaffRequest) -> HttpResponse:
    """Everything that waits for somebody, and for each round the next step."""
    at = clock.now()
    may_see = request.user.has_perm("contest.view_round")
    found = checklist.in_hand(at) if may_see else checklist.InHand([], [], [])
    words = {
        "rounds": _glanced(found.now, at),
        "coming": _glanced(found.coming, at),
        "to_revise": ToRevise(found.to_revise) if len(found.to_revise) > 1 else None,
        "may_see_rounds": may_see,
        "troubles": series.troubles(at) if may_see else [],
        "trouble": health.trouble() if request.user.has_perm("contest.view_heartbeat") else "",
        **(_waiting() if may_see else {}),
    }
    return render(request, "contest/desk/home.html", words)


def _glanced(glances: list[checklist.Glance], at: datetime) -> list[tuple[Round, Phase, dict[str, Any] | None]]:
    return [(round_, round_.phase(at), _described(round_, step) if step else None) for round_, step in glances]


@staff("view_round")
@require_safe
def listed(request: StaffRequest) -> HttpResponse:
    """All rounds by time, the newest first, each with its next step; filtered by phase, searched by number or title."""
    at = clock.now()
    form = RoundSearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    found = Round.objects.order_by("-opens_at", "-number")
    if sought := asked.get("q", ""):
        wanted = Q(title_zh__icontains=sought) | Q(title_en__icontains=sought)
        found = found.filter(wanted | Q(number=int(sought)) if sought.isdecimal() and len(sought) < 10 else wanted)
    if phase := asked.get("phase", ""):
        found = found.in_phase(Phase(phase), at)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    listed_: Any = page.object_list  # a slice of the rounds found
    words = {"form": form, "chosen": page, "rounds": _glanced(checklist.at_a_glance(listed_, at), at)}
    return render(request, "contest/desk/rounds.html", words)


@staff("change_round", fresh=True)
@require_http_methods(["GET", "POST"])
def revise(request: StaffRequest) -> HttpResponse:
    """Revise every round that wants it, after a merge for example, with one reason and in one act."""
    return acting.answer(request, ACTS_ON_MANY, ToRevise(revisions.due(clock.now())), "revise")


@staff("view_round")
@require_safe
def round_page(request: StaffRequest, number: int) -> HttpResponse:
    at = clock.now()
    round_ = get_object_or_404(checklist.counted(Round.objects.prefetch_related("levels"), at), number=number)
    acts = acting.offered(ACTS_ON_ROUNDS, round_)
    filled = {level.slot: level for level in round_.levels.all()}
    words = {
        "round": round_,
        "phase": round_.phase(at),
        "steps": [_described(round_, step) for step in checklist.steps(round_, at)],
        "slots": [(slot, filled.get(slot)) for slot in Slot] if not rounds.is_opened(round_, at) else [],
        "levels": list(filled.values()),
        "is_free": not rounds.is_opened(round_, at),
        "acts": [act for act in acts if request.user.has_perm("contest.change_round")],
        "waiting": round_.waiting,
        "entries": AuditEntry.objects.filter(target=f"round {round_.number}")[:5],
    }
    return render(request, "contest/desk/round.html", words)


def _waiting() -> dict[str, int]:
    """How many questions and reports wait; one query."""
    asked = Question.objects.filter(answered_at=None).order_by().values_list(Value("questions"), "pk")
    reported = NameReport.objects.filter(decided_at=None).order_by().values_list(Value("reports"), "pk")
    counted = Counter(kind for kind, _pk in asked.union(reported, all=True))
    return {kind: counted[kind] for kind in ("questions", "reports")}


def _described(round_: Round, step: checklist.Step) -> dict[str, Any]:
    """A step with its words and the address where it is done."""
    number = round_.number
    addresses = {
        Name.DRAFT: f"{reverse('desk-level-new')}?round={number}&slot={Slot.MAIN}",
        Name.GATE: f"{reverse('desk-level-new')}?round={number}&slot={Slot.MAIN}",
        Name.SCHEDULE: reverse("desk-round-edit", args=[number]),
        Name.PREVIEW: reverse("desk-preview", args=[number]),
        Name.PUBLISH: reverse("desk-preview", args=[number]),
        Name.WATCH: reverse("round", args=[number]),
        Name.CLOSE: reverse("round", args=[number]),
        Name.VERIFY: reverse("desk-health"),
        Name.DRAW: reverse("results", args=[number]),
        Name.FINALISE: reverse("desk-act", args=[number, "finalise"]),
        Name.REVISE: reverse("desk-act", args=[number, "revise"]),
        Name.ANNOUNCE: reverse("desk-message", args=[number]),
    }
    return {
        "name": step.name,
        "standing": step.standing,
        "words": STEP_WORDS[step.name],
        "missing": step.missing,
        "waits": WAITING_WORDS.get(step.name, "") if step.standing is Standing.WAITING else "",
        "url": addresses[step.name],
    }


@staff("add_round")
@require_http_methods(["GET", "POST"])
def new(request: StaffRequest) -> HttpResponse:
    """A draft with the usual number and times."""
    form = RoundForm(request.POST or None, initial=rounds.suggestion(clock.now()))
    with transaction.atomic():
        if form.is_bound and form.is_valid():
            round_ = form.save(commit=False)
            try:
                rounds.save(round_, at=clock.now(), by=request.user)
            except ValidationError as error:
                add_errors(form, error)
            else:
                _warn(request, round_)
                return redirect("desk-round", round_.number)
    words = {"form": form, "title": _("New round")}
    return render(request, "contest/desk/edit.html", words, status=422 if form.errors else 200)


@staff("change_round")
@require_http_methods(["GET", "POST"])
def edit(request: StaffRequest, number: int) -> HttpResponse:
    """Change a round: what players would see of it is shown first, and what another organiser did is not lost."""
    at = clock.now()
    with transaction.atomic():
        rounds.hold_calendar()
        round_ = get_object_or_404(Round, number=number)
        stored, stamp = copy.copy(round_), rounds.stamp(round_)
        form = RoundForm(request.POST or None, instance=round_)
        is_behind = form.is_bound and request.POST.get("stamp") != stamp
        changes: list[tuple[str, str, str]] = []
        if form.is_bound and form.is_valid():
            changes = _changes(stored, form)
            is_public = rounds.is_announced(stored, at)
            if not is_behind and (not is_public or request.POST.get("do") == "save"):
                try:
                    rounds.save(round_, at=at, by=request.user)
                except ValidationError as error:
                    add_errors(form, error)
                else:
                    messages.success(request, _("Saved."))
                    _warn(request, round_)
                    return redirect("desk-round", round_.number)
    words = {
        "form": form,
        "round": stored,
        "title": _("Edit %(round)s") % {"round": stored},
        "stamp": stamp,
        "is_behind": is_behind,
        "last": AuditEntry.objects.filter(target=f"round {stored.number}").first(),
        "changes": changes,
        "is_public": rounds.is_announced(stored, at),
    }
    status = 409 if is_behind else 422 if form.errors else 200
    return render(request, "contest/desk/edit.html", words, status=status)


def _warn(request: StaffRequest, round_: Round) -> None:
    """Say what is wrong with the times of a draft; it may be saved so all the same."""
    for words in checklist.lacking(Name.SCHEDULE, round_, clock.now()) or ():
        messages.warning(request, words)


def _changes(stored: Round, form: RoundForm) -> list[tuple[str, str, str]]:
    """What differs from what is stored: the field's name, what it says now, what it would say."""
    found = []
    for name in form.fields:
        if name == "rules":
            before, after = stored.settings, form.instance.settings
            found += [(key, str(before.get(key)), str(after[key])) for key in after if before.get(key) != after[key]]
            continue
        before, after = getattr(stored, name), getattr(form.instance, name)
        if before != after:
            found.append((str(form.fields[name].label), _shown(before), _shown(after)))
    return found


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "Y-m-d H:i")
    return str(value)


@staff("add_round")
@require_POST
def clone(request: StaffRequest, number: int) -> HttpResponse:
    round_ = get_object_or_404(Round, number=number)
    new_ = rounds.clone(round_, at=clock.now(), by=request.user)
    messages.success(request, _("%(new)s has the texts and settings of %(old)s.") % {"new": new_, "old": round_})
    return redirect("desk-round", new_.number)


@staff("change_round")
@require_POST
def clear_slot(request: StaffRequest, number: int, slot: str) -> HttpResponse:
    round_ = get_object_or_404(Round, number=number)
    try:
        saved = level_library.take_out(round_, slot, at=clock.now(), by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        if saved:
            messages.success(request, _("%(level)s was taken out; it is in the library.") % {"level": saved})
    return redirect("desk-round", number)


@staff("change_round")
@require_POST
def throw_away(request: StaffRequest, number: int) -> HttpResponse:
    """Delete a mistaken draft; nothing of its levels is lost."""
    round_ = get_object_or_404(Round, number=number)
    try:
        saved = level_library.throw_away(round_, at=clock.now(), by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("desk-round", number)
    messages.success(request, _("The draft is gone.") + "".join(f" {words}" for words in _kept_words(saved)))
    return redirect("desk")


def _kept_words(saved: list[LibraryLevel]) -> list[str]:
    return [_("%(level)s is in the library.") % {"level": level} for level in saved]


@staff("view_round")
@require_safe
def preview(request: StaffRequest, number: int, slot: str = "") -> HttpResponseBase:
    """The public page as a stranger will see it when the round opens, with the button to publish it."""
    round_ = get_object_or_404(Round, number=number)
    at = clock.now()
    if rounds.is_opened(round_, at) or round_.cancelled_at:
        return redirect(round_.get_absolute_url())
    opens_at = max(round_.opens_at, at)
    strange = copy.copy(request)
    strange.user = AnonymousUser()  # type: ignore[assignment]  # a stranger, whom the page must not know
    strange.viewer = Viewer()  # type: ignore[attr-defined]  # set by the middleware
    strange.preview = {  # type: ignore[attr-defined]  # for base.html
        "round": round_,
        "levels": list(round_.levels.all()),
        "slot": slot,
        "is_announced": rounds.is_announced(round_, at),
        "may_publish": request.user.has_perm("contest.change_round"),
        "opens_at": opens_at,
    }
    try:
        return _as_announced(strange, round_, opens_at, slot)
    except IntegrityError:
        # As the draft stands it cannot be announced, not even for a look.
        lacking = checklist.lacking(Name.SCHEDULE, round_, at) or checklist.lacking(Name.PUBLISH, round_, at)
        for words in lacking or ():
            messages.error(request, words)
        return redirect("desk-round", number)


def _as_announced(request: Any, round_: Round, at: datetime, slot: str) -> HttpResponseBase:
    """Answer as if the round had been announced and opened; nothing of that is kept."""
    with transaction.atomic():
        Round.objects.filter(pk=round_.pk).update(announced_at=at, opens_at=at)
        try:
            if slot:
                return pages.level_page(request, round_.number, slot, at=at)
            return pages.round_page(request, round_.number, at=at)
        finally:
            transaction.set_rollback(True)


@staff("change_round", fresh=True)
@require_POST
def publish(request: StaffRequest, number: int) -> HttpResponse:
    """Announce the round: from now on number and times are public, and it opens by itself (rules 2.8, 3.6)."""
    round_ = get_object_or_404(Round, number=number)
    at = clock.now()
    wanting = [
        words
        for step in checklist.steps(round_, at)
        if step.name in (Name.DRAFT, Name.GATE, Name.SCHEDULE) and step.standing is Standing.NEXT
        for words in step.missing
    ]
    try:
        if wanting:
            raise ValidationError(wanting)
        round_ = rounds.announce(round_, at=at, by=request.user)
    except ValidationError as error:
        for words in error.messages:
            messages.error(request, words)
    else:
        messages.success(request, _("%(round)s is published.") % {"round": round_})
    return redirect("desk-round", round_.number)


@staff("change_round", fresh=True)
@require_http_methods(["GET", "POST"])
def act(request: StaffRequest, number: int, name: str) -> HttpResponse:
    return acting.answer(request, ACTS_ON_ROUNDS, get_object_or_404(Round, number=number), name)


@staff("view_round")
@require_safe
def message(request: StaffRequest, number: int) -> HttpResponse:
    """The texts to put into forums and chats."""
    round_ = get_object_or_404(Round, number=number)
    at = clock.now()
    if round_.phase(at) is Phase.DRAFT:
        raise Http404
    texts = announcing.texts(round_, at, site=_site(request))
    return render(request, "contest/desk/message.html", {"round": round_, "texts": texts})


def _site(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
