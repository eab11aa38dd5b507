"""Forms of tracks and Sokoban programs, on the desk and in the admin."""

from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from contest.models import MAIN, Program, Purpose, System, Track


class TrackForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The fields of a track that may change: not its name in addresses, and the main track stays first (rule 2.11)."""

    class Meta:
        model = Track
        fields = ("title_zh", "title_en", "order", "is_rated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.slug == MAIN:
            for name in ("order", "is_rated"):
                self.fields.pop(name, None)


class ProgramForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Facts about a program; what is not known stays empty."""

    purposes = forms.MultipleChoiceField(
        label=capfirst(_("made to")), choices=Purpose.choices, widget=forms.CheckboxSelectMultiple
    )
    systems = forms.MultipleChoiceField(
        label=capfirst(_("system")), choices=System.choices, widget=forms.CheckboxSelectMultiple, required=False
    )

    class Meta:
        model = Program
        fields = (
            "name", "name_zh", "purposes", "systems", "author", "first_year", "last_year", "state", "licence", "reads",
            "writes", "url", "note_zh", "note_en", "sources",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "name_zh": forms.TextInput({"lang": "zh-Hans"}),
            "note_zh": forms.TextInput({"lang": "zh-Hans"}),
            "note_en": forms.TextInput({"lang": "en"}),
            "url": forms.URLInput,
            "sources": forms.Textarea({"rows": 3}),
        }
        error_messages: ClassVar[dict[str, Any]] = {"name": {"unique": _("The list has a program of this name.")}}
        help_texts: ClassVar[dict[str, Any]] = {
            "reads": _("Names of formats that need no translation, such as: XSB (GBK); .sok"),
            "writes": _("The same, such as: .sok; LURD"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
