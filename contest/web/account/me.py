"""A player's own pages: reclaim, manage and delete nicknames, close the account; and reports about names."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from contest import players, visibility
from contest.infra import attempts, client_ip, clock
from contest.models import NameReport, Player, Submission
from contest.players import accounts, acts, claims, reports
from contest.players.acts import Impossible
from contest.results import unranked
from contest.staff import account_acts
from contest.web.account.adapter import require_fresh_factor
from contest.web.account.forms import (
    AddressForm,
    CountryForm,
    EraseForm,
    LostForm,
    NicknameForm,
    ProofForm,
    ReportForm,
    VerifiedAddressForm,
)
from contest.web.shell.forms import PlainForm
from contest.web.shell.request import Request

LAST_SENT = 50
REPORTS_PER_DAY = 5
_FORM = require_http_methods(["GET", "HEAD", "POST"])


# Reclaiming a nickname


@never_cache
@_FORM
def claim_page(request: Request) -> HttpResponse:
    """Offer three ways to reclaim a nickname: its secret, the email address, the organisers."""
    proof = ProofForm(request.POST if "proof" in request.POST else None)
    lost = LostForm(request.POST if "nickname" in request.POST else None)
    if proof.is_bound and proof.is_valid():
        if claimed := claims.find_claim(proof.cleaned_data["proof"]):
            return _show_claim(request, claimed)
        proof.add_error("proof", _message_for_bad_proof(proof.cleaned_data["proof"]))
    if lost.is_bound and lost.is_valid():
        answer = _submit_report(request, lost, lost.cleaned_data["nickname"], NameReport.Kind.CLAIM)
        if answer:
            return answer
    status = 422 if proof.is_bound or lost.is_bound else 200
    return render(request, "contest/account/claim.html", {"proof": proof, "lost": lost}, status=status)


def _message_for_bad_proof(text: str) -> str:
    """Return the error message for *text* that proves no nickname. Receipts once did, so they get their own message."""
    receipt = text.partition("?")[0].rstrip("/").rpartition("/")[2]
    if Submission.objects.filter(receipt_id=receipt).exists():
        return _("This is a receipt. It shows its own submission and does not prove the nickname.")
    return _("This does not match any nickname. Check that you copied all of it.")


@never_cache
@_FORM
def claim_link(request: Request, token: str) -> HttpResponse:
    """Use the organisers' claim link by POST only: mail scanners follow every link."""
    try:
        if request.method == "POST":
            return _show_claim(request, claims.take_link(token, clock.now()))
        player, _forgets = claims.linked_player(token, clock.now())
    except claims.BadLink:
        return render(request, "contest/account/claim_link.html", {"player": None}, status=404)
    return render(request, "contest/account/claim_link.html", {"player": player})


def _show_claim(request: Request, claimed: claims.Claim) -> HttpResponse:
    response = render(request, "contest/account/claimed.html", {"player": claimed.player, "secret": claimed.secret})
    players.remember_claim(response, request.viewer, claimed.player.pk, claimed.secret)
    return response


# My nicknames


@never_cache
@_FORM
@require_fresh_factor
def my_nickname(request: Request, number: int) -> HttpResponse:
    player = _my_player(request, number)
    act = request.POST.get("act", "")
    if act in _PLAIN_ACTS and isinstance(request.user, User):
        return _perform(request, lambda: _PLAIN_ACTS[act](player, request.user))
    if act == "renew":
        try:
            return _show_claim(request, accounts.renew_secret(player, request.user))
        except Impossible as impossible:
            messages.error(request, str(impossible))
            return redirect("me")
    if act == "forget":
        response = redirect("me")
        names = [player.pk, *player.aliases.values_list("pk", flat=True)]
        claims.forget_claims(response, request.viewer, names)
        return response
    forms = _build_forms(request, player, act)
    form = forms.get(act)
    if act == "country" and not attempts.Attempts(request).is_within("country"):
        forms[act].add_error(
            "country", _("Too many changes of a country came from your network today. Please continue tomorrow.")
        )
    if form and form.is_valid():
        try:
            _ACTS[act](player, form.cleaned_data, request.user)
        except Impossible as impossible:
            form.add_error(None, str(impossible))
        else:
            messages.success(request, _("Saved."))
            return redirect("my_nickname", player.pk)
    context = {
        "player": player,
        "is_in_account": accounts.is_owned(player, request.user),
        "forms": forms,
        "sent": unranked.mark(visibility.own_submissions(request.viewer).filter(player=player), LAST_SENT),
    }
    return render(request, "contest/account/my_nickname.html", context, status=422 if form else 200)


def _rename_player(player: Player, given: dict[str, Any], user: Any) -> None:
    acts.rename_oneself(player, given["nickname"], user)


def _set_country(player: Player, given: dict[str, Any], user: Any) -> None:
    acts.set_country(player, given["country"], user)


def _set_email(player: Player, given: dict[str, Any], user: Any) -> None:
    acts.set_email(player, given["email"], user, is_verified=given["email"] in verified_addresses(user))


_ACTS: dict[str, Callable[[Player, dict[str, Any], Any], None]] = {
    "rename": _rename_player,
    "country": _set_country,
    "email": _set_email,
}
_PLAIN_ACTS: dict[str, Callable[[Player, Any], None]] = {
    "own": accounts.take_over,
    "let_go": accounts.release_name,
    "revoke": accounts.revoke_secrets,
}


def _build_forms(request: Request, player: Player, act: str) -> dict[str, PlainForm]:
    """Return the forms of a nickname; only the submitted one is bound."""
    verified = verified_addresses(request.user)

    def form_for(name: str, form: Callable[..., PlainForm], **kwargs: Any) -> PlainForm:
        return form(request.POST if act == name else None, prefix=name, **kwargs)

    forms = {
        "rename": form_for("rename", NicknameForm, initial={"nickname": player.nickname}),
        "country": form_for("country", CountryForm, initial={"country": player.country}),
    }
    if verified:
        initial = {"email": player.email}
        forms["email"] = form_for("email", VerifiedAddressForm, addresses=verified, initial=initial)
    elif not player.email:
        forms["email"] = form_for("email", AddressForm)
    return forms


def verified_addresses(user: Any) -> list[str]:
    """Return the verified addresses of *user*, none if not signed in."""
    if not user.is_authenticated:
        return []
    return list(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))


def _perform(request: Request, act: Callable[[], None]) -> HttpResponse:
    try:
        act()
    except Impossible as impossible:
        messages.error(request, str(impossible))
    else:
        messages.success(request, _("Saved."))
    return redirect("me")


@never_cache
@_FORM
def erase(request: Request, number: int) -> HttpResponse:
    """Erase one of the viewer's own players (rule 15.6)."""
    player = _my_player(request, number)
    form = EraseForm(_posted_data(request))
    if player.owner_id and player.owner_id != request.user.pk:
        messages.error(request, _("This nickname belongs to an account: sign in to delete it."))
        return redirect("my_nickname", player.pk)
    if form.is_valid():
        try:
            accounts.erase_oneself(player, request.user if isinstance(request.user, User) else None)
        except Impossible as impossible:  # its names are being merged
            form.add_error(None, str(impossible))
        else:
            messages.success(request, _("Deleted. Your results stay under “deleted player”."))
            response = redirect("me")
            claims.forget_claims(response, request.viewer, [player.pk])
            return response
    return render(
        request, "contest/account/erase.html", {"player": player, "form": form}, status=422 if form.is_bound else 200
    )


@never_cache
@login_required
@_FORM
@require_fresh_factor
def close_account(request: Request) -> HttpResponse:
    form = EraseForm(_posted_data(request))
    if form.is_valid() and isinstance(request.user, User):
        try:
            accounts.close(request.user)
        except Impossible as impossible:
            form.add_error(None, str(impossible))
        else:
            logout(request)
            messages.success(request, _("The account was deleted. Its nicknames remain: see below."))
            return redirect("me")
    return render(request, "contest/account/close_account.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_POST
@require_fresh_factor
def sign_out_everywhere(request: Request) -> HttpResponse:
    """End every session of the account except the current one."""
    user = cast(User, request.user)
    account_acts.end_sessions(user, request)
    account_acts.log_and_notify(user, "sign out everywhere", user)
    messages.success(request, _("All other browsers are signed out."))
    return redirect("me")


# Reports


@never_cache
@_FORM
def report_page(request: Request, number: int) -> HttpResponse:
    public = visibility.players(request.viewer, clock.now())
    player = get_object_or_404(public, pk=number, merged_into=None, erased_at=None)
    form = ReportForm(_posted_data(request), initial={"kind": request.GET.get("kind", "")})
    if form.is_valid() and (answer := _submit_report(request, form, player, form.cleaned_data["kind"])):
        return answer
    return render(
        request, "contest/account/report.html", {"player": player, "form": form}, status=422 if form.is_bound else 200
    )


def _submit_report(request: Request, form: PlainForm, player: Player, kind: str) -> HttpResponse | None:
    """Submit the report and redirect; return None and add an error to *form* if it is refused."""
    day_ago = clock.now() - timedelta(days=1)
    recent = [at for at in request.session.get("reports", []) if datetime.fromisoformat(at) > day_ago]
    if len(recent) >= REPORTS_PER_DAY:
        form.add_error(None, _("You have sent many reports today. Please continue tomorrow."))
        return None
    if not attempts.Attempts(request).is_within("report-name"):
        form.add_error(None, _("Too many reports from your network today. Please continue tomorrow."))
        return None
    try:
        given, address = form.cleaned_data, client_ip.sender_of(request)
        reports.report(player, kind, text=given["text"], email=given["email"], address=address)
    except Impossible as impossible:
        form.add_error(None, str(impossible))
        return None
    request.session["reports"] = [*recent, clock.now().isoformat()]
    messages.success(request, _("Thank you. An organiser will decide."))
    return redirect("claim" if kind == NameReport.Kind.CLAIM else "home")


def _posted_data(request: Request) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _my_player(request: Request, number: int) -> Player:
    """Return one of the viewer's own players; raise the same Http404 for unknown and foreign ones (rule 7.5)."""
    return get_object_or_404(accounts.own_players(request.viewer), pk=number)
