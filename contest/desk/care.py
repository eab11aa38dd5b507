"""Questions and reports in one queue, the banner, the state of the site, and the record."""

import shutil
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import audit, clock, health, questions, series
from contest.admin.acts import add_errors
from contest.desk.forms import AnswerForm, BannerForm
from contest.desk.guard import StaffRequest, staff
from contest.models import AuditEntry, Banner, NameReport, Player, Question, State, Submission
from contest.players import reports

PER_PAGE = 50
MOST_PAIRS = 50
_FULL = 0.9


@dataclass(frozen=True)
class Waiting:
    """Something of the players that waits for an organiser."""

    kind: str
    at: datetime | None
    question: Question | None = None
    report: NameReport | None = None
    pair: tuple[Player, Player] | None = None
    may_grant: bool = False


@staff("view_question", "view_namereport")
@require_safe
def people(request: StaffRequest) -> HttpResponse:
    """Everything of the players that waits for an answer in one queue, oldest first; look-alikes come last."""
    if "answered" in request.GET:
        answered = Question.objects.exclude(answered_at=None).select_related("round", "player").order_by("-answered_at")
        page = Paginator(answered, PER_PAGE).get_page(request.GET.get("page"))
        return render(request, "contest/desk/answered.html", {"chosen": page})
    return render(request, "contest/desk/people.html", {"queue": _queue()})


def _queue() -> list[Waiting]:
    asked = Question.objects.filter(answered_at=None).select_related("round", "player")
    undecided = Q(decided_at=None) | Q(kind=NameReport.Kind.LOOKALIKE)
    reported = list(NameReport.objects.filter(undecided).select_related("player", "other"))
    waiting = [Waiting(_("Question"), question.asked_at, question=question) for question in asked]
    waiting += [
        Waiting(
            report.get_kind_display(),
            report.reported_at,
            report=report,
            may_grant=report.kind == NameReport.Kind.CLAIM and bool(report.email),
        )
        for report in reported
        if report.decided_at is None
    ]
    waiting.sort(key=lambda one: (one.at, one.kind))
    pairs = islice(reports.lookalikes(reports.pairs_decided(reported)), MOST_PAIRS)
    return [*waiting, *(Waiting(_("Names that look alike"), None, pair=pair) for pair in pairs)]


@staff("change_namereport")
@require_POST
def lookalikes(request: StaffRequest) -> HttpResponse:
    """Decide that two names that look alike are two people's."""
    numbers = [value for value in request.POST.getlist("player") if value.isdecimal() and len(value) < 16]
    pair = list(Player.objects.filter(pk__in=numbers, merged_into=None, erased_at=None).order_by("pk"))
    if len(pair) != 2:
        raise Http404
    reports.leave_both(pair[0], pair[1], request.user)
    messages.success(request, _("%(one)s and %(other)s stay two players.") % {"one": pair[0], "other": pair[1]})
    return redirect("desk-people")


@staff("change_question")
@require_http_methods(["GET", "POST"])
def answer(request: StaffRequest, pk: int) -> HttpResponse:
    question = get_object_or_404(Question.objects.select_related("round", "player"), pk=pk)
    form = AnswerForm(request.POST or None, instance=question)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            questions.answer(
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
            return redirect("desk-people")
    words = {"form": form, "question": question}
    return render(request, "contest/desk/answer.html", words, status=422 if form.errors else 200)


@staff("change_banner")
@require_http_methods(["GET", "POST"])
def banner(request: StaffRequest) -> HttpResponse:
    """Say something on every page, from when and until when (rule 25.1)."""
    at = clock.now()
    form = BannerForm(request.POST or None, initial={"shown_from": at})
    if form.is_bound and form.is_valid():
        if not (form.cleaned_data["text_zh"] or form.cleaned_data["text_en"]):
            form.add_error("text_zh", _("Write it in Chinese, in English or in both."))
        else:
            made = form.save()
            audit.record(request.user, "put banner", made, after={"zh": made.text_zh, "en": made.text_en})
            return redirect("desk-banner")
    words = {"form": form, "standing": Banner.objects.filter(Q(shown_until=None) | Q(shown_until__gt=at))}
    return render(request, "contest/desk/banner.html", words, status=422 if form.errors else 200)


@staff("change_banner")
@require_POST
def end_banner(request: StaffRequest, pk: int) -> HttpResponse:
    ended = get_object_or_404(Banner, pk=pk)
    at = clock.now()
    Banner.objects.filter(pk=pk).update(shown_until=at)
    audit.record(request.user, "end banner", ended, after={"shown_until": at.isoformat()})
    return redirect("desk-banner")


@dataclass(frozen=True)
class Figure:
    """One line of the health panel."""

    name: str
    value: str
    is_well: bool = True


@staff("view_heartbeat")
@require_safe
def health_page(request: StaffRequest) -> HttpResponse:
    at = clock.now()
    return render(request, "contest/desk/health.html", {"figures": figures(at)})


def figures(at: datetime) -> list[Figure]:
    """The state of the site, line by line."""
    ready = health.readiness()
    held = Submission.objects.filter(state=State.QUARANTINED).count()
    oldest, canary, backup = health.oldest_waiting_seconds(), health.canary_seconds(), health.backup_seconds()
    disk = shutil.disk_usage(settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR)
    troubles = series.troubles(at)
    return [
        Figure(_("Database"), _works(is_ready=ready["database"].is_ready), ready["database"].is_ready),
        Figure(_("Broker"), _works(is_ready=ready["broker"].is_ready), ready["broker"].is_ready),
        Figure(_("Submissions waiting"), str(Submission.objects.waiting().count())),
        Figure(_("Oldest waiting"), _ago(oldest, _("none")), (oldest or 0) <= settings.WAITING_SECONDS),
        Figure(_("Held for staff"), str(held), held == 0),
        Figure(_("A worker was seen"), _ago(canary), canary is not None and canary <= settings.CANARY_SECONDS),
        Figure(
            _("Disk"),
            _("%(free)s GB free of %(all)s") % {"free": disk.free // 10**9, "all": disk.total // 10**9},
            disk.used / disk.total < _FULL,
        ),
        Figure(_("Last backup"), _ago(backup), backup is not None and backup < 2 * 86_400),
        Figure(_("Mail"), _mail(), not settings.EMAIL_BACKEND.endswith("console.EmailBackend")),
        Figure(
            _("Connection"), "https" if settings.HTTPS else _("http: only for a network of your own"), settings.HTTPS
        ),
        Figure(_("Level queues"), " ".join(troubles) or _("filled"), not troubles),
    ]


def _works(*, is_ready: bool) -> str:
    return _("works") if is_ready else _("does not answer")


def _ago(seconds: float | None, never: str = "") -> str:
    if seconds is None:
        return never or _("never")
    if seconds < 120:
        return ngettext("%(count)s second ago", "%(count)s seconds ago", int(seconds)) % {"count": int(seconds)}
    minutes = int(seconds // 60)
    if minutes < 120:
        return ngettext("%(count)s minute ago", "%(count)s minutes ago", minutes) % {"count": minutes}
    hours = minutes // 60
    return ngettext("%(count)s hour ago", "%(count)s hours ago", hours) % {"count": hours}


def _mail() -> str:
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        return _("no server: messages are printed, not sent")
    return _("goes to a server")


@staff("view_auditentry")
@require_safe
def record(request: StaffRequest) -> HttpResponse:
    """Who did what, to what, and why; searchable."""
    sought = request.GET.get("q", "").strip()
    entries = AuditEntry.objects.all()
    for word in sought.split()[:8]:
        entries = entries.filter(
            Q(act__icontains=word)
            | Q(target__icontains=word)
            | Q(actor_name__icontains=word)
            | Q(reason__icontains=word)
        )
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "contest/desk/record.html", {"chosen": page, "sought": sought})
