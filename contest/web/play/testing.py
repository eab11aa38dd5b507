"""An unopened round for the testers whom an organiser named (rule 4.14): agree, play, submit."""

from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest import visibility
from contest.infra import client_ip, clock
from contest.models import Level, Player, Tester
from contest.players import entering
from contest.rounds import testers
from contest.submissions import Refused, at_once
from contest.web.play.receipts import is_asked_by_script, with_retry
from contest.web.play.sentences import script_messages
from contest.web.shell.request import Request

_FORM = require_http_methods(["GET", "HEAD", "POST"])
_MOST_NAMES = 20


class AgreeForm(forms.Form):
    """A tester's agreement not to enter the round, with the tester's other nicknames."""

    names = forms.CharField(
        label=gettext_lazy("Other nicknames you have used, one per line"),
        required=False,
        max_length=4_000,
        help_text=gettext_lazy("The nicknames of your account and of this browser are known already."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    agrees = forms.BooleanField(
        label=gettext_lazy(
            "I will not enter this round, under any nickname, and will not tell anybody about its levels."
        ),
        error_messages={"required": gettext_lazy("Without this you cannot see the levels.")},
    )

    def clean_names(self) -> list[Player]:
        """Return the named players; raise ValidationError for unknown or too many names."""
        names: list[str] = [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]
        if len(names) > _MOST_NAMES:
            raise forms.ValidationError(_("Too many nicknames."))
        found = {name: entering.find_player(name) for name in names}
        if unknown := [name for name, player in found.items() if player is None]:
            raise forms.ValidationError(_("There is no player called “%(name)s”.") % {"name": unknown[0]})
        return [player for player in found.values() if player]


class MovesForm(forms.Form):
    """A tester's solution. The game's script needs these field names; a tester enters no nickname."""

    moves = forms.CharField(
        label=pgettext_lazy("text", "Moves"),
        strip=False,
        error_messages={"required": gettext_lazy("Paste your moves here.")},
        widget=forms.Textarea(attrs={"class": "moves", "rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )
    nickname = forms.CharField(required=False, initial="-", widget=forms.HiddenInput)
    idempotency_key = forms.CharField(required=False, widget=forms.HiddenInput)


@never_cache
@login_required
@_FORM
def test_page(request: Request, pk: int) -> HttpResponse:
    """Show the agreement; once the tester agrees, show the levels and the verdicts of submitted solutions."""
    tester = _tester(request, pk)
    at = clock.now()
    form = AgreeForm(request.POST or None, label_suffix="")
    if form.is_bound and form.is_valid():
        user = cast(User, request.user)
        try:
            testers.agree(tester, form.cleaned_data["names"], viewer=request.viewer, at=at, by=user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("test", pk)
    context = {
        "tester": tester,
        "form": form,
        "may_agree": testers.may_agree(tester, at),
        "levels": visibility.tested_levels(tester, at),
        "entries": tester.entries.all()[:100],
    }
    return render(request, "contest/play/test.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@_FORM
def test_play(request: Request, pk: int, slot: str) -> HttpResponse:
    """Play a level before its round opens; each view is written to the record."""
    tester = _tester(request, pk)
    at = clock.now()
    level = get_object_or_404(visibility.tested_levels(tester, at), slot=slot)
    testers.record_view(tester, level, viewer=request.viewer, at=at, by=cast(User, request.user))
    status, retry_after = 200, None
    form = MovesForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                address = client_ip.sender_of(request)
                at_once.enter_as_tester(tester, level, form.cleaned_data["moves"], at=at, address=address)
            except Refused as refusal:
                form.add_error("moves", refusal.reason)
                status, retry_after = refusal.status, refusal.retry_after
            else:
                where = reverse("test", args=[pk])
                return JsonResponse({"receipt": where}, status=201) if is_asked_by_script(request) else redirect(where)
        if is_asked_by_script(request):
            return with_retry(JsonResponse({"errors": form.errors}, status=status), retry_after)
    return with_retry(
        render(request, "contest/play/test_play.html", _play_context(tester, level, form), status=status), retry_after
    )


def _tester(request: Request, pk: int) -> Tester:
    found = Tester.objects.filter(account=request.user.pk, ended_at=None).select_related("round").filter(pk=pk).first()
    if found is None or found.round is None:
        raise Http404
    return found


def _play_context(tester: Tester, level: Level, form: MovesForm) -> dict[str, Any]:
    facts = {
        "sentences": script_messages(),
        "hints": "",
        "numbers": "",
        "worker": "",
        "daily": "",
    }
    return {
        "tester": tester,
        "level": level,
        "form": form,
        "send_to": reverse("test-play", args=[tester.pk, level.slot]),
        "is_practice": False,
        "bests": [],
        "facts": {**facts, "next": ""},
    }
