"""The first steps, three small levels that teach the game, and the course of deadlocks."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest.library.own import deadlocks as course
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
    return render(request, "contest/lessons/first_steps.html", {"lessons": LESSONS})


# Why the boxes of an exercise are lost, by its kind.
REASONS = {
    "dead_square": _("However this box is pushed, no goal is among the squares that it can reach."),
    "frozen": _("These boxes hold each other: none of them can ever be pushed again, and not all stand on goals."),
    "unmatched": _("These boxes are more than the goals among the squares that they can reach."),
    "closed": _("However these boxes are pushed, the pusher never gets to all the sides that would bring them home."),
}


@require_safe
def deadlocks(request: Request) -> HttpResponse:
    exercises = [{"exercise": exercise, "reason": REASONS[exercise.kind]} for exercise in course.read()]
    return render(request, "contest/lessons/deadlocks.html", {"exercises": exercises})
