"""Buttons on an object's page, each with a form of its own that calls one act."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.infra import clock
from contest.organising.filters import ListedFilters
from contest.wording.bilingual import LONGEST, Reason


class ActForm(forms.Form):
    """What an act wants to know; knows the object it is about."""

    def __init__(self, *args: Any, about: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.about = about


class ReasonForm(ActForm):
    """An act that everybody will read the reason of."""

    reason_zh = forms.CharField(label=_("Public reason in Chinese"), max_length=LONGEST, required=False)
    reason_en = forms.CharField(label=_("Public reason in English"), max_length=LONGEST, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            cleaned["reason"] = Reason(zh=cleaned["reason_zh"], en=cleaned["reason_en"])
        return cleaned


def moment(label: Any) -> forms.SplitDateTimeField:
    """A field for an instant in Beijing time (rule 3.5)."""
    return forms.SplitDateTimeField(label=label, widget=AdminSplitDateTime, help_text=_("Beijing time."))


@dataclass(frozen=True)
class Act:
    """One button: its form, what it does with the cleaned data, and when it is offered."""

    name: str
    title: str | Promise
    run: Callable[[Any, dict[str, Any], datetime, Any], object]
    is_offered: Callable[[Any, datetime], bool]
    form: type[ActForm] = ActForm
    obstacles: Callable[[Any, datetime], Iterable[str]] = lambda _about, _at: ()
    # Who may do it on the desk: whoever has one of these.
    permissions: tuple[str, ...] = ()
    # With the setting FOUR_EYES it waits for a second organiser, on the desk (`second_looks`).
    takes_two: bool = False


class ActsAdmin(ListedFilters):
    """An admin whose objects have acts; whoever may change the objects may call them."""

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
        acts = self._offer(about) if about is not None and self.may_act(request) else []
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "acts": acts})

    def may_act(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"contest.change_{self.opts.model_name}")

    def act_view(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Ask what the act wants to know, call it, and say what came of it."""
        if not self.may_act(request):
            raise PermissionDenied
        at = clock.now()
        about = self.get_object(request, str(pk))
        chosen = next((one for one in self.acts if one.name == act), None)
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
        words = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": about,
            "title": chosen.title,
            "form": form,
            "back": back,
            "obstacles": list(chosen.obstacles(about, at)),
        }
        return render(request, "admin/contest/act.html", words, status=422 if form.errors else 200)

    def run_act(self, request: HttpRequest, act: Act, about: Any, given: dict[str, Any], at: datetime) -> None:
        act.run(about, given, at, request.user)

    def _offer(self, about: Any) -> list[dict[str, Any]]:
        at, name = clock.now(), f"admin:contest_{self.opts.model_name}_act"
        offered = [act for act in self.acts if act.is_offered(about, at) and not waits_for_two(act)]
        return [{"title": act.title, "url": reverse(name, args=[about.pk, act.name])} for act in offered]


def waits_for_two(act: Act) -> bool:
    """Whether it is done on the desk alone, by two."""
    return act.takes_two and bool(settings.FOUR_EYES)


def add_errors(form: forms.BaseForm, error: ValidationError) -> None:
    """Put what an act refused beside the fields of the form that it names, the rest above the form."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, errors in error.error_dict.items():
        form.add_error(name if name in form.fields else None, errors)
