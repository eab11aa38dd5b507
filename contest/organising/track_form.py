"""The form of a track, on desk and in admin. Its name in addresses never changes, and main stays first (rule 2.11)."""

from typing import Any

from django import forms

from contest.models import MAIN, Track


class TrackForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The fields of a track that may change."""

    class Meta:
        model = Track
        fields = ("title_zh", "title_en", "order", "is_rated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.slug == MAIN:
            for name in ("order", "is_rated"):
                self.fields.pop(name, None)
