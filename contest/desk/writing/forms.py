"""Forms for posts, their categories and series, pictures, prizes and sponsors."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from contest.desk.forms import date_time_input
from contest.infra import clock
from contest.infra.identity import zone_name_lazy
from contest.models import Picture, Player, Post, PostCategory, PostSeries, Prize, Round, Sponsor
from contest.organising.acts import choose_among
from contest.outreach import post_categories, posts
from contest.rendering import pictures
from contest.staff import track_owners

_CATEGORIES_HELP = _("Separate with commas. A new one may have a name in each language: 复杂度 / Complexity.")


class PostForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A post; its texts are Markdown."""

    categories = forms.CharField(
        label=_("Categories"),
        required=False,
        max_length=500,
        help_text=_CATEGORIES_HELP,
    )

    class Meta:
        model = Post
        fields = (
            "title_zh", "teaser_zh", "text_zh", "note_zh", "title_en", "teaser_en", "text_en", "note_en", "references",
            "slug", "kind", "round", "series", "series_place", "author", "published_at", "is_pinned",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "published_at": date_time_input(),
            "text_zh": forms.Textarea({"rows": 16, "lang": "zh-Hans"}),
            "text_en": forms.Textarea({"rows": 16, "lang": "en"}),
            "references": forms.Textarea({"rows": 4}),
            "title_zh": forms.TextInput({"lang": "zh-Hans"}),
            "title_en": forms.TextInput({"lang": "en"}),
            "teaser_zh": forms.TextInput({"lang": "zh-Hans"}),
            "teaser_en": forms.TextInput({"lang": "en"}),
        }
        labels: ClassVar[dict[str, Any]] = {
            "published_at": format_lazy(_("shown from ({zone})"), zone=zone_name_lazy()),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "slug": _(
                "The last part of the URL, such as round-12-results. It cannot be changed once readers have seen it."
            ),
            "published_at": _("Leave empty for a draft. With a later time, the post is published automatically."),
            "author": _("Leave empty for the organisers."),
            "series_place": _("Leave empty for the next part."),
            "references": _("The sources of the text, one a line, shown at its end; addresses become links."),
            "teaser_zh": _("For lists, feeds and emails. Leave empty to use the first paragraph."),
            "teaser_en": _("For lists, feeds and emails. Leave empty to use the first paragraph."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        choose_among(self, "round", Round.objects.exclude(announced_at=None))
        self.initial["categories"] = posts.list_categories(self.instance)
        known = ", ".join(category.typed for category in PostCategory.objects.all())
        if known:
            self.fields["categories"].help_text = format_lazy("{} {} {}", _CATEGORIES_HELP, _("So far:"), known)

    def add_errors(self, wrong: dict[str, list[str]]) -> None:
        for name, texts in wrong.items():
            for text in texts:
                self.add_error(name, text)

    @property
    def languages(self) -> list[list[forms.BoundField]]:
        """Return the fields of each language, to show side by side."""
        return [[self[f"{name}_{code}"] for name in ("title", "teaser", "text", "note")] for code in ("zh", "en")]

    def clean_categories(self) -> list[PostCategory]:
        return post_categories.read(self.cleaned_data["categories"])

    @property
    def rest(self) -> list[forms.BoundField]:
        names = ("slug", "kind", "round", "series", "series_place", "author", "published_at", "is_pinned")
        return [self[name] for name in names]


class PostCategoryForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The names of a category of posts, at least one."""

    class Meta:
        model = PostCategory
        fields = ("name_zh", "name_en")
        widgets: ClassVar[dict[str, Any]] = {
            "name_zh": forms.TextInput({"lang": "zh-Hans"}),
            "name_en": forms.TextInput({"lang": "en"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not any(cleaned.get(name) for name in ("name_zh", "name_en")):
            raise forms.ValidationError(_("Give a name in Chinese, in English or in both."))
        for name, value in list(cleaned.items()):
            others = PostCategory.objects.exclude(pk=self.instance.pk)
            known = others.filter(**{f"{name}__iexact": value}).first() if value else None
            if known:
                self.add_error(name, _("There is a category “%(known)s” already.") % {"known": known.typed})
        return cleaned


class PostSeriesForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Titles and descriptions of a series of posts."""

    class Meta:
        model = PostSeries
        fields = ("title_zh", "title_en", "about_zh", "about_en", "slug")
        widgets: ClassVar[dict[str, Any]] = {
            name: forms.TextInput({"lang": "zh-Hans" if name.endswith("zh") else "en"})
            for name in ("title_zh", "title_en", "about_zh", "about_en")
        }
        help_texts: ClassVar[dict[str, Any]] = {"slug": _("The last part of the URL, such as the-ladder.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class PictureForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Alternative text of a picture, for readers who cannot see it."""

    class Meta:
        model = Picture
        fields = ("alt_zh", "alt_en")
        widgets: ClassVar[dict[str, Any]] = {
            "alt_zh": forms.Textarea({"rows": 2, "lang": "zh-Hans"}),
            "alt_en": forms.Textarea({"rows": 2, "lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "alt_en": _(
                "One sentence that can replace the picture. Readers hear it, or see it if the picture does not load."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class NewPictureForm(PictureForm):
    """An uploaded file with its alternative text."""

    file = forms.FileField(
        label=_("Picture (PNG or JPEG)"),
        widget=forms.FileInput({"accept": "image/png,image/jpeg"}),
        help_text=_(
            "Up to 10 MiB and 25 million pixels. It is made smaller, and data such as place and camera are removed."
        ),
    )
    field_order = ("file", "alt_zh", "alt_en")

    def clean_file(self) -> pictures.StoredPicture:
        """Return the re-encoded picture; one with too many pixels is rejected before it is decoded."""
        file = self.cleaned_data["file"]
        try:
            return pictures.reencode(file.read(pictures.MOST_BYTES + 1))
        except pictures.BadPicture as bad:
            raise forms.ValidationError(str(bad)) from None


class SponsorForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Sponsor
        fields = (
            "name", "url", "is_anonymous", "is_listed", "gift_zh", "gift_en", "since", "until", "order",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "url": forms.URLInput,
            "since": forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            "until": forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            "gift_zh": forms.TextInput({"lang": "zh-Hans"}),
            "gift_en": forms.TextInput({"lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "is_anonymous": _("Readers see neither name nor link, here and at prizes."),
            "is_listed": _("Otherwise the sponsor is named at prizes only."),
            "gift_zh": _("An amount or a kind, such as: the server; prizes of two rounds. Leave empty to say nothing."),
            "order": _("The smallest comes first."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["order"].required = False

    def clean_order(self) -> int:
        return self.cleaned_data["order"] or 0


class PrizeForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A prize and its sponsor."""

    class Meta:
        model = Prize
        fields = ("round", "what_zh", "what_en", "sponsor")
        widgets: ClassVar[dict[str, Any]] = {
            "what_zh": forms.TextInput({"lang": "zh-Hans"}),
            "what_en": forms.TextInput({"lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "what_en": _("Such as: the winner by moves gets a wooden puzzle. Public when the round opens."),
            "sponsor": _("Leave empty for the organisers."),
        }

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        choose_among(self, "round", track_owners.filter_rows(by, Round.objects.order_by("-number"), "change_round"))
        choose_among(self, "sponsor", _sponsors_for(by))


def _sponsors_for(user: User) -> QuerySet[Sponsor]:
    """Return the sponsors *user* may name; with only some tracks, those of prizes in own or public rounds."""
    if user.has_perm("contest.change_round"):
        return Sponsor.objects.all()
    own = track_owners.filter_rows(user, Round.objects.all(), "change_round")
    public = Round.objects.opened(clock.now())
    shown = Prize.objects.filter(Q(round__in=own) | Q(round__in=public))
    return Sponsor.objects.filter(pk__in=shown.order_by().values("sponsor"))


class WinnerForm(forms.Form):
    """The winner of a prize, chosen from the players placed in the results."""

    player = forms.ModelChoiceField(
        label=_("Winner"), queryset=Player.objects.none(), required=False, empty_label=_("nobody yet")
    )

    def __init__(self, *args: Any, round_: Round, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        placed = Player.objects.filter(placings__round=round_, erased_at=None).order_by("nickname").distinct()
        choose_among(self, "player", placed)
