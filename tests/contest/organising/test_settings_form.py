import json

import pytest
from django.http import QueryDict

from contest.models import Round
from contest.organising.settings_form import SETTINGS, SettingsForm
from contest.rules.settings import NEW, RoundSettings

NEW_ROUND = RoundSettings(**NEW).as_json()
pytestmark = pytest.mark.django_db  # a round has a track


class Form(SettingsForm):
    class Meta:
        model = Round
        fields = ()


def as_sent(**changed) -> QueryDict:
    """Return the POST data of a browser's form with the default settings and *changed* fields."""
    empty, sent = Form(), QueryDict(mutable=True)
    for name in (*SETTINGS, "rules"):
        value = changed.get(name, empty[name].value())
        value = "" if value is None else value
        sent.setlist(name, value if isinstance(value, list) else [value])
    return sent


def settings_of(sent) -> dict:
    form = Form(sent)
    assert form.is_valid(), form.errors
    form.fill_settings()
    return form.instance.settings


def test_a_form_sent_as_it_came_changes_nothing():
    assert settings_of(as_sent()) == NEW_ROUND


@pytest.mark.parametrize(
    ("name", "entered", "stored"),
    [
        ("scoring_levels", ["extra", "main"], ["main", "extra"]),
        ("move_points", "10， 5.5、5", [10, 5.5, 5]),
        ("spectator", "True", True),
        ("max_moves", "5000", 5000),
        ("max_moves", "", 1_000_000),
    ],
)
def test_a_field_sets_its_setting_and_no_other(name, entered, stored):
    assert settings_of(as_sent(**{name: entered})) == {**NEW_ROUND, name: stored}


@pytest.mark.parametrize(
    ("name", "entered", "message"),
    [
        ("move_points", "1, 2", "number 2 is larger than the one before it"),
        ("max_moves", "7", "from 1000 to 2000000"),
        ("leagues", "mixed", "Select a valid choice"),
    ],
)
def test_an_error_is_shown_beside_its_field(name, entered, message):
    form = Form(as_sent(**{name: entered}))
    assert list(form.errors) == [name]
    assert message in form.errors[name][0]
    assert form[name].value() == entered


def test_pasted_json_replaces_the_values_of_the_fields():
    form = Form(as_sent(lucky="False", rules=json.dumps({"leagues": "together", "scoring_levels": ["extra"]})))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["rules"] == {**NEW_ROUND, "leagues": "together", "scoring_levels": ["extra"]}
    shown = {name: form[name].value() for name in ("lucky", "leagues", "scoring_levels", "rules")}
    assert shown == {"lucky": "True", "leagues": "together", "scoring_levels": ["extra"], "rules": ""}


def test_entries_that_are_no_settings_are_preserved():
    form = Form(as_sent(lucky="False"), instance=Round(settings={"imported": "mf8"}))
    assert form.is_valid(), form.errors
    form.fill_settings()
    assert form.instance.settings == {"imported": "mf8", **NEW_ROUND, "lucky": False}


def test_frozen_settings_stay_whatever_is_sent():
    """Rule 2.9."""
    form = Form(as_sent(lucky="False", rules='{"spectator": true}'))
    form.freeze_settings()
    assert form.is_valid(), form.errors
    assert form.cleaned_data["rules"] == NEW_ROUND
