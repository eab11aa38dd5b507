"""Questions to answer, the banner, and named seasons."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contest.infra import clock
from contest.models import Banner, Question, Season
from contest.organising.filters import ListedFilters
from contest.outreach import questions


class AnswerForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Question
        fields = ("answer_zh", "answer_en", "is_public", "public_text")
        labels = {
            "answer_zh": _("Answer in Chinese"),
            "answer_en": _("Answer in English"),
            "is_public": _("For everybody"),
            "public_text": _("The question as everybody may read it"),
        }
        help_texts = {"public_text": _("Cut anything that could give a method away.")}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        try:
            questions.check_answer(
                cleaned["answer_zh"],
                cleaned["answer_en"],
                public_text=cleaned["public_text"],
                is_public=cleaned["is_public"],
            )
        except ValidationError as error:
            self.add_error(None, error)
        return cleaned


@admin.register(Question)
class QuestionAdmin(ListedFilters):
    """Players ask on their pages; here they are answered (rule 25.1)."""

    form = AnswerForm
    list_display = ["asked_at", "round", "player", "beginning", "answered_at", "is_public"]
    list_filter = [("answered_at", admin.EmptyFieldListFilter), "is_public", "round"]
    list_select_related = ["round", "player"]
    fields = ["round", "player", "asked_at", "text", "answer_zh", "answer_en", "is_public", "public_text"]
    readonly_fields = ["round", "player", "asked_at", "text"]

    @admin.display(description=_("question"))
    def beginning(self, question: Question) -> str:
        return question.text[:60]

    def save_model(self, request: HttpRequest, obj: Question, form: Any, change: bool) -> None:
        questions.answer(
            obj,
            zh=obj.answer_zh,
            en=obj.answer_en,
            public_text=obj.public_text,
            is_public=obj.is_public,
            at=clock.now(),
            by=request.user,
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Question | None = None) -> bool:
        return False


@admin.register(Banner)
class BannerAdmin(ListedFilters):
    list_display = ["text_zh", "text_en", "shown_from", "shown_until"]


@admin.register(Season)
class SeasonAdmin(ListedFilters):
    list_display = ["slug", "title_zh", "title_en", "begins_at", "ends_at"]
    view_on_site = False  # before its first round is announced the page does not exist
