"""The staff on the desk: invite by a link, give a role, sign out, help after the loss of a device.

For superusers and users with `auth.change_user`: a role given here grants every permission of the role. Changing an
account needs a second factor from the last ten minutes, not only a password.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from contest.desk.access import StaffRequest, staff
from contest.models import AuditEntry, Track
from contest.organising.acts import add_errors
from contest.staff import audit_log, members, roles

_MAY = "auth.change_user"


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), widget=forms.RadioSelect)
    tracks = forms.ModelMultipleChoiceField(
        Track.objects.all(),
        label=gettext_lazy("Tracks of an organiser of tracks"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, may_leave: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        choices = [(name, f"{title}: {means}") for name, (title, means) in roles.ROLE_TEXTS.items()]
        if may_leave:
            choices.append(("", _("none: remove them from the organisers and sign them out")))
            self.fields["role"].required = False
        self.fields["role"].choices = choices  # type: ignore[attr-defined]  # a choice

    def clean(self) -> dict[str, Any]:
        """Require tracks for the one role that is limited to some, and drop them for every other role."""
        cleaned = super().clean() or self.cleaned_data
        is_limited = cleaned.get("role") == "track-organiser"
        if is_limited and not cleaned.get("tracks"):
            self.add_error("tracks", _("Tick the tracks that they organise."))
        return {**cleaned, "tracks": cleaned.get("tracks") if is_limited else Track.objects.none()}


class InviteForm(RoleForm):
    username = User._meta.get_field("username").formfield(label=gettext_lazy("User name"), help_text="")
    field_order = ["username"]


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("How you verified who is asking"),
        max_length=300,
        help_text=gettext_lazy("Stored in the audit log."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class PasswordForm(forms.Form):
    password = forms.CharField(
        label=gettext_lazy("Choose a password"),
        strip=False,
        max_length=256,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=gettext_lazy("At least eight characters, and not a common password."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user)
        return password


@dataclass(frozen=True)
class _Act:
    """An act on an account: its button, its consequences, and its form."""

    title: Promise
    means: Promise
    form: type[forms.Form]


ACTS = {
    "role": _Act(gettext_lazy("Change the role"), gettext_lazy("It takes effect on the next page."), RoleForm),
    "sessions": _Act(
        gettext_lazy("Sign out everywhere"),
        gettext_lazy("They have to sign in again in every browser."),
        forms.Form,
    ),
    "factor": _Act(
        gettext_lazy("Reset two-step verification"),
        gettext_lazy(
            "For a lost device. All their devices, passkeys and recovery codes stop working, and they are signed out."
            " The password stays. You get an invitation to set up a new device. It works once, within a day."
        ),
        ReasonForm,
    ),
    "link": _Act(
        gettext_lazy("Create a new link"),
        gettext_lazy(
            "Their password, devices, sessions and older links stop working. You get a link with which they choose a "
            "new password, once, within three days."
        ),
        ReasonForm,
    ),
}


@staff(_MAY, fresh=True, by_factor=True)
@require_http_methods(["GET", "POST"])
def all_members(request: StaffRequest) -> HttpResponse:
    """List the staff with their roles, with a form to invite somebody."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            given = form.cleaned_data
            user, code = members.invite(given["username"], given["role"], by=request.user, tracks=_slugs(given))
        except ValidationError as error:
            add_errors(form, error)
        else:
            return _show_link(request, user, code)
    context = {"form": form, "listed": [_member_context(user) for user in members.members()]}
    return render(request, "contest/desk/people/members.html", context, status=422 if form.errors else 200)


@staff(_MAY)
@require_safe
def member(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one staff member: role, device, and available acts."""
    user = get_object_or_404(members.members(), pk=pk)
    offered = [(name, ACTS[name].title) for name in _allowed_acts(request.user, user)]
    context = {**_member_context(user), "acts": offered, "entries": _log_entries(user)[:20]}
    return render(request, "contest/desk/people/member.html", context)


@staff(_MAY, fresh=True, by_factor=True)
@require_http_methods(["GET", "POST"])
def act(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    """Ask for the act's input and show its consequences; a POST does it."""
    user = get_object_or_404(members.members(), pk=pk)
    if name not in _allowed_acts(request.user, user):
        raise Http404
    chosen = ACTS[name]
    form = _build_form(request, user, chosen)
    if form.is_bound and form.is_valid():
        answer = _run_act(request, user, name, form.cleaned_data)
        return answer or redirect("desk-members" if not user.is_staff else reverse("desk-member", args=[pk]))
    context = {"member": user, "act": chosen, "form": form}
    return render(request, "contest/desk/people/member_act.html", context, status=422 if form.errors else 200)


def _allowed_acts(manager: User, user: User) -> list[str]:
    """Return the acts that *manager* may do on *user*; a superuser has no role to change."""
    if not members.may_manage(manager, user):
        return []
    return [name for name in ACTS if not (name == "role" and user.is_superuser)]


def _build_form(request: StaffRequest, user: User, chosen: _Act) -> forms.Form:
    given = request.POST if request.method == "POST" else None
    if chosen.form is RoleForm:
        held = user.groups.order_by("name").values_list("name", flat=True).first()
        return RoleForm(given, may_leave=True, initial={"role": held, "tracks": user.owned_tracks.all()})
    return chosen.form(given)


def _run_act(request: StaffRequest, user: User, name: str, given: dict[str, Any]) -> HttpResponse | None:
    """Do the act *name*. Return the page that shows a secret once, or None if there is no secret."""
    by = request.user
    if name == "factor":
        code = members.reset_factor(user, by=by, reason=given["reason"])
        return _render_secret(request, {"member": user, "invitation": code})
    if name == "link":
        return _show_link(request, user, members.make_link(user, by=by, reason=given["reason"]))
    if name == "role":
        members.give_role(user, given["role"], by=by, tracks=_slugs(given))
        user.is_staff = bool(given["role"])
    else:
        members.end_sessions(user, by=by)
    messages.success(request, f"{user}: {ACTS[name].title}")
    return None


def _slugs(given: dict[str, Any]) -> list[str]:
    return [track.slug for track in given["tracks"]]


def _show_link(request: StaffRequest, user: User, code: str) -> HttpResponse:
    link = request.build_absolute_uri(reverse("staff-join", args=[code]))
    return _render_secret(request, {"member": user, "link": link})


def _render_secret(request: StaffRequest, context: dict[str, Any]) -> HttpResponse:
    return render(request, "contest/desk/people/member_secret.html", context)


def _member_context(user: User) -> dict[str, Any]:
    """Return a staff member's template context, with the role names in words."""
    held = [group.name for group in user.groups.all()]
    named = [str(roles.ROLE_TEXTS[name][0]) if name in roles.ROLE_TEXTS else name for name in held]
    if user.is_superuser:
        named = [_("superuser: may do everything")]
    owned = list(user.owned_tracks.all())
    return {"member": user, "roles": named, "tracks": owned, "is_awaited": members.is_awaited(user)}


def _log_entries(user: User) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(target=audit_log.target_name(user))


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Open an invitation link: the invited person chooses a password and continues to the desk."""
    user = members.find_invited_user(code)
    form = PasswordForm(request.POST if request.method == "POST" else None, user=user) if user else None
    if form is not None and form.is_bound and form.is_valid():
        user = members.join(code, form.cleaned_data["password"])
        if user is not None:
            messages.success(
                request, _("Your password was saved. Sign in with it now; then set up two-step verification.")
            )
            return redirect("desk")
        form = None
    status = 404 if form is None else 422 if form.errors else 200
    response = render(request, "contest/desk/people/join.html", {"form": form, "member": user}, status=status)
    add_never_cache_headers(response)
    return response
