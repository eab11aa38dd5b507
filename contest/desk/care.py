"""Questions and name reports in one queue, the banner, the state of the site, and the audit log."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import itemgetter, or_
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.desk import health
from contest.desk.access import StaffRequest, may_any, staff
from contest.desk.forms import AnswerForm, BannerForm, RecordForm
from contest.desk.retries import find_twin
from contest.infra import clock, identity
from contest.infra.integers import whole_number
from contest.models import AuditEntry, Banner, NameReport, Player, Question, Round, Submission
from contest.models.round import FIRST_YEAR
from contest.ops import asked_backups
from contest.organising import day
from contest.organising.acts import add_errors
from contest.outreach import questions
from contest.players import reports
from contest.staff import audit_log, track_owners

PER_PAGE = 50
MOST_PAIRS = 50
MOST_ENTRIES = 30  # of the log on the page of a day


@dataclass(frozen=True)
class Waiting:
    """A question, a report or a pair of similar names that waits for an organiser."""

    kind: str
    at: datetime | None
    question: Question | None = None
    report: NameReport | None = None
    pair: tuple[Player, Player] | None = None
    may_grant: bool = False


@staff("view_question", "view_namereport")
@require_safe
def people(request: StaffRequest) -> HttpResponse:
    """List the open questions and reports that the user may see in one queue, oldest first; similar names come last."""
    if "answered" in request.GET and may_any(request.user, ["view_question"]):
        answered = Question.objects.exclude(answered_at=None).select_related("round", "player").order_by("-answered_at")
        page = Paginator(answered, PER_PAGE).get_page(request.GET.get("page"))
        return render(request, "contest/desk/home/answered.html", {"chosen": page})
    page = Paginator(_list_keys(request.user), PER_PAGE).get_page(request.GET.get("page"))
    queue, untakeable = _waiting_rows(list(page)), []
    if not page.has_next():
        pairs = islice(reports.find_lookalikes(), MOST_PAIRS)
        queue += [Waiting(_("Similar nicknames"), None, pair=pair) for pair in pairs]
        untakeable = list(islice(reports.find_invalid_names(), MOST_PAIRS))
    context = {"queue": queue, "chosen": page, "untakeable": untakeable}
    return render(request, "contest/desk/home/people.html", context)


def _list_keys(user: User) -> QuerySet[Any]:
    """Return time, kind and key of the open questions and reports that *user* may see, oldest first."""
    asked = Question.objects.filter(answered_at=None).annotate(at=F("asked_at"))
    reported = NameReport.objects.filter(decided_at=None).annotate(at=F("reported_at"))
    kinds = ("question", asked), ("namereport", reported)
    seen = [
        rows.order_by().values_list("at", Value(kind), "pk") for kind, rows in kinds if may_any(user, [f"view_{kind}"])
    ]
    return seen[0].union(*seen[1:], all=True).order_by("at", "pk")


def _waiting_rows(listed: list[Any]) -> list[Waiting]:
    """Return the rows of *listed* times, kinds and keys."""
    asked, reported = ({pk for _at, kind, pk in listed if kind == wanted} for wanted in ("question", "namereport"))
    questions_ = Question.objects.select_related("round", "player").in_bulk(asked)
    reports_ = NameReport.objects.select_related("player", "other").in_bulk(reported)
    return [
        Waiting(_("Question"), at, question=questions_[pk]) if kind == "question" else _reported(reports_[pk])
        for at, kind, pk in listed
    ]


def _reported(report: NameReport) -> Waiting:
    may_grant = report.kind == NameReport.Kind.CLAIM and bool(report.email)
    return Waiting(report.get_kind_display(), report.reported_at, report=report, may_grant=may_grant)


@staff("change_namereport")
@require_POST
def lookalikes(request: StaffRequest) -> HttpResponse:
    """Record that two similar names belong to two different people."""
    numbers = [whole_number(text) or 0 for text in request.POST.getlist("player")]
    pair = list(Player.objects.filter(pk__in=numbers, merged_into=None, erased_at=None).order_by("pk"))
    if len(pair) != 2:
        raise Http404
    reports.leave_both(pair[0], pair[1], request.user)
    messages.success(request, _("%(one)s and %(other)s remain separate players.") % {"one": pair[0], "other": pair[1]})
    return redirect("desk-people")


@staff("change_question")
@require_http_methods(["GET", "POST"])
def answer(request: StaffRequest, pk: int) -> HttpResponse:
    question = get_object_or_404(Question.objects.select_related("round", "player"), pk=pk)
    form = AnswerForm(request.POST or None, instance=question)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            questions.answer_question(
                question,
                zh=given["answer_zh"],
                en=given["answer_en"],
                public_text=given["public_text"],
                is_public=given["is_public"],
                at=clock.now(),
                by=request.user,
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("The question is answered."))
            return redirect("desk-people")
    context = {"form": form, "question": question}
    return render(request, "contest/desk/home/answer.html", context, status=422 if form.errors else 200)


@staff("change_banner")
@require_http_methods(["GET", "POST"])
def banner(request: StaffRequest) -> HttpResponse:
    """Set a banner for every page, with its start and end (rule 25.1)."""
    at = clock.now()
    form = BannerForm(request.POST or None, initial={"shown_from": at})
    if form.is_bound and form.is_valid():
        if not (form.cleaned_data["text_zh"] or form.cleaned_data["text_en"]):
            form.add_error("text_zh", _("Write it in Chinese, in English or in both."))
        else:
            with transaction.atomic():
                if not find_twin(form.instance, form.Meta.fields, "put banner", by=request.user, at=at):
                    saved = form.save()
                    after = {"zh": saved.text_zh, "en": saved.text_en}
                    audit_log.record(request.user, "put banner", saved, after=after)
            messages.success(request, _("The banner is set."))
            return redirect("desk-banner")
    context = {"form": form, "standing": Banner.objects.filter(Q(shown_until=None) | Q(shown_until__gt=at))}
    return render(request, "contest/desk/home/banner.html", context, status=422 if form.errors else 200)


@staff("change_banner")
@require_POST
def end_banner(request: StaffRequest, pk: int) -> HttpResponse:
    ended = get_object_or_404(Banner, pk=pk)
    at = clock.now()
    with transaction.atomic():
        Banner.objects.filter(pk=pk).update(shown_until=at)
        audit_log.record(request.user, "end banner", ended, after={"shown_until": at.isoformat()})
    messages.success(request, _("The banner was taken down."))
    return redirect("desk-banner")


@staff("view_heartbeat")
@require_safe
def health_page(request: StaffRequest) -> HttpResponse:
    """Show the state of the site line by line; the summary shows the worst state."""
    at = clock.now()
    figures = health.all_figures(at)
    worst = max((figure.light for figure in figures), key=list(health.Light).index)
    context = {
        "figures": figures,
        "worst": worst,
        "light_words": health.LIGHT_TEXTS[worst],
        "at": at,
        "may_back_up": asked_backups.may_ask(),
    }
    return render(request, "contest/desk/home/health.html", context)


@staff("change_round", fresh=True)
@require_POST
def back_up(request: StaffRequest) -> HttpResponse:
    """Request a backup. It is written to the operator's folder, and no page serves it."""
    if not asked_backups.may_ask():
        raise Http404
    if asked_backups.ask(request.user):
        messages.success(request, _("A worker makes the backup within a few minutes."))
    else:
        messages.warning(request, _("A backup is already running."))
    return redirect("desk-health")


@staff("view_heartbeat")
@require_POST
def try_mail(request: StaffRequest) -> HttpResponse:
    """Send a test message to the signed-in organiser and report the result."""
    address = request.user.email
    if not address:
        messages.error(request, _("Your account has no email address to send to."))
        return redirect("desk-health")
    try:
        send_mail(
            _("%(site)s: test message") % {"site": identity.name()},
            _("Email from this site is being delivered."),
            identity.sender(),
            [address],
        )
    except OSError as error:
        messages.error(request, _("The mail server rejected the message: %(error)s") % {"error": error})
    else:
        messages.success(request, _("A test message was sent to your email address."))
    return redirect("desk-health")


@staff("view_auditentry")
@require_safe
def record(request: StaffRequest) -> HttpResponse:
    """Show the audit log (who did what, to what, and why), filtered by person, act, round, words and days."""
    form = RecordForm(request.GET or None, label_suffix="")
    entries = AuditEntry.objects.all()
    if form.is_bound and form.is_valid():
        entries = _search(form.cleaned_data)
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "chosen": page,
        "form": form,
        "acts": AuditEntry.objects.order_by("act").values_list("act", flat=True).distinct(),
    }
    return render(request, "contest/desk/home/record.html", context)


@staff("view_heartbeat")
@require_safe
def day_page(request: StaffRequest) -> HttpResponse:
    """Show what the site did on one day: today, or ?date=2026-11-28."""
    at = clock.now()
    today = timezone.localdate(at)
    chosen = parse_day(request.GET.get("date", ""), today)
    begin, end = day.span(chosen)
    seen = track_owners.filter_rows(request.user, Round.objects.filter(announced_at__lte=at), "view_round")
    entries = AuditEntry.objects.filter(at__gte=begin, at__lt=end)
    context = {
        "day": chosen,
        "is_today": chosen == today,
        "before": chosen - timedelta(days=1),
        "after": chosen + timedelta(days=1),
        "moments": [row for row in sorted(day.list_moments(seen, begin, end), key=itemgetter(0)) if row[0] <= at],
        "received": day.count_received(begin, end),
        "counts": day.count_rows(begin, end),
        "visitors": day.count_visitors(chosen),
        "outages": day.list_outages(begin, end),
        "entries": entries[:MOST_ENTRIES] if request.user.has_perm("contest.view_auditentry") else None,
    }
    return render(request, "contest/desk/home/day.html", context)


def parse_day(text: str, today: date) -> date:
    """Return the day that *text* names, within the years of rounds and at the latest today; today if it names none."""
    try:
        return max(min(date.fromisoformat(text), today), date(FIRST_YEAR, 1, 1))
    except ValueError:
        return today


def _search(given: dict[str, Any]) -> QuerySet[AuditEntry]:
    entries = AuditEntry.objects.all()
    for word in given["q"].split()[:8]:
        texts = ("act", "target", "actor_name", "reason", "before", "after")
        entries = entries.filter(reduce(or_, (Q(**{f"{name}__icontains": word}) for name in texts)))
    if given["who"]:
        entries = entries.filter(actor_name__icontains=given["who"])
    if given["act"]:
        entries = entries.filter(act=given["act"])
    if given["round"] is not None:
        entries = entries.filter(_of_round(given["round"]))
    if given["since"]:
        entries = entries.filter(at__gte=day.span(given["since"])[0])
    if given["until"]:
        entries = entries.filter(at__lt=day.span(given["until"])[1])
    return entries


def _of_round(number: int) -> Q:
    """Return a filter for acts on the round and on the submissions sent to it."""
    sent = Submission.objects.filter(round__number=number)
    names = sent.annotate(name=Concat(Value("submission "), Cast("pk", CharField()))).order_by().values("name")
    return Q(target=f"round {number}") | Q(target__in=names)
