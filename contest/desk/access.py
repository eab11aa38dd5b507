"""Who comes to the desk: a role, a second factor always, and a fresh proof before what cannot be taken back.

Where a proof is missing, the page asks for it and keeps what was written: the form goes on with the proof beside it,
so that a login that ended in mid-edit costs a password and not the work.
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

from contest.infra.attempts import Attempts
from contest.staff import account_acts, allauth_internals, first_minutes, second_factors
from contest.web.shell.middleware import Handler
from contest.web.shell.request import Request
from contest.web.shell.trouble import resting

# What the page that asks for a proof adds to a form.
_PROOFS = ("proof-name", "proof-password", "proof-code")
_WAS_GET = "proof-was-get"
# What stands for a proof while no second factor is asked for: that the sentence about the act was read.
_READ = "proof-read"


class StaffRequest(Request):
    """A request of somebody on the staff, with all proofs that the page asks for."""

    user: User


View = Callable[..., HttpResponseBase]


def staff(*permissions: str, fresh: bool = False, by_factor: bool = False) -> Callable[[View], View]:
    """Let in who has one of *permissions* (of this app, or of another by its label); with *fresh*, a proof of the last
    ten minutes to post, and with *by_factor* one of the factor, not of the password alone.
    """

    def guard(view: View) -> View:
        @wraps(view)
        def answer(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            missing = _missing(request, fresh=fresh, by_factor=by_factor)
            response = missing or _answer(view, request, permissions, *args, **kwargs)
            add_never_cache_headers(response)
            return response

        return answer

    return guard


def _answer(
    view: View, request: StaffRequest, permissions: Iterable[str], *args: Any, **kwargs: Any
) -> HttpResponseBase:
    if not may_any(request.user, permissions):
        raise Http404  # unknown and forbidden look alike
    response = view(request, *args, **kwargs)
    is_done = request.method == "POST" and response.status_code == HTTPStatus.FOUND
    if is_done and not getattr(messages.get_messages(request), "added_new", True):
        messages.success(request, _("Done."))  # whoever pressed a button reads that something came of it
    return response


def may_any(user: User, permissions: Iterable[str]) -> bool:
    """Whether *user* has one of *permissions*."""
    return any(user.has_perm(name if "." in name else f"contest.{name}") for name in permissions)


def second_factor(get_response: Handler) -> Handler:
    """Ask for the same proofs in the plain admin: a second factor always, a fresh proof for its acts.

    A fresh proof, too, before somebody of the staff makes a token.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.path == reverse("tokens") and _is_staff(request):
            return _missing(request, fresh=True) or get_response(request)
        if not request.path.startswith(reverse("admin:index")) or request.path.startswith(
            (reverse("admin:login"), reverse("admin:logout"), reverse("admin:jsi18n"))
        ):
            return get_response(request)
        if not (request.user.is_authenticated and request.user.is_staff):
            return get_response(request)  # the admin turns them away itself
        # A form with this field filled in announces a round.
        is_act = request.path.endswith("/do/") or bool(request.POST.get("announced_at_0"))
        is_account = request.path.startswith(_account_pages())
        missing = _missing(request, fresh=is_act or is_account, on_get=is_account, by_factor=is_account)
        response = missing or get_response(request)
        if request.path == reverse("admin:password_change") and response.status_code == HTTPStatus.FOUND:
            account_acts.note(request.user, "change password", request.user)
        return response

    return answer


def _account_pages() -> tuple[str, ...]:
    """Where the plain admin shows and changes what opens an account, one's own and others'."""
    return (reverse("admin:password_change"), reverse("admin:app_list", args=["auth"]))


def _missing(
    request: HttpRequest, *, fresh: bool, on_get: bool = False, by_factor: bool = False, enrols: bool = False
) -> HttpResponse | None:
    """The page that asks for what *request* lacks; None where it has brought every proof.

    With *by_factor* a fresh proof is one of the factor, not of the password alone. Where the page itself *enrols*, who
    has no factor yet may come in without.
    """
    try:
        wrong = _take_proof(request)
    except redis.RedisError:  # nobody would count the guesses
        return resting(request)
    if not request.user.is_authenticated:
        return _ask(request, wrong, name=True)
    if not _is_staff(request):
        raise Http404
    if not settings.SECOND_FACTOR_FOR_STAFF:
        return _go_on(request)
    if not second_factors.began_as_staff(request):
        return _ask(request, wrong, name=True)
    is_proved = second_factors.proved_at(request) is not None
    if not is_proved and not _factors(request).exists():
        if not (by_factor or enrols) and first_minutes.factor_may_wait(request):
            return _go_on(request) if not fresh or _has_read(request) else _say_what_it_is(request)
        return _go_on(request) if enrols else redirect(f"{reverse('desk-second-factor')}?next={_here(request)}")
    must_be_fresh = fresh and (on_get or request.method == "POST")
    if not is_proved or (must_be_fresh and not second_factors.is_fresh(request, by_factor=by_factor)):
        return _ask(request, wrong, code=by_factor or not is_proved)
    return _go_on(request)


def _has_read(request: HttpRequest) -> bool:
    return request.method != "POST" or _READ in request.POST


def _say_what_it_is(request: HttpRequest) -> HttpResponse:
    """In place of a proof, one sentence that says what an act is; the act goes on from there."""
    kept, is_lost_file = _fields_to_go_on(request)
    words = {"kept": [*kept, (_READ, "1")], "is_lost_file": is_lost_file, "here": request.get_full_path()}
    return render(request, "contest/desk/access/sure.html", words, status=403)


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_staff and request.user.is_active


def _here(request: HttpRequest) -> str:
    return request.get_full_path() if request.method == "GET" else request.path


def _factors(request: HttpRequest) -> Any:
    return Authenticator.objects.filter(user_id=request.user.pk, type__in=second_factors.FACTORS)


def _take_proof(request: HttpRequest) -> str:
    """Read the proofs that came with a form; say what is wrong with them."""
    given = {name: request.POST.get(name, "").strip() for name in _PROOFS} if request.method == "POST" else {}
    if not any(given.values()):
        return ""
    if any("\0" in text for text in given.values()):  # the database takes none, and nobody has one
        return _("Wrong user name or password.")
    if not second_factors.began_as_staff(request):
        wrong = _take_password(request, given["proof-name"], given["proof-password"])
        if wrong or not given["proof-code"]:
            return wrong
    if not Attempts(request).may("code", user=cast(User, request.user)):
        return _too_many()
    if given["proof-password"] and not given["proof-name"]:
        if not request.user.check_password(given["proof-password"]):
            return _("The password is wrong.")
        allauth_internals.record_authentication(request, request.user, "password", reauthenticated=True)
    return _take_code(request, given["proof-code"]) if given["proof-code"] else ""


def _take_password(request: HttpRequest, name: str, password: str) -> str:
    """Begin a session of the staff; say why not. Whoever has just signed in by a passkey is no stranger."""
    if request.user.is_authenticated and second_factors.came_by_passkey(request, name):
        allowed = Attempts(request).may("code", user=request.user)
    else:
        named = User.objects.filter(username=name, is_staff=True).first()
        allowed = Attempts(request).may("password", name, named)
    if not allowed:
        return _too_many()
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User) or not user.is_staff:
        return _("Wrong user name or password.")
    request.session.pop(AUTHENTICATION_METHODS_SESSION_KEY, None)  # what was proved before, as a player, counts no more
    login(request, user)
    return ""


def _too_many() -> str:
    return _("Too many attempts. Wait a few minutes, or use a browser or a passkey that has opened the desk before.")


def _take_code(request: HttpRequest, code: str) -> str:
    kept = _factors(request).filter(type=Authenticator.Type.TOTP).first()
    if (kept is None or not kept.wrap().validate_code(code)) and isinstance(request.user, User):
        kept = second_factors.use_code(request.user, code)
    if kept is None:
        return _("The code is wrong or was used already. Use the next one.")
    allauth_internals.post_authentication(request, kept, reauthenticated=True)
    return ""


def _ask(request: HttpRequest, wrong: str, *, name: bool = False, code: bool = False) -> HttpResponse:
    """Ask for a name and password, for a code, or for any of a password and a code; keep what was sent."""
    kept, is_lost_file = _fields_to_go_on(request)
    mine = Authenticator.objects.filter(user_id=request.user.pk)
    factors = set(mine.values_list("type", flat=True)) if request.user.is_authenticated else set()
    words = {
        "asks_name": name,
        "asks_password": not code,
        "takes_either": not (name or code),
        "asks_code": name or bool(factors - {Authenticator.Type.WEBAUTHN}),
        # Before the password a passkey is no second factor: it would lead back to this page.
        "has_passkey": not name and Authenticator.Type.WEBAUTHN in factors,
        "kept": kept,
        "is_edit": any(key != _WAS_GET for key, _value in kept),
        "is_lost_file": is_lost_file,
        "wrong": wrong,
        "here": request.get_full_path(),
    }
    return render(request, "contest/desk/access/prove.html", words, status=403)


def _fields_to_go_on(request: HttpRequest) -> tuple[list[tuple[str, str]], bool]:
    """What a form goes on with after a page in between, and whether a file was lost on the way."""
    if request.method != "POST":
        return [(_WAS_GET, "1")], False
    left_out = {*_PROOFS, "csrfmiddlewaretoken"}
    kept = [(key, value) for key, values in request.POST.lists() if key not in left_out for value in values]
    return kept, bool(request.FILES)


def _go_on(request: HttpRequest) -> HttpResponse | None:
    """Hide the proofs from the page; one that was only looked for is looked at again by its own address."""
    if request.method != "POST" or not any(name in request.POST for name in (*_PROOFS, _WAS_GET, _READ)):
        return None
    if _WAS_GET in request.POST:
        return redirect(request.get_full_path())
    left: QueryDict = request.POST.copy()
    for name in (*_PROOFS, _READ):
        left.pop(name, None)
    request.POST = left  # type: ignore[assignment]  # a view reads its form without the proofs
    return None


def set_up(request: HttpRequest) -> HttpResponse:
    """Lead somebody of the staff without a second factor to one; show who has one what it is.

    A password alone sets up none after the first day: from then on it takes an invitation.
    """
    if missing := _missing(request, fresh=False, enrols=True):
        return missing
    next_ = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(next_, {request.get_host()}):
        next_ = ""
    if _factors(request).exists():
        return redirect(next_ or "desk-recovery")
    if not second_factors.may_enrol(request):
        return _ask_for_invitation(request)
    next_ = next_ or reverse("desk")
    secret = allauth_internals.get_totp_secret(regenerate=request.method != "POST")
    wrong = ""
    if request.method == "POST":
        code = request.POST.get("code", "")
        if not allauth_internals.validate_totp_code(secret, code):
            wrong = _("The code is wrong. Check that your device's clock is right.")
        else:
            kept = second_factors.add_app(cast(User, request.user), secret, code)
            allauth_internals.clear_totp_secret(request)
            allauth_internals.post_authentication(request, kept, reauthenticated=True)
            return _codes(request, next_)
    url = get_adapter().build_totp_url(request.user, secret)
    words = {"secret": secret, "url": url, "picture": _picture(url), "wrong": wrong}
    response = render(request, "contest/desk/access/second_factor.html", words, status=422 if wrong else 200)
    add_never_cache_headers(response)
    return response


def _ask_for_invitation(request: HttpRequest) -> HttpResponse:
    """Ask for the operator's invitation, and go on with one."""
    given = request.POST.get("invitation", "")
    if given and second_factors.accept(request, given):
        return redirect(request.get_full_path())
    response = render(request, "contest/desk/access/invitation.html", {"is_wrong": bool(given)}, status=403)
    add_never_cache_headers(response)
    return response


def _picture(url: str) -> str:
    """The square code as an address of its own: the page may show pictures from data, and no style in its text."""
    return "data:image/svg+xml;base64," + b64encode(get_adapter().build_totp_svg(url).encode()).decode()


def _codes(request: HttpRequest, next_: str) -> HttpResponse:
    """Make recovery codes and show them, this once."""
    if not isinstance(request.user, User):  # whoever comes here has signed in
        raise Http404
    codes = second_factors.make_codes(request.user)
    text = "\n".join([f"Leitai, {request.get_host()}, {request.user.get_username()}", *codes, ""])
    words = {"codes": codes, "file": "data:text/plain;charset=utf-8;base64," + b64encode(text.encode()).decode()}
    response = render(request, "contest/desk/access/codes.html", words | {"next": next_})
    add_never_cache_headers(response)
    return response


def recovery(request: HttpRequest) -> HttpResponse:
    """What second factor one has; a post, freshly proved, makes new recovery codes."""
    if missing := _missing(request, fresh=True, by_factor=True):
        return missing
    if request.method == "POST":
        return _codes(request, reverse("desk"))
    user = cast(User, request.user)
    words = {"held": second_factors.factors_of(user), "account_acts": account_acts.of(user)}
    response = render(request, "contest/desk/access/recovery.html", words)
    add_never_cache_headers(response)
    return response


def confirm(request: HttpRequest) -> HttpResponse:
    """Prove a second factor anew, for a page of the account that wants it; then go there."""
    if missing := _missing(request, fresh=True, on_get=True, by_factor=True):
        return missing
    next_ = request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(next_, {request.get_host()})
    return redirect(next_ if allowed else "desk")
