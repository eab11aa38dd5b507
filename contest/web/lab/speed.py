"""The page that times players: one box in a hall of 50 x 50, for this browser, this server and other programs."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contest.celery import waking
from contest.rendering.boards import drawing
from contest.vetting import speed as measuring
from contest.web.lab.views import theory_of
from solvers.sokoban.making import hall
from solvers.sokoban.making.timing import Answers, find_answers


@require_safe
def speed(request: HttpRequest) -> HttpResponse:
    """Show the hall, the right answers, the server's times, and the button that times this browser."""
    level, answers = hall.hall(), _answers()
    facts = {
        "level": str(level),
        "answers": {"squares": answers.squares, "pushes": answers.pushes, "moves": answers.moves},
        "sentences": _sentences(),
        "worker": reverse("play-worker") if settings.OFFLINE_PLAY else "",
    }
    context = {
        "facts": facts,
        "answers": answers,
        "measured": measuring.latest(ask=waking.ask_speed),
        "board": drawing(level),
        "floor": len(level.reach),
        "theory": theory_of("speed"),
    }
    return render(request, "contest/lab/speed.html", context)


@require_safe
def hall_file(request: HttpRequest) -> HttpResponse:
    """Return the hall as a level file."""
    del request
    headers = {"Content-Disposition": 'attachment; filename="hall.xsb"'}
    return HttpResponse(hall.FILE.read_bytes(), content_type="text/plain; charset=utf-8", headers=headers)


@cache
def _answers() -> Answers:
    return find_answers(hall.hall())


def _sentences() -> dict[str, Any]:
    return {
        "running": _("Measuring …"),
        "right": _("All answers are right: %(squares)s squares, %(pushes)s pushes, %(moves)s moves."),
        "wrong": _("The answers differ: %(squares)s squares, %(pushes)s pushes, %(moves)s moves."),
        "time": _("%(time)s ms"),
        "below": _("under %(time)s ms"),
    }
