"""Access to the desk: a role, always a second factor, and a fresh proof before acts that cannot be undone.

If a proof is missing, the page asks for it and repeats the submitted fields in its form. A login that ends in the
middle of an edit therefore costs a password and not the work.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

import redis
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from contest.desk.retries import call_again
from contest.infra import identity
from contest.infra.attempts import Attempts
from contest.staff import account_acts, allauth_internals, first_minutes, second_factors
from contest.web.shell.middleware import Handler
from contest.web.shell.request import Request
from contest.web.shell.trouble import render_sign_in_unavailable

# Fields that the page asking for a proof adds to a form.
_PROOFS = ("proof-name", "proof-password", "proof-code")
_WAS_GET = "proof-was-get"
# Replaces a proof while no second factor is required: the user has read the sentence about the act.
_READ = "proof-read"
# The value of the buttons *Preview the changes* and *Refresh*, which change nothing.
_PREVIEW = "look"


class StaffRequest(Request):
    """A request by a staff member that carries every proof the page requires."""

    user: User


View = Callable[..., HttpResponseBase]


def staff(*permissions: str, fresh: bool = False, by_factor: bool = False) -> Callable[[View], View]:
    """Allow users with one of *permissions* (of this app, or `app_label.codename`). With *fresh*, a POST needs a proof
    from the last ten minutes; with *by_factor*, that proof must be a second factor, not only the password.
    """

    def guard(view: View) -> View:
        @wraps(view)
        def answer(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            missing = _missing_proof(request, fresh=fresh, by_factor=by_factor)
            response = missing or _call_view(view, request, permissions, *args, **kwargs)
            add_never_cache_headers(response)
            return response

        return answer

    return guard


def _call_view(
    view: View, request: StaffRequest, permissions: Iterable[str], *args: Any, **kwargs: Any
) -> HttpResponseBase:
    if not may_any(request.user, permissions):
        raise Http404  # the same response as for an unknown URL
    response = call_again(view, request, *args, **kwargs)
    is_done = request.method == "POST" and response.status_code == HTTPStatus.FOUND
    if is_done and not getattr(messages.get_messages(request), "added_new", True):
        messages.success(request, _("Done."))  # every successful POST shows a message
    return response


def may_any(user: User, permissions: Iterable[str]) -> bool:
    """Return True if *user* has any of *permissions*."""
    return any(user.has_perm(name if "." in name else f"contest.{name}") for name in permissions)


def second_factor(get_response: Handler) -> Handler:
    """Require the same proofs in the plain admin: always a second factor, and a fresh proof for its acts.

    A staff member also needs a fresh proof to create a token.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.path == reverse("tokens") and _is_staff(request):
            return _missing_proof(request, fresh=True) or get_response(request)
        if not request.path.startswith(reverse("admin:index")) or request.path.startswith(
            (reverse("admin:login"), reverse("admin:logout"), reverse("admin:jsi18n"))
        ):
            return get_response(request)
        if not (request.user.is_authenticated and request.user.is_staff):
            return get_response(request)  # the admin itself rejects this user
        # A form with this field filled in announces the round.
        is_act = request.path.endswith("/do/") or bool(request.POST.get("announced_at_0"))
        is_account = request.path.startswith(_account_pages())
        missing = _missing_proof(request, fresh=is_act or is_account, on_get=is_account, by_factor=is_account)
        response = missing or get_response(request)
        if request.path == reverse("admin:password_change") and response.status_code == HTTPStatus.FOUND:
            account_acts.log_and_notify(request.user, "change password", request.user)
        return response

    return answer


def _account_pages() -> tuple[str, ...]:
    """Return URL prefixes of the admin pages that show and change passwords and accounts, own and others'."""
    return (reverse("admin:password_change"), reverse("admin:app_list", args=["auth"]))


def _missing_proof(
    request: HttpRequest, *, fresh: bool, on_get: bool = False, by_factor: bool = False, enrols: bool = False
) -> HttpResponse | None:
    """Return the page that asks for the proof *request* lacks, or None if it carries every proof.

    With *by_factor*, a fresh proof must be a second factor, not only the password. With *enrols*, the page itself sets
    up a second factor, so a user without one may pass.
    """
    try:
        wrong = _check_proof(request)
    except redis.RedisError:  # without Redis, attempts cannot be counted
        return render_sign_in_unavailable(request)
    if not request.user.is_authenticated:
        return _ask_for_proof(request, wrong, name=True)
    if not _is_staff(request):
        raise Http404
    if not settings.SECOND_FACTOR_FOR_STAFF:
        return _continue_request(request)
    if not second_factors.began_as_staff(request):
        return _ask_for_proof(request, wrong, name=True)
    is_proved = second_factors.proved_at(request) is not None
    if not is_proved and not _factors(request).exists():
        if not (by_factor or enrols) and first_minutes.factor_may_wait(request):
            needs_word = fresh and request.method == "POST" and request.POST.get("do") != _PREVIEW
            return _ask_to_confirm(request) if needs_word and _READ not in request.POST else _continue_request(request)
        if enrols:
            return _continue_request(request)
        return redirect(f"{reverse('desk-second-factor')}?next={_page_url(request)}")
    must_be_fresh = fresh and (on_get or request.method == "POST")
    if not is_proved or (must_be_fresh and not second_factors.is_fresh(request, by_factor=by_factor)):
        return _ask_for_proof(request, wrong, code=by_factor or not is_proved)
    return _continue_request(request)


def _ask_to_confirm(request: HttpRequest) -> HttpResponse:
    """Show a sentence that describes the act instead of asking for a proof; its form continues the act."""
    fields, is_lost_file = _fields_to_repeat(request)
    context = {"kept": [*fields, (_READ, "1")], "is_lost_file": is_lost_file, "here": request.get_full_path()}
    return render(request, "contest/desk/access/sure.html", context, status=403)


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_staff and request.user.is_active


def _page_url(request: HttpRequest) -> str:
    return request.get_full_path() if request.method == "GET" else request.path


def _factors(request: HttpRequest) -> Any:
    return Authenticator.objects.filter(user_id=request.user.pk, type__in=second_factors.FACTORS)


def _check_proof(request: HttpRequest) -> str:
    """Check the proofs sent with a form. Return an error message, or an empty string."""
    given = {name: request.POST.get(name, "").strip() for name in _PROOFS} if request.method == "POST" else {}
    if not any(given.values()):
        return ""
    if any("\0" in text for text in given.values()):  # the database rejects NUL, and no name or password contains it
        return _("Wrong user name or password.")
    if not second_factors.began_as_staff(request):
        wrong = _check_password(request, given["proof-name"], given["proof-password"])
        if wrong or not given["proof-code"]:
            return wrong
    if not Attempts(request).may("code", user=cast(User, request.user)):
        return _too_many_attempts()
    if given["proof-password"] and not given["proof-name"]:
        if not request.user.check_password(given["proof-password"]):
            return _("The password is wrong.")
        allauth_internals.record_authentication(request, request.user, "password", reauthenticated=True)
    return _check_code(request, given["proof-code"]) if given["proof-code"] else ""


def _check_password(request: HttpRequest, name: str, password: str) -> str:
    """Start a staff session; return an error message, or "". After a passkey sign-in the limit for codes applies."""
    if request.user.is_authenticated and second_factors.signed_in_by_passkey(request, name):
        allowed = Attempts(request).may("code", user=request.user)
    else:
        named = User.objects.filter(username=name, is_staff=True).first()
        allowed = Attempts(request).may("password", name, named)
    if not allowed:
        return _too_many_attempts()
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User) or not user.is_staff:
        return _("Wrong user name or password.")
    request.session.pop(AUTHENTICATION_METHODS_SESSION_KEY, None)  # proofs from a player's session no longer count
    login(request, user)
    return ""


def _too_many_attempts() -> str:
    return _("Too many attempts. Wait a few minutes, or use a browser or a passkey that has opened the desk before.")


def _check_code(request: HttpRequest, code: str) -> str:
    authenticator = _factors(request).filter(type=Authenticator.Type.TOTP).first()
    is_proved = authenticator is not None and second_factors.use_app_code(authenticator, code)
    if not is_proved and isinstance(request.user, User):
        authenticator = second_factors.use_code(request.user, code)
    if authenticator is None:
        return _("The code is wrong or was used already. Use the next one.")
    allauth_internals.post_authentication(request, authenticator, reauthenticated=True)
    return ""


def _ask_for_proof(request: HttpRequest, wrong: str, *, name: bool = False, code: bool = False) -> HttpResponse:
    """Ask for name and password, for a code, or for either a password or a code; repeat the submitted fields."""
    fields, is_lost_file = _fields_to_repeat(request)
    authenticators = Authenticator.objects.filter(user_id=request.user.pk)
    factors = set(authenticators.values_list("type", flat=True)) if request.user.is_authenticated else set()
    context = {
        "title": _("Sign in to the desk") if name else _("Confirm your identity"),
        "asks_name": name,
        "asks_password": not code,
        "takes_either": not (name or code),
        "asks_code": name or bool(factors - {Authenticator.Type.WEBAUTHN}),
        # Before the password, a passkey is no second factor: it would redirect back to this page.
        "has_passkey": not name and Authenticator.Type.WEBAUTHN in factors,
        "kept": fields,
        "is_edit": any(key != _WAS_GET for key, _value in fields),
        "is_lost_file": is_lost_file,
        "wrong": wrong,
        "here": request.get_full_path(),
    }
    return render(request, "contest/desk/access/prove.html", context, status=403)


def _fields_to_repeat(request: HttpRequest) -> tuple[list[tuple[str, str]], bool]:
    """Return the fields that an intermediate page repeats in its form, and whether an uploaded file was lost."""
    if request.method != "POST":
        return [(_WAS_GET, "1")], False
    left_out = {*_PROOFS, "csrfmiddlewaretoken"}
    fields = [(key, value) for key, values in request.POST.lists() if key not in left_out for value in values]
    return fields, bool(request.FILES)


def _continue_request(request: HttpRequest) -> HttpResponse | None:
    """Remove the proofs from request.POST before the view runs; redirect if the original request was a GET."""
    if request.method != "POST" or not any(name in request.POST for name in (*_PROOFS, _WAS_GET, _READ)):
        return None
    if _WAS_GET in request.POST:
        return redirect(request.get_full_path())
    left: QueryDict = request.POST.copy()
    for name in (*_PROOFS, _READ):
        left.pop(name, None)
    request.POST = left  # type: ignore[assignment]  # the view must not see the proofs
    return None


def set_up(request: HttpRequest) -> HttpResponse:
    """Let a staff member set up a first second factor, or with ?app an app beside a passkey; redirect others.

    After the first day the password alone is not enough: setting up a second factor then requires an invitation.
    """
    if missing := _missing_proof(request, fresh=False, enrols=True):
        return missing
    next_ = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(next_, {request.get_host()}):
        next_ = ""
    held = set(_factors(request).values_list("type", flat=True))
    if held and ("app" not in request.GET or Authenticator.Type.TOTP in held):
        return redirect(next_ or "desk-recovery")
    if held and (missing := _missing_proof(request, fresh=True, on_get=True, by_factor=True)):
        return missing
    if not held and not second_factors.may_enrol(request):
        return _ask_for_invitation(request)
    next_ = next_ or reverse("desk")
    secret = allauth_internals.get_totp_secret(regenerate=request.method != "POST")
    wrong = ""
    if request.method == "POST":
        code = request.POST.get("code", "")
        if not allauth_internals.validate_totp_code(secret, code):
            wrong = _("The code is wrong. Check that your device's clock is right.")
        else:
            authenticator = second_factors.add_app(cast(User, request.user), secret, code)
            allauth_internals.clear_totp_secret(request)
            allauth_internals.post_authentication(request, authenticator, reauthenticated=True)
            has_codes = second_factors.factors_of(cast(User, request.user)).codes_left
            return redirect("desk-recovery") if has_codes else _show_new_codes(request, next_)
    url = get_adapter().build_totp_url(request.user, secret)
    picture = second_factors.qr_code(url)
    context = {"secret": secret, "url": url, "picture": picture, "wrong": wrong, "is_first": not held}
    response = render(request, "contest/desk/access/second_factor.html", context, status=422 if wrong else 200)
    add_never_cache_headers(response)
    return response


def _ask_for_invitation(request: HttpRequest) -> HttpResponse:
    """Ask for the operator's invitation code; continue once a valid one is submitted."""
    given = request.POST.get("invitation", "")
    if given and second_factors.accept_invitation(request, given):
        return redirect(request.get_full_path())
    response = render(request, "contest/desk/access/invitation.html", {"is_wrong": bool(given)}, status=403)
    add_never_cache_headers(response)
    return response


def _show_new_codes(request: HttpRequest, next_: str) -> HttpResponse:
    """Create recovery codes and show them, only in this response."""
    if not isinstance(request.user, User):  # every caller requires a signed-in user
        raise Http404
    codes = second_factors.make_codes(request.user)
    text = "\n".join([f"{identity.short_name()}, {request.get_host()}, {request.user.get_username()}", *codes, ""])
    context = {"codes": codes, "file": "data:text/plain;charset=utf-8;base64," + b64encode(text.encode()).decode()}
    response = render(request, "contest/desk/access/codes.html", context | {"next": next_})
    add_never_cache_headers(response)
    return response


def recovery(request: HttpRequest) -> HttpResponse:
    """Show the user's second factors; a POST with a fresh proof creates new recovery codes."""
    if missing := _missing_proof(request, fresh=True, by_factor=True):
        return missing
    if request.method == "POST":
        return _show_new_codes(request, reverse("desk"))
    user = cast(User, request.user)
    context = {"held": second_factors.factors_of(user), "account_acts": account_acts.recent_acts(user)}
    response = render(request, "contest/desk/access/recovery.html", context)
    add_never_cache_headers(response)
    return response


def confirm(request: HttpRequest) -> HttpResponse:
    """Ask for a fresh second factor on behalf of an account page that requires it, then redirect to that page."""
    if missing := _missing_proof(request, fresh=True, on_get=True, by_factor=True):
        return missing
    next_ = request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(next_, {request.get_host()})
    return redirect(next_ if allowed else "desk")
