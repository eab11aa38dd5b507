"""A player's webhooks: create and delete them, list deliveries, send one again."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from contest import visibility
from contest.infra import clock
from contest.models import Delivery
from contest.outreach import webhooks
from contest.web.account.forms import OwnPlayerForm
from contest.web.shell.forms import may_store, status_of
from contest.web.shell.request import Request

PER_PAGE = 25


class WebhookForm(OwnPlayerForm):
    """A new webhook; `webhooks.create_webhook` decides whether its URL is acceptable."""

    url = forms.CharField(label=_("URL (https)"), max_length=500, widget=forms.URLInput)
    events = forms.MultipleChoiceField(
        label=_("Tell me when"), choices=webhooks.Kind.choices, widget=forms.CheckboxSelectMultiple
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks_page(request: Request) -> HttpResponse:
    form = WebhookForm(request.viewer, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and may_store(request, form, size=webhooks.STORED_BYTES):
        given = form.cleaned_data
        try:
            hook = webhooks.create_webhook(given["player"], given["url"].strip(), given["events"], clock.now())
        except ValidationError as error:
            form.add_error("url", error)
        else:
            request.session["webhook"] = hook.pk
            return redirect("webhooks")
    own = visibility.own_webhooks(request.viewer)
    context = {
        "form": form,
        "hooks": Paginator(own, PER_PAGE).get_page(request.GET.get("page")),
        "new": own.filter(pk=request.session.pop("webhook", None)).first(),
        "deliveries": Delivery.objects.filter(webhook__in=own).select_related("webhook")[: webhooks.SHOWN],
    }
    return render(request, "contest/account/webhooks.html", context, status=status_of(form))


@require_POST
def delete_webhook(request: Request, hook: int) -> HttpResponse:
    get_object_or_404(visibility.own_webhooks(request.viewer), pk=hook).delete()
    return redirect("webhooks")


@require_POST
def redeliver(request: Request, delivery: int) -> HttpResponse:
    own = visibility.own_webhooks(request.viewer)
    webhooks.retry_delivery(get_object_or_404(Delivery, pk=delivery, webhook__in=own), clock.now())
    return redirect("webhooks")


@require_POST
def send_test(request: Request, hook: int) -> HttpResponse:
    """Send a test event; its result appears in the list of deliveries."""
    is_sent = webhooks.send_test(get_object_or_404(visibility.own_webhooks(request.viewer), pk=hook), clock.now())
    if is_sent:
        messages.success(request, _("The test was sent; its answer will appear in the list below."))
    else:
        messages.error(request, _("At most five tests per minute. Try again in a minute."))
    return redirect("webhooks")
