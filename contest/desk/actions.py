"""Acts on the desk: ask for an act's input, show what it would change, then do it.

An act takes two POST requests, unless it is in `_UNSEEN`. The first runs the act and rolls it back to show its effects
(contest.organising.impact); the second commits it. The form keeps its input in between.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from contest.celery import waking
from contest.desk.access import StaffRequest
from contest.desk.forms import date_time_input
from contest.infra import clock
from contest.models import LongAct, Round
from contest.organising import impact, long_acts, second_looks
from contest.organising.acts import Act, ActForm, ReasonForm, add_errors, waits_for_two
from contest.wording import notes

MOST_CHANGES = 60

_LASTING = gettext_lazy("This cannot be undone.")
# Whether an act can be undone, and how.
UNDOING: Mapping[str, Promise] = {
    "extend": gettext_lazy("This cannot be undone: an open round never closes earlier than announced."),
    "make-up": _LASTING,
    "void-level": _LASTING,
    "beacon": gettext_lazy("You can enter it again until the results are final."),
    "cancel": _LASTING,
    "machine": gettext_lazy("You can undo this until its result is public: “Stop the machine”."),
    "stop-machine": gettext_lazy("You can start another attempt: “Challenge the machine”."),
    "finalise": gettext_lazy("This cannot be undone, but you can publish a revision later."),
    "revise": gettext_lazy("The older revision stays available. You can revise the results again later."),
    "disqualify": gettext_lazy("You can undo this: “Lift a disqualification”."),
    "void": gettext_lazy("You can undo this: “Restore the submission”."),
    "merge": gettext_lazy("You can undo this: “Undo the merge”."),
    "rejudge": gettext_lazy("You can cancel this until the last verdict is written."),
    "rename": gettext_lazy("You can undo this: rename again."),
    "league": gettext_lazy("You can undo this, but revoked API tokens stay revoked."),
    "release": _LASTING,
    "hand_over": _LASTING,
    "erase": _LASTING,
    "lift_rest": _LASTING,
}
# These send a message or show a secret, so a preview that runs them and rolls back is impossible.
_UNSEEN = ("link", "grant")
# These change no ranking, points or title, so the preview skips the tables, which are slow to compute.
_MOVING_NOTHING = ("rename", "release", "machine", "stop-machine")


_ON_ROUND_PAGE = gettext_lazy(
    "The reason is public: it appears on the round's page, in both languages or in the one you write."
)


@dataclass(frozen=True)
class Kind:
    """The kind of object that acts work on: rounds, submissions, players, reports."""

    acts: Mapping[str, Act]
    # Returns the rounds with tables that an act on the object may change.
    rounds: Callable[[Any], Iterable[Round]]
    back: Callable[[Any], str]
    # Tells where everybody can read the reason of a `ReasonForm`.
    publishes: Promise = _ON_ROUND_PAGE


def offered_acts(kind: Kind, about: Any) -> list[Act]:
    at = clock.now()
    return [act for act in kind.acts.values() if act.is_offered(about, at)]


def handle_act(request: StaffRequest, kind: Kind, about: Any, name: str) -> HttpResponse:
    """Handle a request for the page of the act *name* on *about*."""
    at = clock.now()
    act = kind.acts.get(name)
    if act is None:
        raise Http404
    back = kind.back(about)
    if not act.is_offered(about, at):
        # The button was pressed twice, another organiser was faster, or the page is outdated.
        messages.warning(
            request, _("“%(act)s” is not possible now. The current state is shown below.") % {"act": act.title}
        )
        return redirect(back)
    form = build_form(request, act, about)
    expected: impact.Consequences | None = None
    is_unseen, is_public = name in _UNSEEN, issubclass(act.form, ReasonForm)
    if form.is_bound and form.is_valid():
        given = {**form.cleaned_data, "site": _site_url(request)}
        try:
            is_last = is_unseen or request.POST.get("do") == "apply"
            if is_last and waits_for_two(act):
                return _request_second_look(request, about, act, form, at, back)
            if is_last:
                outcome = act.run(about, given, at, request.user)
                return answer(request, f"{about}: {act.title}", outcome, back)
            expected = preview(request, kind, act, about, given, at)
        except ValidationError as error:
            add_errors(form, error)
    note_texts = [(note.round, notes.note(note).what) for note in expected.notes] if expected else []
    context = {
        "about": about,
        "told": note_texts,
        "reason": form.cleaned_data.get("reason") if expected and is_public else None,
        "back": back,
        "act": act,
        "form": form,
        "is_public": is_public,
        "publishes": kind.publishes,
        "is_unseen": is_unseen,
        "takes_two": waits_for_two(act),
        "undoing": UNDOING.get(name, ""),
        "obstacles": list(act.obstacles(about, at)),
        "expected": expected,
        "most": MOST_CHANGES,
    }
    return render(request, "contest/desk/shared/act.html", context, status=422 if form.errors else 200)


def answer(request: StaffRequest, title: str, outcome: object, back: str) -> HttpResponse:
    """Report the *outcome* of an act; redirect to the page of its object, or to the progress of a long act."""
    job = long_acts.begin(outcome, waking.wake_long_acts) if isinstance(outcome, LongAct) else None
    if job and job.state != LongAct.State.DONE:
        return redirect("desk-long-act", job.pk)
    messages.success(request, title)
    for message in job.report if job else [outcome]:
        if isinstance(message, str) and message:
            messages.warning(request, message)
    return redirect(back)


def preview(
    request: StaffRequest, kind: Kind, act: Act, about: Any, given: dict[str, Any], at: datetime
) -> impact.Consequences:
    """Return what *act* would change; only the number of changes of a large act. Raise its ValidationError."""

    def run() -> object:
        outcome = act.run(about, given, at, request.user)
        return long_acts.work_on(outcome) if isinstance(outcome, LongAct) and long_acts.is_small(outcome) else outcome

    if act.is_long and (large := _large_act(lambda: act.run(about, given, at, request.user))):
        return impact.preview_act(run, (), at, lambda: [_describe_large(large)])
    moved = () if act.name in _MOVING_NOTHING else kind.rounds(about)
    return impact.preview_act(run, moved, at, lambda: act.effects(about, given, at))


def _large_act(start: Callable[[], object]) -> LongAct | None:
    """Start an act and roll it back; return it if it is too large to be carried out for a preview."""
    with transaction.atomic():
        outcome = start()
        transaction.set_rollback(True)
    return outcome if isinstance(outcome, LongAct) and not long_acts.is_small(outcome) else None


def _describe_large(job: LongAct) -> str:
    text = ngettext(
        "%(count)s change. A worker makes it, and a page shows the progress; the new tables are not computed here.",
        "%(count)s changes. A worker makes them, and a page shows the progress; the new tables are not computed here.",
        job.total,
    )
    return text % {"count": job.total}


def _request_second_look(
    request: StaffRequest, about: Any, act: Act, form: ActForm, at: datetime, back: str
) -> HttpResponse:
    """Store the submitted form until a second organiser confirms it; raise ValidationError with the obstacles."""
    if obstacles := list(act.obstacles(about, at)):
        raise ValidationError(obstacles)
    given = {name: _as_stored(form.cleaned_data.get(name), request.POST.get(name, "")) for name in form.fields}
    second_looks.ask(about, act.name, given, at=at, by=request.user)
    messages.success(request, _("“%(act)s” is now waiting for a second organiser.") % {"act": act.title})
    return redirect(back)


def _as_stored(value: Any, text: str) -> str:
    """Return the number of a row that a field has found, as another may have the name in *text* later; else *text*."""
    return str(value.pk) if isinstance(value, Model) else text


def build_form(request: HttpRequest | None, act: Act, about: Any) -> ActForm:
    """Return the form of *act* as the request filled it in; without a request, an empty one."""
    given = request.POST if request and request.method == "POST" else None
    form = act.form(given, about=about, initial=request.GET.dict() if request else None, label_suffix="")
    for name, field in form.fields.items():
        if isinstance(field, forms.SplitDateTimeField):
            # The admin's split date and time fields need the admin's scripts.
            widget = date_time_input()
            form.fields[name] = forms.DateTimeField(label=field.label, help_text=field.help_text, widget=widget)
        elif name in ("reason_zh", "reason_en", "reason"):
            field.widget = forms.Textarea({"rows": 2, "maxlength": 500})
    return form


def _site_url(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
