"""The private address of an organiser's calendar (iCalendar): drafts, rounds and turns to come, without levels."""

import secrets
from datetime import UTC, datetime, timedelta

from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from icalendar import Calendar, Event

from contest.desk.access import StaffRequest, may_any, staff
from contest.infra import clock, identity
from contest.infra.site_address import absolute_url
from contest.models import CalendarAddress
from contest.organising.season import rows as season_rows
from contest.organising.season import sheet as season_sheet
from contest.organising.season.sheet import Entry
from contest.staff import account_acts, audit_log
from contest.staff.track_owners import OWN
from contest.templatetags.pages import PHASE_WORDS

_SALT = "contest.desk.calendar"
_PAST_WEEKS, _WEEKS = 8, 61
_PLANNING = ("add_round", OWN)


@staff(*_PLANNING, fresh=True)
@require_http_methods(["GET", "POST"])
def address(request: StaffRequest) -> HttpResponse:
    """Show the user's private address; a POST creates another one, which ends the old, or only ends it."""
    user = request.user
    if request.method == "POST":
        with transaction.atomic():
            if "end" in request.POST:
                CalendarAddress.objects.filter(user=user).delete()
                audit_log.record(user, "calendar address ended", user)
            else:  # a button pressed twice makes two requests at once
                new = {"key": secrets.token_hex(16), "made_at": clock.now()}
                CalendarAddress.objects.update_or_create(user=user, defaults=new)
                account_acts.log_and_notify(user, "calendar address made", user)
        return redirect("desk-calendar-address")
    stored = CalendarAddress.objects.filter(user=user).first()
    url = ""
    if stored:
        signed = signing.Signer(salt=_SALT).sign(stored.key)
        url = absolute_url(request, reverse("desk-calendar-file", args=[signed]))
    return render(request, "contest/desk/calendar/address.html", {"address": stored, "url": url})


@never_cache
@require_safe
def calendar_file(request: HttpRequest, key: str) -> HttpResponse:
    """Serve the calendar of the user with this address, as long as the user may plan rounds."""
    try:
        stored = CalendarAddress.objects.select_related("user").get(key=signing.Signer(salt=_SALT).unsign(key))
    except (signing.BadSignature, CalendarAddress.DoesNotExist):
        raise Http404 from None
    user = stored.user
    if not (user.is_active and user.is_staff and may_any(user, _PLANNING)):
        raise Http404
    at = clock.now()
    weeks = season_rows.list_weeks(timezone.localdate(at) - timedelta(weeks=_PAST_WEEKS), _WEEKS)
    sheet = season_sheet.build(season_rows.read(user, weeks[0], weeks[-1] + season_sheet.WEEK, at), weeks, at)
    shown = Calendar()
    shown.add("prodid", "-//Leitai//Desk//")
    shown.add("version", "2.0")
    shown.add("x-wr-calname", f"{identity.short_name()} · {pgettext('of rounds', 'Calendar')}")
    shown.add("refresh-interval", timedelta(hours=6), parameters={"VALUE": "DURATION"})
    for entry in sheet.entries:
        shown.add_component(_event(request, entry, at))
    return HttpResponse(shown.to_ical(), content_type="text/calendar; charset=utf-8")


def _event(request: HttpRequest, entry: Entry, at: datetime) -> Event:
    if entry.round:
        path, state = reverse("desk-round", args=[entry.round]), str(PHASE_WORDS[entry.round.phase(at)])
    else:
        path, state = reverse("desk-all-series"), pgettext("a round of a series", "to come")
    event = Event()
    event.add("uid", f"desk-{entry.anchor}@{request.get_host()}")
    event.add("dtstamp", at)
    event.add("dtstart", entry.opens_at.astimezone(UTC))
    event.add("dtend", entry.closes_at.astimezone(UTC))
    event.add("summary", f"{entry} ({state})")
    if entry.troubles:
        event.add("description", " ".join(entry.troubles))
    event.add("url", absolute_url(request, path))
    event.add("transp", "TRANSPARENT")
    event.add("status", "CONFIRMED" if entry.is_announced else "TENTATIVE")
    return event
