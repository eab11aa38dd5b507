"""Email updates: subscribe, confirm, change settings, unsubscribe. Links in e-mails work without a login."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from contest.infra import client_ip, clock
from contest.infra.rate_limits import LETTER, costs
from contest.models import Subscriber, Topic
from contest.outreach.newsletter import subscriptions
from contest.web.account.forms import LettersForm, SubscribeForm
from contest.web.account.me import verified_addresses
from contest.web.shell.request import Request

_FORM = require_http_methods(["GET", "HEAD", "POST"])


@costs(LETTER)
@never_cache
@_FORM
def mail_page(request: Request) -> HttpResponse:
    """Subscribe an address. A verified address of the account needs no confirmation e-mail."""
    verified = verified_addresses(request.user)
    initial = {"email": verified[0] if verified else "", "language": get_language(), "topics": Topic.values}
    form = SubscribeForm(request.POST if request.method == "POST" else None, initial=initial)
    is_configured = subscriptions.is_configured()
    if form.is_valid() and is_configured:
        given, address = form.cleaned_data, client_ip.sender_of(request)
        is_proved = given["email"] in verified
        wanted = given["email"], given["topics"], given["language"]
        try:
            subscriptions.subscribe(*wanted, clock.now(), is_proved=is_proved, address=address)
        except subscriptions.TooMany:
            form.add_error(None, _("Too many addresses in one hour. Please try again later."))
        else:
            return render(request, "contest/letters/mail_asked.html", {"email": given["email"], "is_proved": is_proved})
    context = {"form": form, "is_configured": is_configured}
    return render(request, "contest/letters/mail.html", context, status=422 if form.errors else 200)


@never_cache
@_FORM
def confirm(request: Request, token: str) -> HttpResponse:
    """Confirm a subscription by POST only: mail scanners follow every link."""
    at = clock.now()
    subscriber = subscriptions.find_by_token(token, "confirm")
    if subscriber is None or (
        subscriber.confirmed_at is None and not subscriptions.is_confirmation_pending(subscriber, at)
    ):
        return _render_dead_link(request)
    if request.method == "POST":
        subscriptions.confirm(subscriber, at)
        return redirect("mail-settings", subscriptions.sign_token(subscriber, "settings"))
    return render(
        request, "contest/letters/mail_confirm.html", {"subscriber": subscriber, "topics": _topic_labels(subscriber)}
    )


@never_cache
@_FORM
def mail_settings(request: Request, token: str) -> HttpResponse:
    subscriber = subscriptions.find_by_token(token, "settings")
    if subscriber is None or subscriber.confirmed_at is None:
        return _render_dead_link(request)
    given = {"topics": subscriber.topics, "language": subscriber.language}
    form = LettersForm(request.POST if request.method == "POST" else None, initial=given)
    is_saved = form.is_valid()
    if is_saved:
        subscriptions.change_topics(subscriber, form.cleaned_data["topics"], form.cleaned_data["language"])
    context = {
        "form": form,
        "subscriber": subscriber,
        "is_saved": is_saved,
        "end_url": reverse("mail-end", args=[subscriptions.sign_token(subscriber, "end")]),
    }
    return render(request, "contest/letters/mail_settings.html", context, status=422 if form.errors else 200)


@csrf_exempt  # The token authorises; a mail program's one-click unsubscribe (RFC 8058) sends no cookie.
@never_cache
@_FORM
def unsubscribe(request: Request, token: str) -> HttpResponse:
    """Unsubscribe by POST only; idempotent."""
    subscriber = subscriptions.find_by_token(token, "end")
    if request.method == "POST" and subscriber:
        subscriptions.unsubscribe(subscriber)
    return render(request, "contest/letters/mail_end.html", {"is_over": request.method == "POST" or subscriber is None})


def _topic_labels(subscriber: Subscriber) -> list[str]:
    return [str(Topic(topic).label) for topic in subscriber.topics]


def _render_dead_link(request: Request) -> HttpResponse:
    """Answer 404 alike for a forged link, an expired link and a link of an ended subscription."""
    return render(request, "contest/letters/mail_gone.html", {"site": settings.SITE_URL}, status=404)
