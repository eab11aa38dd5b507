"""The first steps: three small levels that teach the game."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest.web.shell.request import Request


@dataclass(frozen=True)
class Lesson:
    """A *board* with its explanation in *words*; *go_on* and *done* are the messages beside it."""

    title: str | Promise
    board: str
    words: str | Promise
    go_on: str | Promise
    done: str | Promise


LESSONS = (
    Lesson(
        pgettext_lazy("lesson", "Walk"),
        "#######|#@--#.#|#-#---#|#-----#|#######",
        _(
            "Go to the marked square: with the arrow keys, with the buttons, or by touching the board beside "
            "the pusher."
        ),
        _("Go to the marked square."),
        _("Well done. Walls block your way, floor does not."),
    ),
    Lesson(
        pgettext_lazy("lesson", "Push"),
        "#######|#-----#|#@$--.#|#-----#|#######",
        _("Walk against a box and you push it: onto the marked square, its goal. Boxes are pushed, never pulled."),
        _("Push the box to its goal."),
        _("Solved: every box stands on a goal."),
    ),
    Lesson(
        pgettext_lazy("lesson", "A trap"),
        "#######|#-----#|#-$---#|#@--.-#|#######",
        _(
            "A box in a corner never comes out again, and a box at a wall stays at that wall. Make a wrong push to "
            "see it, undo it, then solve the level."
        ),
        _("Push the box to its goal, or make a wrong push to see what happens."),
        _("Solved. In the game, too, every step can be undone."),
    ),
)


@require_safe
def first_steps(request: Request) -> HttpResponse:
    return render(request, "contest/play/first_steps.html", {"lessons": LESSONS})
