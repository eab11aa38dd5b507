"""Players on the desk: search, view, rename, merge, correct; decide reports about their names."""

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from contest.admin import NameReportAdmin, PlayerAdmin
from contest.admin.players import WhyForm, adapt_act
from contest.desk import actions
from contest.desk.access import StaffRequest, may_any, staff
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import AuditEntry, NameReport, Player, RestingName, Round, Submission
from contest.organising.acts import Act
from contest.players import name_key, resting

PER_PAGE = 50


def _rounds_of(player: Player) -> QuerySet[Round]:
    """Return rounds that an act on the player may change: those entered under any of the player's names."""
    names = [player.pk, *player.aliases.values_list("pk", flat=True)]
    sent = Submission.objects.filter(Q(player__in=names) | Q(sent_as__in=names)).values("round")
    return Round.objects.filter(pk__in=sent)


ACTS_ON_PLAYERS = actions.Kind(
    {act.name: act for act in PlayerAdmin.acts},
    _rounds_of,
    lambda player: reverse("desk-player", args=[player.pk]),
)
ACTS_ON_REPORTS = actions.Kind(
    {act.name: act for act in NameReportAdmin.acts},
    lambda _report: [],
    lambda _report: reverse("desk-people"),
)
ACTS_ON_RESTING_NAMES = actions.Kind(
    {"lift_rest": Act("lift_rest", _("End the rest of the name"), adapt_act(resting.lift), lambda *_: True, WhyForm)},
    lambda _name: [],
    lambda _name: reverse("desk-players"),
)


@staff("view_player")
@require_safe
def all_players(request: StaffRequest) -> HttpResponse:
    """Search players by name in any spelling (rule 4.5), or by number; a name may also rest (rule 15.6)."""
    sought = request.GET.get("q", "").strip()[:200]
    found = Player.objects.select_related("merged_into").order_by("nickname", "pk")
    if sought:
        wanted = Q(nickname__icontains=sought)
        if key := name_key(sought):
            wanted |= Q(name_key__icontains=key)
        if number := whole_number(sought):
            wanted |= Q(pk=number)
        found = found.filter(wanted)
    context = {
        "chosen": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "sought": sought,
        "resting": resting.find(sought),
    }
    return render(request, "contest/desk/people/players.html", context)


@staff("view_player")
@require_safe
def player(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one player and the available acts; the email address is always masked (rule 4.7)."""
    found = get_object_or_404(Player.objects.select_related("merged_into"), pk=pk)
    revealed = Exists(Round.objects.revealed(clock.now()).filter(pk=OuterRef("round")).order_by())
    by_round = Submission.objects.of(found).annotate(is_revealed=revealed).values("round__number", "is_revealed")
    sent = by_round.annotate(count=Count("pk")).order_by("-round__number")
    context = {
        "player": found,
        "names": found.aliases.all(),
        "sent": sent[:30],
        "acts": actions.offered_acts(ACTS_ON_PLAYERS, found) if request.user.has_perm("contest.change_player") else [],
        "reports": NameReport.objects.filter(player=found)[:10] if may_any(request.user, ["view_namereport"]) else [],
        "entries": AuditEntry.objects.filter(target=f"player {found.pk}")[:20],
    }
    return render(request, "contest/desk/people/player.html", context)


@staff("change_player", fresh=True)
@require_http_methods(["GET", "POST"])
def act(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    return actions.handle_act(request, ACTS_ON_PLAYERS, get_object_or_404(Player, pk=pk), name)


@staff("change_namereport", fresh=True)
@require_http_methods(["GET", "POST"])
def act_on_report(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    reported = get_object_or_404(NameReport.objects.select_related("player", "other"), pk=pk)
    return actions.handle_act(request, ACTS_ON_REPORTS, reported, name)


@staff("change_player", fresh=True)
@require_http_methods(["GET", "POST"])
def act_on_resting_name(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    return actions.handle_act(request, ACTS_ON_RESTING_NAMES, get_object_or_404(RestingName, pk=pk), name)
