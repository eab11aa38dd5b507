"""Requests for a second organiser, as tasks on the desk, and the acts that they may ask for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from contest.desk import actions
from contest.desk.players import ACTS_ON_PLAYERS
from contest.desk.rejudgings import ACTS_ON_REJUDGINGS
from contest.desk.submissions import ACTS_ON_SUBMISSIONS
from contest.infra import clock
from contest.models import LongAct, Round, SecondLook
from contest.organising import long_acts, second_looks
from contest.organising.acts import Act, ReasonForm
from contest.organising.round_acts import ACTS
from contest.results import revisions
from contest.wording import times


@dataclass(frozen=True)
class ToDo:
    """A task for the staff: a description and the URL to do it at, which is empty if the user may not."""

    words: str
    label: str
    url: str


@dataclass(frozen=True)
class ToRevise:
    """The final rounds that need a revision, as one object for an act."""

    rounds: list[Round]

    def __str__(self) -> str:
        numbers = ", ".join(str(round_.number) for round_ in self.rounds)
        return ngettext("Round %(numbers)s", "Rounds %(numbers)s", len(self.rounds)) % {"numbers": numbers}


ACTS_ON_ROUNDS = actions.Kind(
    # A round is announced on its preview page.
    {act.name: act for act in ACTS if act.name != "announce"},
    lambda round_: [round_],
    lambda round_: reverse("desk-round", args=[round_]),
)
ACTS_ON_MANY = actions.Kind(
    {
        "revise": Act(
            "revise",
            gettext_lazy("Revise the results"),
            lambda about, given, at, by: revisions.revise_all(about.rounds, given["reason"], at=at, by=by),
            lambda about, _at: bool(about.rounds),
            ReasonForm,
            takes_two=True,
            is_long=True,
        )
    },
    lambda about: about.rounds,
    lambda _about: reverse("desk"),
)


def kind_of(second_look: SecondLook) -> actions.Kind:
    """Return the kind of object that a request is about."""
    if second_look.rejudging_id:
        return ACTS_ON_REJUDGINGS
    if second_look.player_id:
        return ACTS_ON_PLAYERS
    if second_look.submission_id:
        return ACTS_ON_SUBMISSIONS
    return ACTS_ON_ROUNDS if second_look.round_id else ACTS_ON_MANY


def find_about(second_look: SecondLook) -> Any:
    """Return the object of a request; if it names none, the rounds that need a revision now."""
    return second_look.about or ToRevise(revisions.find_due(clock.now()))


def list_waiting(user: User, among: "QuerySet[SecondLook]") -> list[ToDo]:
    """Return tasks for the requests of *among* that wait for a second organiser and that *user* may decide."""
    text = gettext("%(about)s: “%(title)s” has waited for a second organiser since %(time)s; requested by %(who)s.")
    return [
        _task(text, look, time=times.format_minute(look.asked_at), who=look.asked_by)
        for look in second_looks.list_waiting(user, among)
    ]


def list_long_acts(user: User) -> Iterator[ToDo]:
    """Yield the acts that a worker is carrying out, or that wait for an organiser because they failed."""
    if not any(user.has_perm(f"contest.{permission}") for permission in long_acts.PERMISSIONS.values()):
        return
    for job in LongAct.objects.unended().select_related("rejudging", "source", "target").order_by("pk"):
        text = gettext("Being carried out: %(act)s.") if job.is_busy else gettext("Stopped half-way: %(act)s.")
        yield ToDo(text % {"act": job}, gettext("View it"), reverse("desk-long-act", args=[job.pk]))


def list_sent_back(user: User) -> Iterator[ToDo]:
    """Yield the requests of *user* that another organiser sent back, until they have marked the reason as read."""
    text = gettext("%(about)s: %(who)s sent back your request “%(title)s”. Reason: %(reason)s")
    rows: Iterable[SecondLook] = ()
    if settings.FOUR_EYES:
        rows = SecondLook.objects.sent_back_to(user).select_related(*second_looks.RELATED, "ended_by")
    return (_task(text, look, who=look.ended_by, reason=look.answer) for look in rows)


def _task(text: str, look: SecondLook, **values: Any) -> ToDo:
    words = text % {"about": second_looks.name_about(look), "title": kind_of(look).acts[look.act].title, **values}
    return ToDo(words, gettext("View it"), reverse("desk-second-look", args=[look.pk]))
