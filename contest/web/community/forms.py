"""Forms for votes, comments and reports; `outreach.community` decides what is accepted."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models import Player, Vote
from contest.models.community.opinions import LONGEST
from contest.outreach.community import votes
from contest.web.shell.forms import PlainForm

_STEPS = [
    ("", pgettext_lazy("votes", "no vote")),
    ("1", pgettext_lazy("votes", "1 · not at all")),
    ("2", "2"),
    ("3", "3"),
    ("4", "4"),
    ("5", pgettext_lazy("votes", "5 · very")),
]


class SpeakerForm(PlainForm):
    """Choose one of the viewer's own players; hidden if there is only one."""

    player = forms.TypedChoiceField(label=_("Nickname"), coerce=int)

    def __init__(self, speakers: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.speakers = {player.pk: player for player in speakers}
        field: Any = self.fields["player"]
        field.choices = [(pk, str(player)) for pk, player in self.speakers.items()]
        if len(self.speakers) == 1:
            field.widget = forms.HiddenInput()
            field.initial = next(iter(self.speakers))

    @property
    def speaker(self) -> Player:
        return self.speakers[self.cleaned_data["player"]]


class VoteForm(SpeakerForm):
    """Votes on three scales, each optional."""

    def __init__(self, speakers: Iterable[Player], own: Mapping[int, Vote], *args: Any, **kwargs: Any) -> None:
        super().__init__(speakers, *args, prefix="vote", **kwargs)
        vote = own.get(next(iter(self.speakers), 0))
        for scale, label in votes.LABELS.items():
            self.fields[scale] = forms.TypedChoiceField(
                label=str(label),
                choices=_STEPS,
                coerce=int,
                empty_value=None,
                required=False,
                initial=getattr(vote, scale, None),
            )


class CommentForm(SpeakerForm):
    text = forms.CharField(
        label=_("Comment"), max_length=LONGEST, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    spoiler = forms.CharField(
        label=_("Part that gives a solution away"),
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Hidden until a reader opens it."),
    )
    answers = forms.IntegerField(required=False, min_value=1, max_value=2**53, widget=forms.HiddenInput)


class CommentReportForm(PlainForm):
    text = forms.CharField(
        label=_("What is wrong with it?"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
