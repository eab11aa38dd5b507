import pytest

from contest.models import Slot
from contest.rules import settings as round_settings
from contest.rules.scoring import SLOTS
from contest.rules.settings import NEW, BadSettings, RoundSettings, parse
from tests.contest.results.worked import EXAMPLES


def fault(**values):
    with pytest.raises(BadSettings) as refusal:
        parse(values)
    (name,) = refusal.value.faults
    assert name in values
    return refusal.value.faults[name].code


def test_the_defaults_are_the_rulebooks():
    """Rules 9.1, 9.4, 9.5, 10.5, 11.9, 14.5, 16.4, 17.1: the other ones are among the examples of the rules."""
    settings = parse({}).as_json()
    assert EXAMPLES["settings"].items() <= settings.items()
    assert {name: settings[name] for name in settings if name not in EXAMPLES["settings"]} == {
        "lucky_formula": "L mod N",
        "lucky_source": "server",
        "lucky_beacon": "none",
        "solutions_public": "at_close",
        "organisers_may_enter": "no",
        "max_moves": 1_000_000,
        "not_known_solvable": [],
    }


def test_settings_omit_sealed_answers_and_beacons_that_a_round_does_not_use():
    """Rules 1.2, 14.3, 17.1: so that the published documents of other rounds stay identical."""
    assert "lucky_beacon" not in RoundSettings().as_published()
    chosen = RoundSettings(lucky_beacon="drand quicknet")
    assert parse(chosen.as_published()) == chosen
    assert list(SLOTS) == list(Slot.values)
    assert "sealed_answers" not in RoundSettings().as_json()
    assert "sealed_answers" not in RoundSettings().as_published()
    on = parse({"sealed_answers": True})
    assert on.sealed_answers is True
    assert parse(on.as_json()) == parse(on.as_published()) == on


def test_new_rounds_alone_have_the_setting_on_proposers():
    """Rules 4.15, 17.1: the documents of rounds from before it stay identical."""
    assert "hors_concours" not in parse({}).as_json()
    assert parse(RoundSettings(**NEW).as_published()).hors_concours == "authors"
    assert fault(hors_concours="") == "choice"


def test_written_settings_read_back():
    settings = parse({"move_points": [10, 5.5, 5.5, 0], "scoring_levels": ["extra2", "main"], "lucky": False})
    assert settings.move_points == (20, 11, 11, 0)
    assert settings.scoring_levels == ("main", "extra2")
    assert parse(settings.as_json()) == settings
    assert round_settings.of({"demo": True, "lucky": False}) == RoundSettings(lucky=False), "marks of others are none"
    for most in (1_000, 2_000_000):
        assert parse({"max_moves": most}).max_moves == most
    assert parse({"move_points": [1] * 100, "push_points": []}).push_points == ()


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("move_points", [2, 3], "rising"),
        ("push_points", [float("nan")], "half"),
        ("move_points", [10**400], "half"),
        ("move_points", [1] * 101, "points"),
        ("scoring_levels", [["main"]], "slots"),
        ("second_champion", "anybody", "choice"),
        ("lucky_formula", ["L mod N"], "choice"),
        ("lucky", 1, "switch"),
        ("max_moves", 999, "number"),
        ("max_moves", 2_000_001, "number"),
        ("maximum", 5, "unknown"),
    ],
)
def test_a_wrong_setting_is_named_with_its_fault(name, value, code):
    assert fault(**{name: value}) == code
