"""Acts: buttons on an object's page, each with its own form and one function to call."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.infra import clock
from contest.infra.identity import ZONE_HINT
from contest.organising.filters import ListedFilters
from contest.wording.bilingual import LONGEST, Reason


class ActForm(forms.Form):
    """The input of an act; it knows the object of the act."""

    def __init__(self, *args: Any, about: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.about = about


class ReasonForm(ActForm):
    """The input of an act that has a public reason."""

    reason_zh = forms.CharField(label=_("Public reason in Chinese"), max_length=LONGEST, required=False)
    reason_en = forms.CharField(label=_("Public reason in English"), max_length=LONGEST, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            cleaned["reason"] = Reason(zh=cleaned["reason_zh"], en=cleaned["reason_en"])
        return cleaned


def date_time_field(label: Any) -> forms.SplitDateTimeField:
    """Return a date and time field in the site's time zone (rule 3.5)."""
    return forms.SplitDateTimeField(label=label, widget=AdminSplitDateTime, help_text=ZONE_HINT)


@dataclass(frozen=True)
class Act:
    """One button: its form, the function to run with the cleaned data, and when it is offered."""

    name: str
    title: str | Promise
    run: Callable[[Any, dict[str, Any], datetime, Any], object]
    is_offered: Callable[[Any, datetime], bool]
    form: type[ActForm] = ActForm
    obstacles: Callable[[Any, datetime], Iterable[str]] = lambda _about, _at: ()
    # What the preview says beside the changed tables; it is called after `run`, in the same transaction.
    effects: Callable[[Any, dict[str, Any], datetime], Iterable[str]] = lambda _about, _given, _at: ()
    # On the desk, any one of these permissions is enough.
    permissions: tuple[str, ...] = ()
    # With the setting FOUR_EYES it waits on the desk for a second organiser (`second_looks`).
    takes_two: bool = False
    # `run` returns a LongAct, which `long_acts` carries out.
    is_long: bool = False


class ActsAdmin(ListedFilters):
    """An admin with acts for its objects; users who may change an object may do its acts."""

    acts: Sequence[Act] = ()
    change_form_template = "admin/contest/acts_change_form.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"contest_{self.opts.model_name}_act"
        return [
            path("<int:pk>/<slug:act>/do/", self.admin_site.admin_view(self.act_view), name=name),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        about = self.get_object(request, object_id)
        acts = self._offered_buttons(about) if about is not None and self.may_act(request) else []
        context = {**(extra_context or {}), "acts": acts, "desk": about and self.desk_url(about)}
        return super().change_view(request, object_id, form_url, context)

    def desk_url(self, about: Any) -> str:
        """Return the URL of the object's page on the desk."""
        return reverse(f"desk-{self.opts.model_name}", args=[about.pk])

    def may_act(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"contest.change_{self.opts.model_name}")

    def act_view(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Ask for the act's input, run it, and report the result."""
        if not self.may_act(request):
            raise PermissionDenied
        at = clock.now()
        about = self.get_object(request, str(pk))
        chosen = next((candidate for candidate in self.acts if candidate.name == act), None)
        if about is None or chosen is None or waits_for_two(chosen):
            raise Http404
        back = reverse(f"admin:contest_{self.opts.model_name}_change", args=[pk])
        form = chosen.form(request.POST if request.method == "POST" else None, about=about)
        if form.is_bound and form.is_valid():
            try:
                self.run_act(request, chosen, about, form.cleaned_data, at)
            except ValidationError as error:
                add_errors(form, error)
            else:
                messages.success(request, f"{about}: {chosen.title}")
                return redirect(back)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": about,
            "title": chosen.title,
            "form": form,
            "back": back,
            "obstacles": list(chosen.obstacles(about, at)),
        }
        return render(request, "admin/contest/act.html", context, status=422 if form.errors else 200)

    def run_act(self, request: HttpRequest, act: Act, about: Any, given: dict[str, Any], at: datetime) -> None:
        act.run(about, given, at, request.user)

    def _offered_buttons(self, about: Any) -> list[dict[str, Any]]:
        at, name = clock.now(), f"admin:contest_{self.opts.model_name}_act"
        offered = [act for act in self.acts if act.is_offered(about, at) and not waits_for_two(act)]
        return [{"title": act.title, "url": reverse(name, args=[about.pk, act.name])} for act in offered]


def choose_among(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> None:
    """Set *rows* as the choices of the field *name*, a ModelChoiceField."""
    cast("forms.ModelChoiceField[Any]", form.fields[name]).queryset = rows


def waits_for_two(act: Act) -> bool:
    """Return True if the act needs two organisers, and so is available only on the desk."""
    return act.takes_two and bool(settings.FOUR_EYES)


def add_errors(form: forms.BaseForm, error: ValidationError) -> None:
    """Add an act's errors to the form: beside the fields that they name, the rest above the form."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, errors in error.error_dict.items():
        form.add_error(name if name in form.fields else None, errors)
