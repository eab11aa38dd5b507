"""Rounds on the desk: open tasks, the list of rounds, a round's checklist and its acts."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from contest import rounds, visibility
from contest.archive.witnesses import records
from contest.desk import actions
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import RoundSearchForm
from contest.desk.health import summary_figures, witness_troubles
from contest.desk.people import requests
from contest.desk.people.requests import ACTS_ON_MANY, ACTS_ON_ROUNDS, ToDo, ToRevise
from contest.desk.places import Place, on_round
from contest.desk.words import STEP_TITLES, WAITING_TEXTS
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import series
from contest.models import (
    AuditEntry,
    CommentReport,
    Level,
    NameReport,
    PreparedRound,
    Proposal,
    Question,
    Round,
    SecondLook,
    Series,
    Slot,
)
from contest.models.round import RoundQuerySet
from contest.ops import health
from contest.organising import checklist, figures
from contest.organising.acts import Act
from contest.organising.checklist import Name, Standing
from contest.organising.first_round import factor_message, first_round
from contest.outreach import announcements
from contest.results import revisions
from contest.rounds import insiders
from contest.rules.phases import Phase
from contest.staff import second_factors, track_owners
from contest.staff.track_owners import OWN
from contest.vetting import orders

PER_PAGE = 30
CHANGING = ("change_round",)
RULING = ("change_round", "add_disqualification")


@staff("view_round", "add_librarylevel", "view_heartbeat")
@require_safe
def home(request: StaffRequest) -> HttpResponse:
    """Show all open tasks, and the next step of each round."""
    at = clock.now()
    may_see = track_owners.may(request.user, "view_round")
    found = checklist.ActiveRounds([], [], [])
    if may_see:
        found = checklist.list_active_rounds(at, _visible_rounds(request.user))
    ages = health.ages() if request.user.has_perm("contest.view_heartbeat") else None
    trouble = health.trouble(ages) if ages is not None else ""
    to_do = list(_list_tasks(request.user, found, trouble, at))
    is_new = not any(round_.announced_at for round_, _step in (*found.now, *found.coming))
    way = first_round(request.user, at) if is_new else None
    waits = second_factors.is_staff(request.user) and not second_factors.has_factor(request.user)
    context = {
        "rounds": _round_lines(found.now, at),
        "coming": _round_lines(found.coming, at),
        "lists_rounds": bool(found.now or found.coming or (may_see and way is None)),
        "first_round": way,
        "factor_waits": waits,
        "factor_message": factor_message(request.user) if waits and way is None else "",
        "first_to_do": to_do[0] if to_do else None,
        "also_to_do": to_do[1:],
        "figures": figures.compute([round_ for round_, _step in found.now if round_.phase(at) is Phase.OPEN], at),
        "health": summary_figures(ages, trouble) if ages is not None else [],
    }
    return render(request, "contest/desk/home/home.html", context)


def _list_tasks(user: User, found: checklist.ActiveRounds, trouble: str, at: datetime) -> Iterator[ToDo]:
    """Yield tasks beside the rounds' own steps, the most urgent first."""
    if trouble:
        yield ToDo(trouble, gettext("Health"), reverse("desk-health"))
    if user.has_perm("contest.view_heartbeat"):
        for warning in witness_troubles(records.report(at)):
            yield ToDo(warning, gettext("Health"), reverse("desk-health"))
    if len(found.to_revise) > 1:
        url = reverse("desk-revise") if user.has_perm("contest.change_round") else ""
        rounds_ = gettext("Results that need a revision: %(rounds)s.") % {"rounds": ToRevise(found.to_revise)}
        yield ToDo(rounds_, gettext("Revise them all"), url)
    yield from requests.list_long_acts(user)
    yield from requests.list_sent_back(user)
    yield from requests.list_waiting(user, SecondLook.objects.all())
    if user.has_perm("contest.view_round"):
        yield from _outside_tasks(user)
    if track_owners.may(user, "view_round"):
        its_series = track_owners.filter_rows(user, Series.objects.all(), "view_round")
        for warning in series.list_troubles(at, its_series):
            yield ToDo(warning, gettext("Series"), reverse("desk-all-series"))


def _round_lines(glances: list[checklist.RoundStep], at: datetime) -> list[tuple[Round, Phase, dict[str, Any] | None]]:
    return [(round_, round_.phase(at), _step_line(round_, step) if step else None) for round_, step in glances]


@staff("view_round", OWN)
@require_safe
def all_rounds(request: StaffRequest) -> HttpResponse:
    """List all rounds, newest first, each with its next step; filter by phase, search by number or title."""
    at = clock.now()
    form = RoundSearchForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    found = _visible_rounds(request.user).order_by("-opens_at", "-number")
    if sought := asked.get("q", ""):
        wanted = Q(title_zh__icontains=sought) | Q(title_en__icontains=sought)
        if number := whole_number(sought):
            wanted |= Q(number=number)
        found = found.filter(wanted)
    if phase := asked.get("phase", ""):
        found = found.in_phase(Phase(phase), at)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "chosen": page,
        "rounds": _round_lines(checklist.next_steps(cast("QuerySet[Round]", page.object_list), at), at),
    }
    return render(request, "contest/desk/rounds/rounds.html", context)


@staff("change_round", fresh=True)
@require_http_methods(["GET", "POST"])
def revise(request: StaffRequest) -> HttpResponse:
    """Revise every round that needs it, for example after a merge, with one reason and in one act."""
    return actions.handle_act(request, ACTS_ON_MANY, ToRevise(revisions.find_due(clock.now())), "revise")


@staff("view_round", OWN)
@require_safe
@on_round("view_round", among=lambda: checklist.with_counts(Round.objects.prefetch_related("levels"), clock.now()))
def round_page(request: StaffRequest, round_: Any) -> HttpResponse:
    at = clock.now()
    may_see_all = request.user.has_perm("contest.view_round")
    acts = actions.offered_acts(ACTS_ON_ROUNDS, round_)
    filled = {level.slot: level for level in round_.levels.all()}
    is_free = not rounds.is_past_opening(round_, at)
    # After the close, the levels' own pages show the solver's results.
    is_wanted = not rounds.is_closed(round_, at) and visibility.may_see_vetting(request.user)
    searches = orders.vettings_by_hash(level.sha256 for level in filled.values()) if is_wanted else {}
    context = {
        "round": round_,
        "place": Place.of(round_),
        "phase": round_.phase(at),
        "steps": [_step_line(round_, step) for step in checklist.steps(round_, at)],
        "slots": [(slot, _offer(filled.get(slot))) for slot in Slot] if is_free else [],
        "levels": [(level, searches.get(level.sha256)) for level in filled.values()],
        "may_fill": is_free and track_owners.may(request.user, "change_round", round_.track_id),
        "may_rejudge": not is_free and request.user.has_perm("contest.change_submission"),
        "may_act": any(track_owners.may(request.user, permission, round_.track_id) for permission in RULING),
        "acts": [act for act in acts if may_do(request.user, act, round_)],
        "sees_sealed": round_.takes_sealed and not is_free,
        "waiting": round_.waiting,
        "has_evidence": visibility.is_revealed(round_, at),
        "late_insiders": [] if is_free else insiders.late_insiders(round_),
        "second_looks": requests.list_waiting(request.user, SecondLook.objects.touching(round_)),
        "entries": AuditEntry.objects.filter(target=f"round {round_.number}")[:5] if may_see_all else [],
    }
    return render(request, "contest/desk/rounds/round.html", context)


def _visible_rounds(user: User) -> RoundQuerySet:
    return track_owners.filter_rows(user, Round.objects.all(), "view_round")


def may_do(user: User, act: Act, round_: Round) -> bool:
    """Return True if *user* may do *act* on *round_*, or confirm it for another organiser."""
    return any(track_owners.may(user, permission, round_.track_id) for permission in act.permissions or CHANGING)


def _offer(level: Level | None) -> str:
    """Return the link text for a slot that holds *level*."""
    return gettext("another level") if level else gettext("add a level")


def _outside_tasks(user: User) -> Iterator[ToDo]:
    """Yield rounds prepared by programs, open questions, reports and proposals. One query if no round is prepared."""
    ready = PreparedRound.objects.filter(round__announced_at=None, round__cancelled_at=None)
    asked, *others = (
        rows.order_by().values_list(Value(kind)).annotate(count=Count("pk"))
        for kind, rows in (
            ("questions", Question.objects.filter(answered_at=None)),
            ("reports", NameReport.objects.filter(decided_at=None)),
            ("comments", CommentReport.objects.filter(decided_at=None)),
            ("prepared", ready),
            ("proposals", visibility.proposals(user).filter(state__in=Proposal.OPEN)),
        )
    )
    counted = Counter(dict(asked.union(*others, all=True)))
    if counted["prepared"]:
        for row in ready.select_related("round", "by"):
            text = gettext("A program of %(name)s has prepared %(round)s: a person has to publish it.")
            url = reverse("desk-preview", args=[row.round])
            yield ToDo(text % {"name": row.by, "round": row.round}, gettext("Look at the preview"), url)
    if questions := counted["questions"]:
        text = ngettext("%(counter)s question waits", "%(counter)s questions wait", questions)
        yield ToDo(text % {"counter": questions}, gettext("Answer"), reverse("desk-people"))
    if reports := counted["reports"]:
        text = ngettext("%(counter)s report about a name", "%(counter)s reports about names", reports)
        yield ToDo(text % {"counter": reports}, gettext("Answer"), reverse("desk-people"))
    if proposals := counted["proposals"]:
        text = ngettext("%(counter)s proposed level waits", "%(counter)s proposed levels wait", proposals)
        yield ToDo(text % {"counter": proposals}, gettext("View them"), reverse("desk-proposals"))
    if comments := counted["comments"]:
        text = ngettext("%(counter)s report about a comment", "%(counter)s reports about comments", comments)
        yield ToDo(text % {"counter": comments}, gettext("View them"), reverse("desk-comments"))


def _step_line(round_: Round, step: checklist.Step) -> dict[str, Any]:
    """Return a step with its texts and the URL where it is done."""
    number, bring = round_.number, f"{reverse('desk-level-new')}?{Place.of(round_).query}&slot={Slot.MAIN}"
    addresses = {
        Name.DRAFT: bring,
        Name.GATE: bring,
        Name.SCHEDULE: reverse("desk-round-edit", args=[round_]),
        Name.PREVIEW: reverse("desk-preview", args=[round_]),
        Name.PUBLISH: reverse("desk-preview", args=[round_]),
        Name.WATCH: reverse("round", args=[number]),
        Name.CLOSE: reverse("round", args=[number]),
        Name.VERIFY: reverse("desk-health"),
        Name.DRAW: reverse("results", args=[number]),
        Name.FINALISE: reverse("desk-act", args=[round_, "finalise"]),
        Name.REVISE: reverse("desk-act", args=[round_, "revise"]),
        Name.ANNOUNCE: reverse("desk-message", args=[round_]),
    }
    return {
        "name": step.name,
        "standing": step.standing,
        "words": STEP_TITLES[step.name],
        "missing": step.missing,
        "waits": WAITING_TEXTS.get(step.name, "") if step.standing is Standing.WAITING else "",
        "url": addresses[step.name],
    }


@staff(*RULING, OWN, fresh=True)
@require_http_methods(["GET", "POST"])
@on_round(*RULING)
def act(request: StaffRequest, round_: Round, name: str) -> HttpResponse:
    """Handle an act on the round if the user may do this one: a judge rules, but publishes nothing."""
    wanted = ACTS_ON_ROUNDS.acts.get(name)
    if wanted is None or not may_do(request.user, wanted, round_):
        raise Http404
    return actions.handle_act(request, ACTS_ON_ROUNDS, round_, name)


@staff("view_round", OWN)
@require_safe
@on_round("view_round")
def message(request: StaffRequest, round_: Round) -> HttpResponse:
    """Show texts to post in forums and chats."""
    at = clock.now()
    if round_.phase(at) is Phase.DRAFT:
        raise Http404
    texts = announcements.round_texts(round_, at, site=_site_url(request))
    context = {"round": round_, "texts": texts, "may_write": request.user.has_perm("contest.add_post")}
    return render(request, "contest/desk/shared/message.html", context)


def _site_url(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
