"""The site's own name, mark, colours, time zone, language, contact and first words on the desk.

For superusers and users with `auth.change_user`, as they also decide about the staff.
"""

from base64 import b64encode
from functools import cache
from itertools import product
from math import floor
from typing import Any, ClassVar, cast
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.infra import clock, identity
from contest.models import Picture, SiteIdentity
from contest.models.outreach.site_identity import check_colour
from contest.organising.acts import add_errors, choose_among
from contest.outreach import site_identity
from contest.rendering import app_icons, colours
from contest.web.shell.context import OWN_NAMES
from solvers.sokoban.drawing import fonts

_PREVIEW_PIXELS = 96


@cache
def _zones() -> list[tuple[str, str]]:
    return [(name, name) for name in sorted(available_timezones()) if "/" in name or name == "UTC"]


class SiteForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """All values; an empty field keeps the operator's setting."""

    class Meta:
        model = SiteIdentity
        fields = (
            "name_zh", "name_en", "mark", "logo", "accent_light", "accent_dark", "time_zone", "language", "contact",
            "text_zh", "text_en", "sponsoring_zh", "sponsoring_en",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "name_zh": forms.TextInput({"lang": "zh-Hans"}),
            "name_en": forms.TextInput({"lang": "en"}),
            "text_zh": forms.Textarea({"rows": 5, "lang": "zh-Hans"}),
            "text_en": forms.Textarea({"rows": 5, "lang": "en"}),
            "sponsoring_zh": forms.Textarea({"rows": 5, "lang": "zh-Hans"}),
            "sponsoring_en": forms.Textarea({"rows": 5, "lang": "en"}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "name_zh": gettext_lazy("A name in one language alone counts for both."),
            "mark": gettext_lazy("One or two characters, drawn on a square in the light accent colour."),
            "logo": gettext_lazy(
                "Instead of characters: a square picture of at least 512 pixels. Upload it under Posts, Pictures."
            ),
            "accent_light": gettext_lazy("For links and buttons, such as #1d5a9e. Its contrast must be at least 4.5."),
            "accent_dark": gettext_lazy("The same for the dark theme, such as #7db8ff."),
            "contact": gettext_lazy("An email address or a link, for the pages About, Privacy and Terms."),
            "text_zh": gettext_lazy("Markdown as in posts. It replaces the sentence about the two rankings."),
            "sponsoring_zh": gettext_lazy(
                "Markdown as in posts. With a text in either language there is a page of sponsors, linked at the foot "
                "of each page. Name the sponsors under Prizes, Sponsors."
            ),
        }

    time_zone = forms.ChoiceField(
        label=capfirst(gettext_lazy("time zone")),
        required=False,
        help_text=gettext_lazy(
            "No stored time moves: a deadline stays the same moment and is shown by the clock of this zone. Days and "
            "seasons begin at its midnight. Series keep the local hour of their first opening: later ones move by an "
            "hour where the zones change to summer time on different days."
        ),
    )
    language = forms.ChoiceField(
        label=capfirst(gettext_lazy("default language")),
        required=False,
        help_text=gettext_lazy("For readers whose browser asks for neither Chinese nor English."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.initial["version"] = self.instance.version
        defaults = {
            "name_zh": settings.SITE_NAME_ZH_HANS,
            "name_en": settings.SITE_NAME,
            "accent_light": identity.ACCENTS[0],
            "accent_dark": identity.ACCENTS[1],
            "contact": settings.OPERATOR.get("contact", ""),
        }
        for name, default in defaults.items():
            self.fields[name].widget.attrs["placeholder"] = default
        chosen = {"time_zone": (settings.TIME_ZONE, _zones()), "language": (settings.LANGUAGE_CODE, OWN_NAMES.items())}
        for name, (default, choices) in chosen.items():
            empty = _("as the operator set: %(value)s") % {"value": OWN_NAMES.get(default, default)}
            cast("forms.ChoiceField", self.fields[name]).choices = [("", empty), *choices]
        square = Picture.objects.defer("content").filter(width=F("height"), width__gte=app_icons.SMALLEST)
        choose_among(self, "logo", square)

    def clean_mark(self) -> str:
        mark: str = self.cleaned_data["mark"]
        if unknown := fonts.undrawable(mark):
            raise ValidationError(_("No font has this character: %(text)s") % {"text": unknown})
        return mark

    def clean_accent_light(self) -> str:
        return self._check_accent("accent_light", 0)

    def clean_accent_dark(self) -> str:
        return self._check_accent("accent_dark", 1)

    def _check_accent(self, name: str, theme: int) -> str:
        colour: str = self.cleaned_data[name].lower()
        if not colour:
            return ""
        check_colour(colour)  # The model's own validators run after this method.
        found, ground = colours.worst_ground(colour, theme)
        if found < colours.LEAST_CONTRAST:
            message = _(
                "%(colour)s has a contrast of %(found)s on the background %(ground)s; text needs at least %(least)s. "
                "Choose a darker colour for the light theme, a lighter one for the dark theme."
            )
            values = {"found": f"{floor(found * 100) / 100:.2f}", "least": colours.LEAST_CONTRAST}
            raise ValidationError(message % {"colour": colour, "ground": ground, **values})
        return colour

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for language, (name, rendered) in product(("zh", "en"), (("text", "html"), ("sponsoring", "sponsoring_html"))):
            try:
                html = site_identity.render(cleaned.get(f"{name}_{language}", ""))
            except ValidationError as error:
                self.add_error(f"{name}_{language}", error)
            else:
                setattr(self.instance, f"{rendered}_{language}", html)
        self.instance.version = cleaned.get("version", 0)
        return cleaned


@staff("auth.change_user", fresh=True)
@require_http_methods(["GET", "POST"])
def site(request: StaffRequest) -> HttpResponse:
    """Show the values in a form; a POST previews them, or saves them."""
    form = SiteForm(request.POST or None, instance=site_identity.find())
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        if request.POST.get("do") == "look":
            context |= _preview(form.instance)
        else:
            try:
                site_identity.save(form.instance, by=request.user)
            except ValidationError as error:
                add_errors(form, error)
            else:
                messages.success(request, _("Saved. Every page shows it within a few seconds."))
                return redirect("desk-site")
    return render(request, "contest/desk/home/site.html", context, status=422 if form.errors else 200)


def _preview(row: SiteIdentity) -> dict[str, Any]:
    """Return the changes that saving *row* would bring, and a part of a page that shows its values."""
    at = clock.now()
    before = site_identity.describe(at)
    with identity.previewed(row.shown()):
        after = site_identity.describe(at)
        mark = b64encode(app_icons.draw(_PREVIEW_PIXELS, own=identity.mark())).decode()
        languages, both = ("zh-Hans", "en"), (identity.welcome(), identity.sponsoring())
        texts = [pair for html in both for pair in zip(languages, html, strict=True) if pair[1]]
        shown = {"mark": f"data:image/png;base64,{mark}", "texts": texts}
        sample = render_to_string("contest/desk/home/_site_sample.html", shown)
        accents = identity.accent_sheet()
    changes = [(label, before.get(label, ""), text) for label, text in after.items() if before.get(label) != text]
    return {"sample": sample, "accents": accents, "changes": changes}
