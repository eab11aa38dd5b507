"""An organiser's API tokens: created after a second factor, shown once, revoked here (docs/reference/api.md)."""

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.infra import clock
from contest.models import DeskToken
from contest.organising import desk_tokens
from contest.organising.acts import add_errors


class TokenForm(forms.Form):
    """The purpose of a token."""

    name = forms.CharField(label=_("What it is for"), max_length=100)


@staff("add_round", fresh=True, by_factor=True)
@require_http_methods(["GET", "POST"])
def own_tokens(request: StaffRequest) -> HttpResponse:
    """List the user's own tokens; a POST creates or revokes one."""
    at, text = clock.now(), ""
    if request.method == "POST" and "end" in request.POST:
        token = get_object_or_404(DeskToken, public_id=request.POST["end"], user=request.user)
        desk_tokens.revoke_token(token, at)
        return redirect("desk-tokens")
    form = TokenForm(request.POST or None, label_suffix="")
    if form.is_bound and form.is_valid():
        try:
            text = desk_tokens.create_token(request.user, form.cleaned_data["name"], at)
        except ValidationError as error:
            add_errors(form, error)
    context = {"form": form, "text": text, "tokens": request.user.desk_tokens.valid(at), "days": desk_tokens.DAYS}
    return render(request, "contest/desk/people/tokens.html", context, status=422 if form.errors else 200)
