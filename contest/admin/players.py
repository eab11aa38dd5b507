"""Players and reports about their names, limited to what an organiser may see (rule 4.7)."""

from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from contest.celery import waking
from contest.infra.integers import whole_number
from contest.models import League, LongAct, NameReport, Player
from contest.organising import long_acts
from contest.organising.acts import Act, ActForm, ActsAdmin
from contest.players import BadName, acts, clean_nickname, merging, name_key, reports
from contest.players.email_addresses import AddressField
from contest.players.entering import find_player

MOST_PAIRS = 300
_PLAYER_FIELDS: Any = [
    "nickname", "number", "country", "league", "standing", "names", "shown_email", "account", "created_at",
]  # fmt: skip
_REPORT_FIELDS: Any = ["player", "other", "kind", "text", "shown_email", "reported_at", "decided_at", "decision"]


class WhyForm(ActForm):
    """The input of an act that is logged with a reason; only organisers read the reason."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("Stored in the organisers' log. Do not include names or addresses: log entries are never deleted."),
    )


class RenameForm(WhyForm):
    nickname = forms.CharField(
        label=_("New nickname"),
        max_length=512,
        help_text=_("The old nickname stays reserved for this player and is not shown anywhere."),
    )
    field_order = ["nickname", "reason"]

    def clean_nickname(self) -> str:
        try:
            return clean_nickname(self.cleaned_data["nickname"])
        except BadName as bad:
            raise ValidationError(bad.message) from None


class MergeForm(WhyForm):
    into = forms.CharField(
        label=_("Number of the player to keep, or its nickname"),
        max_length=512,
        help_text=_(
            "Everything submitted under this nickname will count for that player, in every round. You can undo this."
        ),
    )
    field_order = ["into", "reason"]

    def clean_into(self) -> Player:
        """Return the player of the number, else of the nickname: a nickname may be the number of another player."""
        given = self.cleaned_data["into"].strip()
        number = whole_number(given)
        player = Player.objects.filter(pk=number).first() if number else None
        try:
            player = player or find_player(clean_nickname(given))
        except BadName:
            player = None
        if not player:
            raise ValidationError(_("There is no such player."))
        return player


class LeagueForm(WhyForm):
    league = forms.ChoiceField(
        label=_("League"),
        choices=League,
        help_text=_("Existing API tokens stop working; the player has to create new ones."),
    )
    field_order = ["league", "reason"]


class LinkForm(WhyForm):
    to = forms.ChoiceField(
        label=_("How"),
        choices=[
            ("stored", _("Send it to the player's email address")),
            ("other", _("Send it to the email address below")),
            ("show", _("Show it to me; I will pass it on")),
        ],
    )
    email = AddressField(label=_("Email"), required=False)
    forgets = forms.BooleanField(
        label=_("Remove email address and account"),
        required=False,
        help_text=_(
            "For a nickname in the wrong hands. Once the link is used, the old email address and account no longer "
            "prove the nickname."
        ),
    )
    field_order = ["to", "email", "forgets", "reason"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("to") == "other" and not cleaned.get("email"):
            self.add_error("email", _("Enter an email address."))
        if cleaned.get("to") == "stored" and not self.about.email:
            self.add_error("to", _("This player has no email address."))
        return cleaned


class SureForm(WhyForm):
    sure = forms.BooleanField(label=_("I understand that this cannot be undone."))


def _is_living(player: Player, _at: datetime) -> bool:
    return player.merged_into_id is None and player.erased_at is None


def _is_alias(player: Player, _at: datetime) -> bool:
    return player.merged_into_id is not None


def _rename(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> None:
    acts.rename(player, given["nickname"], by, reason=given["reason"])


def _merge(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> LongAct:
    return merging.merge(player, given["into"], by, reason=given["reason"])


def _unmerge(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> LongAct:
    return merging.unmerge(player, by, reason=given["reason"])


def _hand_over(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> str:
    heir = acts.hand_over(player, by, reason=given["reason"])
    return str(_("The nickname is reserved as player %(number)s. Send its claim link.")) % {"number": heir.pk}


def _send_claim_link(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> str:
    link = {name: given[name] for name in ("reason", "site", "forgets")}
    if given["to"] == "show":
        return reports.show_link(player, by, **link)
    reports.send_link(player, player.email if given["to"] == "stored" else given["email"], by, **link)
    return ""


def adapt_act(act: Callable[..., object]) -> Callable[..., None]:
    """Adapt *act*, which needs only a reason, to the signature of `Act.run`."""

    def run(about: Any, given: dict[str, Any], _at: datetime, by: Any) -> None:
        act(about, by, reason=given["reason"])

    return run


def _league(player: Player, given: dict[str, Any], _at: datetime, by: Any) -> None:
    acts.correct_league(player, given["league"], by, reason=given["reason"])


_ACTS = (
    Act("link", _("Claim link"), _send_claim_link, _is_living, LinkForm),
    Act("rename", _("Rename"), _rename, _is_living, RenameForm),
    Act("merge", _("Merge into another"), _merge, _is_living, MergeForm, takes_two=True, is_long=True),
    Act("unmerge", _("Undo the merge"), _unmerge, _is_alias, WhyForm, takes_two=True, is_long=True),
    Act("league", _("Correct the league"), _league, _is_living, LeagueForm),
    Act("release", _("Release the name"), adapt_act(acts.release), _is_living, WhyForm),
    Act("hand_over", _("Hand the name over"), _hand_over, _is_living, WhyForm),
    Act("erase", _("Delete permanently"), adapt_act(acts.erase), _is_living, SureForm),
)


class PlainActsAdmin(ActsAdmin):
    """An admin that changes objects only by acts, and shows the message that an act returns."""

    view_on_site = False

    def run_act(self, request: HttpRequest, act: Act, about: Any, given: dict[str, Any], at: datetime) -> None:
        site = f"{request.scheme}://{request.get_host()}"
        outcome = act.run(about, {**given, "site": site}, at, request.user)
        if isinstance(outcome, LongAct):
            self._begin(request, outcome)
        elif outcome:
            messages.warning(request, str(outcome))

    def _begin(self, request: HttpRequest, job: LongAct) -> None:
        """Report what a small act says, or where the progress of a large one is."""
        job = long_acts.begin(job, waking.wake_long_acts)
        for message in job.report:
            messages.warning(request, message)
        if job.is_unended:
            progress = _("A worker carries this out; the desk shows how far it is.")
            link = reverse("desk-long-act", args=[job.pk])
            messages.info(request, format_html('{} <a href="{}">{}</a>', progress, link, job))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(PlainActsAdmin):
    """Players. The email address is always masked; a merged name is listed with the player it leads to."""

    change_list_template = "admin/contest/players_change_list.html"
    list_display = ["nickname", "pk", "country", "league", "standing", "shown_email", "created_at"]
    list_filter = ["league", "is_imported", ("merged_into", admin.EmptyFieldListFilter)]
    list_select_related = ["merged_into"]
    search_fields = ["nickname", "=pk"]
    fields = readonly_fields = _PLAYER_FIELDS
    acts = _ACTS

    def get_urls(self) -> list[URLPattern]:
        lookalikes = self.admin_site.admin_view(self.lookalikes)
        return [path("lookalikes/", lookalikes, name="contest_player_lookalikes"), *super().get_urls()]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Match a name in any spelling (rule 4.5)."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        key = name_key(search_term)
        return (found | queryset.filter(Q(name_key__icontains=key)) if key else found), may_repeat

    @admin.display(description=_("number"))
    def number(self, player: Player) -> int:
        return player.pk

    @admin.display(description=_("e-mail"))
    def shown_email(self, player: Player) -> str:
        return player.masked_email

    @admin.display(description=_("account"), boolean=True)
    def account(self, player: Player) -> bool:
        return player.owner_id is not None

    @admin.display(description=_("former names"))
    def names(self, player: Player) -> str:
        return ", ".join(f"{name.nickname} ({name.pk})" for name in player.aliases.all()) or "-"

    @admin.display(description=_("status"))
    def standing(self, player: Player) -> str:
        if player.merged_into:
            return str(_("points to %(name)s (%(number)s)")) % {
                "name": player.merged_into.nickname,
                "number": player.merged_into_id,
            }
        if player.erased_at:
            return str(_("deleted"))
        if player.is_imported:
            return str(_("imported, unclaimed"))
        return str(_("unclaimed")) if player.is_open else "-"

    def lookalikes(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        pairs = list(islice(reports.find_lookalikes(), MOST_PAIRS + 1))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Similar nicknames"),
            "pairs": pairs[:MOST_PAIRS],
            "most": MOST_PAIRS,
            "is_cut": len(pairs) > MOST_PAIRS,
        }
        return render(request, "admin/contest/lookalikes.html", context)


class DecisionForm(ActForm):
    decision = forms.CharField(
        label=_("Decision"),
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("For organisers only. The reporter's email address is deleted when you decide."),
    )


def _is_undecided(report: NameReport, _at: datetime) -> bool:
    return report.decided_at is None


def _may_be_granted(report: NameReport, at: datetime) -> bool:
    return _is_undecided(report, at) and report.kind == NameReport.Kind.CLAIM and bool(report.email)


def _decide(report: NameReport, given: dict[str, Any], _at: datetime, by: Any) -> None:
    reports.decide(report, given["decision"], by)


def _grant(report: NameReport, given: dict[str, Any], _at: datetime, by: Any) -> None:
    reports.grant(report, given["decision"], by, site=given["site"])


@admin.register(NameReport)
class NameReportAdmin(PlainActsAdmin):
    """Reports about names, undecided ones first."""

    list_display = ["player", "kind", "reported_at", "beginning", "decided_at"]
    list_filter = [("decided_at", admin.EmptyFieldListFilter), "kind"]
    list_select_related = ["player"]
    fields = readonly_fields = _REPORT_FIELDS
    acts = (
        Act("grant", _("Send a claim link to the reporter"), _grant, _may_be_granted, DecisionForm),
        Act("decide", _("Decide"), _decide, _is_undecided, DecisionForm),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[NameReport]:
        return super().get_queryset(request).order_by("decided_at", "-reported_at")

    def desk_url(self, about: NameReport) -> str:
        return reverse("desk-people")

    @admin.display(description=_("text"))
    def beginning(self, report: NameReport) -> str:
        return report.text[:60]

    @admin.display(description=_("e-mail"))
    def shown_email(self, report: NameReport) -> str:
        return Player(email=report.email).masked_email or "-"
