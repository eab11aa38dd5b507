"""A player's API tokens: create one for a player or program, see its last use, revoke it (docs/reference/api.md)."""

from datetime import timedelta

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from contest import players
from contest.infra import client_ip, clock, rate_limits
from contest.infra.attempts import Attempts
from contest.models import Player, Scope, Token
from contest.players import accounts, api_tokens
from contest.players.names import BadName
from contest.visibility import Viewer
from contest.web.shell.forms import PlainForm
from contest.web.shell.request import Request

PER_PAGE = 50


class TokenForm(PlainForm):
    """Player, purpose, scopes and lifetime of a new token."""

    player = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Enter as"),
        required=False,
        empty_label=_("a program with a new nickname"),
        help_text=_(
            "A program competes in the league of programs. With a token for your own nickname, you compete as yourself."
        ),
    )
    nickname = forms.CharField(label=_("New nickname of the program"), max_length=512, required=False)
    name = forms.CharField(label=_("What it is for"), max_length=100, required=False)
    scopes = forms.MultipleChoiceField(
        label=_("May"),
        choices=Scope.choices,
        initial=[Scope.SUBMIT.value, Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(
        label=_("Ends"),
        choices=[("30", _("in 30 days")), ("365", _("in a year")), ("", _("when it is revoked"))],
        initial="365",
        required=False,
    )

    def __init__(self, viewer: Viewer, data: object = None) -> None:
        super().__init__(data)
        self.fields["player"].queryset = accounts.offered_players(viewer)  # type: ignore[attr-defined]  # it is a ModelChoiceField


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: Request) -> HttpResponse:
    """List the tokens and create new ones. A new token is shown only once, in the response to the form."""
    form = TokenForm(request.viewer, request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid() and not Attempts(request).is_within("token"):
            form.add_error(
                "player", gettext("Too many tokens were created from your network today. Please continue tomorrow.")
            )
        elif form.is_valid():
            try:
                return _create_token(request, form)
            except (api_tokens.TokenRefused, BadName, rate_limits.Busy) as reason:
                form.add_error("player" if form.cleaned_data["player"] else "nickname", _message_for_refusal(reason))
    return render(request, "contest/account/tokens.html", _context(request, request.viewer, form), status=status)


def _create_token(request: Request, form: TokenForm) -> HttpResponse:
    at, given, claim = clock.now(), form.cleaned_data, None
    player = given["player"]
    if player is None:
        rate_limits.pass_address(client_ip.sender_of(request))
        player, claim = api_tokens.make_program(given["nickname"], request.user, at)
    expires_at = at + timedelta(days=int(given["days"])) if given["days"] else None
    created = api_tokens.make(
        player, request.user, at, name=given["name"], scopes=given["scopes"], expires_at=expires_at
    )
    viewer = Viewer(request.viewer.claims, request.viewer.proved | {player.pk}, request.viewer.is_organiser)
    context = _context(request, viewer, TokenForm(viewer)) | {"made": created}
    response = render(request, "contest/account/tokens.html", context)
    if claim:
        players.remember_claim(response, request.viewer, player.pk, claim)
    return response


def _context(request: Request, viewer: Viewer, form: TokenForm) -> dict[str, object]:
    at = clock.now()
    tokens = Token.objects.filter(player__in=viewer.players, revoked_at=None).select_related("player")
    chosen = Paginator(tokens, PER_PAGE).get_page(request.GET.get("page"))
    valid = set(tokens.valid(at).filter(pk__in=[token.pk for token in chosen]).values_list("pk", flat=True))
    return {"form": form, "chosen": chosen, "tokens": [(token, token.pk in valid) for token in chosen]}


def _message_for_refusal(reason: Exception) -> str:
    if isinstance(reason, BadName):
        return reason.message
    if isinstance(reason, rate_limits.Busy):
        return gettext("Too many requests from your network. Try again in a minute.")
    return str(reason)


@require_POST
def revoke_token(request: Request, public_id: str) -> HttpResponse:
    token = get_object_or_404(Token, public_id=public_id, player__in=request.viewer.players)
    api_tokens.revoke(token, request.user, clock.now())
    return redirect("tokens")
