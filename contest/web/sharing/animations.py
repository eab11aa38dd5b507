"""Animations of published replays: the page that requests one and shows its progress, and the file."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from contest import visibility
from contest.celery import waking
from contest.infra import client_ip, clock, rate_limits
from contest.models import FilmKind, Submission
from contest.replays import animations, practice
from contest.visibility import Viewer
from contest.web.shell.request import Request

_TYPES = {FilmKind.GIF: "image/gif", FilmKind.PNG: "image/png"}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def film_page(request: Request, number: int, submission: int, kind: str) -> HttpResponse:
    """Show the film's progress (GET), or request it (POST); all requests share one film."""
    at = clock.now()
    replay, kind = _public_submission(number, submission, at), _kind_of(kind)
    context = {"replay": replay, "kind": kind, "round": replay.round, "level": replay.level}
    if request.method == "POST":
        try:
            film = animations.order_film(replay, kind, address=client_ip.sender_of(request), at=at)
        except rate_limits.Busy as busy:
            return _render_busy(request, context, busy)
        if film.is_waiting:
            waking.wake_drawer()
        return redirect("film", number, submission, kind)
    context["film"] = animations.find(replay, kind)
    return render(
        request, "contest/replays/_film.html" if "fragment" in request.GET else "contest/replays/film.html", context
    )


@require_safe
def film_file(request: Request, number: int, submission: int, kind: str) -> HttpResponseBase:
    """Serve the file under a URL without a language, for lasting links; clients revalidate as it may be withdrawn."""
    at = clock.now()
    replay, kind = _public_submission(number, submission, at), _kind_of(kind)
    film = animations.find(replay, kind)
    if film is None or not film.is_done:
        raise Http404
    practice.record_seen(request.viewer, replay, at)
    etag = f'"{film.key}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        picture = animations.read_picture(film, at)
        if picture is None:
            raise Http404
        response = HttpResponse(picture, content_type=_TYPES[kind])
    response.headers["ETag"] = etag
    patch_cache_control(response, public=True, no_cache=True)
    return response


def _public_submission(number: int, submission: int, at: datetime) -> Submission:
    """Return the submission if anonymous viewers may see its moves, else raise Http404."""
    nobody = Viewer()
    round_ = get_object_or_404(visibility.rounds(nobody, at), number=number)
    return get_object_or_404(visibility.replays(nobody, round_, at).exclude(lurd=""), pk=submission)


def _kind_of(kind: str) -> FilmKind:
    try:
        return FilmKind(kind)
    except ValueError:
        raise Http404(kind) from None


def _render_busy(request: HttpRequest, context: dict[str, object], busy: rate_limits.Busy) -> HttpResponse:
    wait = busy.wait or rate_limits.SPAN_SECONDS
    context["trouble"] = _("Too many animations are being made. Try again in %(seconds)s seconds.") % {"seconds": wait}
    response = render(request, "contest/replays/film.html", context, status=429)
    response.headers["Retry-After"] = str(wait)
    return response
