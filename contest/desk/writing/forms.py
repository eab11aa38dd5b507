"""The forms of posts and of what belongs to them."""

from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from contest.desk.forms import moment
from contest.infra import clock
from contest.models import Picture, Player, Post, PostSeries, Prize, Round, Sponsor
from contest.rendering import pictures
from contest.staff import track_owners


def _choose_among(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> None:
    """Let the field *name*, a choice of rows, offer *rows*."""
    cast("forms.ModelChoiceField[Any]", form.fields[name]).queryset = rows


class PostForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A post; its texts are Markdown."""

    class Meta:
        model = Post
        fields = (
            "title_zh", "teaser_zh", "text_zh", "note_zh", "title_en", "teaser_en", "text_en", "note_en",
            "slug", "kind", "round", "series", "series_place", "author", "published_at", "is_pinned",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "published_at": moment(),
            "text_zh": forms.Textarea({"rows": 16, "lang": "zh-Hans"}),
            "text_en": forms.Textarea({"rows": 16, "lang": "en"}),
            "title_zh": forms.TextInput({"lang": "zh-Hans"}),
            "title_en": forms.TextInput({"lang": "en"}),
            "teaser_zh": forms.TextInput({"lang": "zh-Hans"}),
            "teaser_en": forms.TextInput({"lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "slug": _("The end of the address, such as round-12-results. It stays once readers have seen it."),
            "published_at": _("Empty: a draft. A later time: it appears by itself."),
            "author": _("Empty: the organisers."),
            "series_place": _("Empty: the next part."),
            "teaser_zh": _("For lists, feeds and letters. Empty: the first paragraph."),
            "teaser_en": _("For lists, feeds and letters. Empty: the first paragraph."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        _choose_among(self, "round", Round.objects.exclude(announced_at=None))

    def add_errors(self, wrong: dict[str, list[str]]) -> None:
        for name, words in wrong.items():
            for said in words:
                self.add_error(name, said)

    @property
    def languages(self) -> list[list[forms.BoundField]]:
        """The fields of each language, to stand side by side."""
        return [[self[f"{name}_{code}"] for name in ("title", "teaser", "text", "note")] for code in ("zh", "en")]

    @property
    def rest(self) -> list[forms.BoundField]:
        names = ("slug", "kind", "round", "series", "series_place", "author", "published_at", "is_pinned")
        return [self[name] for name in names]


class PostSeriesForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """What a series of posts is called."""

    class Meta:
        model = PostSeries
        fields = ("title_zh", "title_en", "about_zh", "about_en", "slug")
        widgets: ClassVar[dict[str, Any]] = {
            name: forms.TextInput({"lang": "zh-Hans" if name.endswith("zh") else "en"})
            for name in ("title_zh", "title_en", "about_zh", "about_en")
        }
        help_texts: ClassVar[dict[str, Any]] = {"slug": _("The end of the address, such as the-ladder.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class PictureForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """What a picture shows, for who cannot see it."""

    class Meta:
        model = Picture
        fields = ("alt_zh", "alt_en")
        widgets: ClassVar[dict[str, Any]] = {
            "alt_zh": forms.Textarea({"rows": 2, "lang": "zh-Hans"}),
            "alt_en": forms.Textarea({"rows": 2, "lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "alt_en": _(
                "A sentence that would stand in its place. Readers hear it, or see it where the picture does not load."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class NewPictureForm(PictureForm):
    """A file, and what it shows."""

    file = forms.FileField(
        label=_("Picture (PNG or JPEG)"),
        widget=forms.FileInput({"accept": "image/png,image/jpeg"}),
        help_text=_(
            "Up to 10 MiB and 25 million pixels. It is made smaller, and where and by what it was taken is left out."
        ),
    )
    field_order = ("file", "alt_zh", "alt_en")

    def clean_file(self) -> pictures.StoredPicture:
        """The picture, made anew: one whose size alone is too much is not read at all."""
        file = self.cleaned_data["file"]
        try:
            return pictures.make_anew(file.read(pictures.MOST_BYTES + 1))
        except pictures.BadPicture as bad:
            raise forms.ValidationError(str(bad)) from None


class SponsorForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Sponsor
        fields = ("name", "url")
        widgets: ClassVar[dict[str, Any]] = {"url": forms.URLInput}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class PrizeForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """What can be won, and who gives it."""

    class Meta:
        model = Prize
        fields = ("round", "what_zh", "what_en", "sponsor")
        widgets: ClassVar[dict[str, Any]] = {
            "what_zh": forms.TextInput({"lang": "zh-Hans"}),
            "what_en": forms.TextInput({"lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "what_en": _("Such as: the winner by moves gets a wooden puzzle. Public when the round opens."),
            "sponsor": _("Empty: the organisers."),
        }

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        _choose_among(self, "round", track_owners.within(by, Round.objects.order_by("-number"), "change_round"))
        _choose_among(self, "sponsor", _sponsors_for(by))


def _sponsors_for(user: User) -> QuerySet[Sponsor]:
    """Those whom *user* may name: who has only some tracks reads of no sponsor before readers do, but of their own."""
    if user.has_perm("contest.change_round"):
        return Sponsor.objects.all()
    own = track_owners.within(user, Round.objects.all(), "change_round")
    public = Round.objects.opened(clock.now())
    shown = Prize.objects.filter(Q(round__in=own) | Q(round__in=public))
    return Sponsor.objects.filter(pk__in=shown.order_by().values("sponsor"))


class WinnerForm(forms.Form):
    """Who of those with a place in the results won it."""

    player = forms.ModelChoiceField(
        label=_("Winner"), queryset=Player.objects.none(), required=False, empty_label=_("nobody yet")
    )

    def __init__(self, *args: Any, round_: Round, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        placed = Player.objects.filter(placings__round=round_, erased_at=None).order_by("nickname").distinct()
        _choose_among(self, "player", placed)
