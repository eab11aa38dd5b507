"""The acts on a round, one per button; the functions that they call enforce the rules."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from contest import results, rounds, visibility
from contest.models import Disqualification, Level, Player, Round
from contest.organising import checklist, effects
from contest.organising.acts import Act, ActForm, ReasonForm, choose_among, date_time_field
from contest.results import rulings
from contest.rounds import lucky_number
from contest.rules import beacons, lucky_draw
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.vetting import machine


class ExtendForm(ReasonForm):
    closes_at = date_time_field(_("Closes at"))
    field_order = ["closes_at"]


class MakeUpForm(ReasonForm):
    opens_at = date_time_field(_("Opens at"))
    closes_at = date_time_field(_("Closes at"))
    field_order = ["opens_at", "closes_at"]


class LuckyForm(ActForm):
    number = forms.IntegerField(
        label=_("Lucky number"),
        min_value=0,
        max_value=lucky_draw.LARGEST,
        help_text=_("You will know the number during the round, and the results will say so. Nobody else can see it."),
    )


class BeaconForm(ActForm):
    value = forms.CharField(
        label=_("Value of the beacon"),
        max_length=100,
        help_text=_(
            "Its “signature”, 96 hexadecimal digits, which anybody can check, or else its “randomness”, 64 hexadecimal "
            "digits; the results page says which round and where to read it."
        ),
    )


class LevelForm(ActForm):
    """A form with a choice among the round's levels that are not void."""

    level = forms.ModelChoiceField(Level.objects.none(), label=_("Level"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_among(self, "level", self.about.levels.filter(voided_at=None))


class VoidSlotForm(LevelForm, ReasonForm):
    field_order = ["level"]


class DisqualifyForm(ReasonForm):
    player = forms.ModelChoiceField(Player.objects.none(), label=_("Player"))
    note = forms.CharField(
        label=_("Private note"), required=False, widget=forms.Textarea({"rows": 3}), help_text=_("For organisers only.")
    )
    field_order = ["player"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entered = Player.objects.filter(submissions__round=self.about).distinct().order_by("nickname")
        choose_among(self, "player", entered)


class LiftForm(ReasonForm):
    ruling = forms.ModelChoiceField(Disqualification.objects.none(), label=_("Disqualification"))
    field_order = ["ruling"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_among(self, "ruling", _disqualifications(self.about))


class MachineForm(LevelForm):
    """The input of an attempt of the site's program (rule 20.5)."""

    seconds = forms.IntegerField(
        label=_("CPU seconds"),
        min_value=round_settings.LEAST_MACHINE_SECONDS,
        max_value=round_settings.MOST_MACHINE_SECONDS,
        initial=RoundSettings.machine_seconds,
    )


# Permissions to rule on submissions without publishing anything.
_RULING = ("change_round", "add_disqualification")


def _disqualifications(round_: Round) -> Any:
    return Disqualification.objects.standing().filter(round=round_).select_related("player", "round")


def _is_live(round_: Round, at: datetime) -> bool:
    """Return True if the round has opened and is neither cancelled nor final."""
    return round_.phase(at) in (Phase.OPEN, Phase.CLOSED)


def _is_opened(round_: Round, at: datetime) -> bool:
    return round_.phase(at) in (Phase.OPEN, Phase.CLOSED, Phase.FINAL)


def _has_beacon(round_: Round) -> bool:
    rules = round_settings.of(round_.settings)
    return rules.lucky and rules.lucky_beacon != beacons.NONE


def _disqualify(round_: Round, given: dict[str, Any], at: datetime, by: Any) -> None:
    rulings.disqualify(round_, given["player"], given["reason"], at=at, by=by, note=given["note"])


def _announce(round_: Round, _given: dict[str, Any], at: datetime, by: Any) -> None:
    if missing := checklist.find_unannounceable(round_, at):
        raise ValidationError(missing)
    rounds.announce(round_, at=at, by=by)


def _grant_make_up(round_: Round, given: dict[str, Any], at: datetime, by: Any) -> None:
    rounds.grant_make_up(round_, given["opens_at"], given["closes_at"], given["reason"], at=at, by=by)


ACTS = (
    Act(
        "announce",
        _("Announce now"),
        _announce,
        lambda round_, at: round_.phase(at) is Phase.DRAFT,
    ),
    Act(
        "lucky",
        _("Choose the lucky number"),
        lambda round_, given, at, by: lucky_number.type_number(round_, given["number"], at=at, by=by),
        lambda round_, at: round_.phase(at) in (Phase.DRAFT, Phase.SCHEDULED),
        LuckyForm,
    ),
    Act(
        "extend",
        _("Extend"),
        lambda round_, given, at, by: rounds.extend(round_, given["closes_at"], given["reason"], at=at, by=by),
        lambda round_, at: round_.phase(at) is Phase.OPEN and at < round_.closes_at,
        ExtendForm,
        effects=effects.of_later_close,
    ),
    Act(
        "make-up",
        _("Grant a make-up window"),
        _grant_make_up,
        lambda round_, at: round_.phase(at) is Phase.CLOSED and at < round_.reveals_at and not round_.make_up_closes_at,
        MakeUpForm,
    ),
    Act(
        "void-level",
        _("Make a level void"),
        lambda _round, given, at, by: rounds.void_slot(given["level"], given["reason"], at=at, by=by),
        _is_opened,
        VoidSlotForm,
        permissions=_RULING,
        takes_two=True,
    ),
    Act(
        "disqualify",
        _("Disqualify a player"),
        _disqualify,
        _is_opened,
        DisqualifyForm,
        permissions=_RULING,
        takes_two=True,
    ),
    Act(
        "lift",
        _("Lift a disqualification"),
        lambda _round, given, at, by: rulings.lift(given["ruling"], given["reason"], at=at, by=by),
        lambda round_, _at: _disqualifications(round_).exists(),
        LiftForm,
        permissions=_RULING,
    ),
    Act(
        "beacon",
        _("Enter the beacon's value"),
        lambda round_, given, at, by: lucky_number.enter_beacon(round_, given["value"], at=at, by=by),
        lambda round_, at: round_.phase(at) in (Phase.CLOSED, Phase.FINAL) and _has_beacon(round_),
        BeaconForm,
    ),
    Act(
        "machine",
        _("Challenge the machine"),
        lambda _round, given, at, by: machine.start(given["level"], given["seconds"], at=at, by=by),
        visibility.is_revealed,
        MachineForm,
    ),
    Act(
        "stop-machine",
        _("Stop the machine"),
        lambda round_, _given, _at, by: machine.stop(round_, by=by),
        lambda round_, _at: machine.is_waiting_at(round_),
    ),
    Act(
        "finalise",
        _("Make the results final"),
        lambda round_, _given, at, by: results.finalise(round_, at=at, by=by),
        lambda round_, at: round_.phase(at) is Phase.CLOSED,
        obstacles=results.obstacles,
        takes_two=True,
        effects=effects.of_final_results,
    ),
    Act(
        "revise",
        _("Revise the results"),
        lambda round_, given, at, by: results.revise(round_, given["reason"], at=at, by=by),
        lambda round_, at: round_.phase(at) is Phase.FINAL,
        ReasonForm,
        takes_two=True,
    ),
    Act(
        "cancel",
        _("Cancel the round"),
        lambda round_, given, at, by: rounds.cancel(round_, given["reason"], at=at, by=by),
        lambda round_, at: round_.phase(at) is Phase.SCHEDULED or _is_live(round_, at),
        ReasonForm,
        effects=effects.of_cancelling,
    ),
)
