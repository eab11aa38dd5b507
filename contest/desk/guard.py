"""Who comes to the desk: a role, a second factor always, and a fresh proof before what cannot be taken back.

Where a proof is missing, the page asks for it and keeps what was written: the form goes on with the proof beside it,
so that a login that ended in mid-edit costs a password and not the work.
"""

import time
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, cast

import redis
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings
from django.contrib.auth import authenticate, login
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from contest import second_factors
from contest.middleware import Handler

FRESH_SECONDS = 600
# What the page that asks for a proof adds to a form.
_PROOFS = ("proof-name", "proof-password", "proof-code")
_WAS_GET = "proof-was-get"


class StaffRequest(HttpRequest):
    """A request of somebody on the staff, with all proofs that the page asks for."""

    user: User


View = Callable[..., HttpResponseBase]


def staff(*permissions: str, fresh: bool = False) -> Callable[[View], View]:
    """Let in who has one of *permissions* (of this app); with *fresh*, a proof of the last ten minutes to post."""

    def guarded(view: View) -> View:
        @wraps(view)
        def answer(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            response = _missing(request, fresh=fresh) or _answer(view, request, permissions, *args, **kwargs)
            add_never_cache_headers(response)
            return response

        return answer

    return guarded


def _answer(
    view: View, request: StaffRequest, permissions: Iterable[str], *args: Any, **kwargs: Any
) -> HttpResponseBase:
    if not any(request.user.has_perm(f"contest.{name}") for name in permissions):
        raise Http404  # unknown and forbidden look alike
    return view(request, *args, **kwargs)


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
        is_act = request.method == "POST" and request.path.endswith("/do/")
        return _missing(request, fresh=is_act) or get_response(request)

    return answer


def _missing(request: HttpRequest, *, fresh: bool, on_get: bool = False) -> HttpResponse | None:
    """The page that asks for what *request* lacks; None where it has brought every proof."""
    try:
        wrong = _take_proof(request)
    except redis.RedisError:  # nobody would count the guesses
        return render(request, "account/resting.html", status=503)
    if not request.user.is_authenticated:
        return _ask(request, wrong, name=True)
    if not _is_staff(request):
        raise Http404
    if not settings.SECOND_FACTOR_FOR_STAFF:
        return _go_on(request)
    proved_at = _proved_at(request)
    if proved_at is None and not _factors(request).exists():
        return redirect(f"{reverse('desk-second-factor')}?next={_here(request)}")
    is_stale = fresh and (on_get or request.method == "POST") and time.time() - (proved_at or 0) > FRESH_SECONDS
    if proved_at is None or is_stale:
        return _ask(request, wrong, code=proved_at is None)
    return _go_on(request)


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_staff and request.user.is_active


def _here(request: HttpRequest) -> str:
    return request.get_full_path() if request.method == "GET" else request.path


def _factors(request: HttpRequest) -> Any:
    return Authenticator.objects.filter(user_id=request.user.pk, type__in=second_factors.FACTORS)


def _proved_at(request: HttpRequest) -> float | None:
    """When a second factor, and since then perhaps a password, was last proved in this session."""
    if not isinstance(request.user, User):
        return None
    records = get_authentication_records(request, request.user)
    if not any(record["method"] == "mfa" for record in records):
        return None
    return max(float(record["at"]) for record in records if record["method"] in ("mfa", "password"))


def _take_proof(request: HttpRequest) -> str:
    """Read the proofs that came with a form; say what is wrong with them."""
    given = {name: request.POST.get(name, "").strip() for name in _PROOFS} if request.method == "POST" else {}
    if not any(given.values()):
        return ""
    if not _may_try(request, given["proof-name"]):
        return _("That were too many attempts. Wait some minutes.")
    if not request.user.is_authenticated:
        user = authenticate(request, username=given["proof-name"], password=given["proof-password"])
        if not isinstance(user, User) or not user.is_staff:
            return _("Name and password do not belong together.")
        login(request, user)
    elif given["proof-password"]:
        if not request.user.check_password(given["proof-password"]):
            return _("The password is wrong.")
        record_authentication(request, request.user, "password", reauthenticated=True)
    return _take_code(request, given["proof-code"]) if given["proof-code"] else ""


@receiver(user_logged_in)
def _note_password(request: HttpRequest | None, user: User, **_signal: Any) -> None:
    """Whoever of the staff signs in, here or at the plain admin, has just proved a password: passkeys ask for it."""
    if request is not None and user.is_staff:
        record_authentication(request, user, "password")


def _take_code(request: HttpRequest, code: str) -> str:
    kept = _factors(request).filter(type=Authenticator.Type.TOTP).first()
    if (kept is None or not totp.TOTP(kept).validate_code(code)) and isinstance(request.user, User):
        kept = second_factors.use_code(request.user, code)
    if kept is None:
        return _("The code is wrong, or it was used already. Take the next one.")
    post_authentication(request, kept, reauthenticated=True)
    return ""


def _may_try(request: HttpRequest, name: str) -> bool:
    """Ten attempts in five minutes for a name, from wherever."""
    who = str(request.user.pk) if request.user.is_authenticated else name.casefold()
    allowed: bool = bool(
        ratelimit.consume(request, app="desk", action="prove", config={"prove": "10/300s/key"}, key=who)
    )
    return allowed


def _ask(request: HttpRequest, wrong: str, *, name: bool = False, code: bool = False) -> HttpResponse:
    """Ask for a name and password, for a code, or for any of a password and a code; keep what was sent."""
    kept: list[tuple[str, str]] = []
    is_lost_file = False
    if request.method == "POST":
        left_out = {*_PROOFS, "csrfmiddlewaretoken"}
        kept = [(key, value) for key, values in request.POST.lists() if key not in left_out for value in values]
        is_lost_file = bool(request.FILES)
    elif request.method != "POST":
        kept = [(_WAS_GET, "1")]
    mine = Authenticator.objects.filter(user_id=request.user.pk)
    factors = set(mine.values_list("type", flat=True)) if request.user.is_authenticated else set()
    words = {
        "asks_name": name,
        "asks_password": not code,
        "asks_code": name or bool(factors - {Authenticator.Type.WEBAUTHN}),
        "has_passkey": Authenticator.Type.WEBAUTHN in factors,
        "kept": kept,
        "is_edit": any(key != _WAS_GET for key, _value in kept),
        "is_lost_file": is_lost_file,
        "wrong": wrong,
        "here": request.get_full_path(),
    }
    return render(request, "contest/desk/prove.html", words, status=403)


def _go_on(request: HttpRequest) -> HttpResponse | None:
    """Hide the proofs from the page; one that was only looked for is looked at again by its own address."""
    if request.method != "POST" or not any(name in request.POST for name in (*_PROOFS, _WAS_GET)):
        return None
    if _WAS_GET in request.POST:
        return redirect(request.get_full_path())
    left: QueryDict = request.POST.copy()
    for name in _PROOFS:
        left.pop(name, None)
    request.POST = left  # type: ignore[assignment]  # a view reads its form without the proofs
    return None


def set_up(request: HttpRequest) -> HttpResponse:
    """Lead somebody of the staff without a second factor to one; show who has one what it is."""
    if not request.user.is_authenticated:
        return redirect(f"{reverse('admin:login')}?next={request.get_full_path()}")
    if not _is_staff(request):
        raise Http404
    next_ = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(next_, {request.get_host()}):
        next_ = ""
    if _factors(request).exists():
        return redirect(next_ or "desk-recovery")
    next_ = next_ or reverse("desk")
    secret = totp.get_totp_secret(regenerate=request.method != "POST")
    wrong = ""
    if request.method == "POST":
        if not totp.validate_totp_code(secret, request.POST.get("code", "")):
            wrong = _("The code is wrong. Look whether the clock of your device is right.")
        else:
            kept = totp.TOTP.activate(request.user, secret).instance
            totp.clear_totp_secret(request)
            post_authentication(request, kept, reauthenticated=True)
            return _codes(request, next_)
    url = get_adapter().build_totp_url(request.user, secret)
    words = {"secret": secret, "url": url, "picture": _picture(url), "wrong": wrong}
    response = render(request, "contest/desk/second_factor.html", words, status=422 if wrong else 200)
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
    response = render(request, "contest/desk/codes.html", words | {"next": next_})
    add_never_cache_headers(response)
    return response


def recovery(request: HttpRequest) -> HttpResponse:
    """What second factor one has; a post, freshly proved, makes new recovery codes."""
    if missing := _missing(request, fresh=True):
        return missing
    if request.method == "POST":
        return _codes(request, reverse("desk"))
    held = second_factors.held(cast(User, request.user))
    response = render(request, "contest/desk/recovery.html", {"held": held})
    add_never_cache_headers(response)
    return response


def confirm(request: HttpRequest) -> HttpResponse:
    """Prove oneself anew, for a page that wants it; then go there."""
    if missing := _missing(request, fresh=True, on_get=True):
        return missing
    next_ = request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(next_, {request.get_host()})
    return redirect(next_ if allowed else "desk")
