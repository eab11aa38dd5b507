"""The bell: a player's notifications, the number of unread ones, and marking them as read (rule 27.6)."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from contest.infra import clock
from contest.outreach.community import bell
from contest.web.shell.request import Request

CACHE_SECONDS = 60


@never_cache
@require_safe
def news_page(request: Request) -> HttpResponse:
    notifications = bell.list_news(request.viewer, request.user, clock.now())
    context = {
        "listed": notifications,
        "has_new": any(notification.is_new for notification in notifications),
        "days": bell.DAYS,
    }
    return render(request, "contest/community/news.html", context)


@require_safe
def unread_count(request: Request) -> HttpResponse:
    """Return the number of unread notifications for the bell; browsers cache it for a minute."""
    answer = JsonResponse({"count": bell.count_unread(request.viewer, request.user, clock.now())})
    patch_cache_control(answer, private=True, max_age=CACHE_SECONDS)
    return answer


@never_cache
@require_POST
def mark_read(request: Request) -> HttpResponse:
    bell.mark_read(request.viewer, clock.now())
    return redirect("news")
