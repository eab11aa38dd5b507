"""The editor without its script, and the forms it submits."""

import pytest

from tests import cast

pytestmark = pytest.mark.django_db

EDITOR = "/en/editor/"
LEVEL = "######\n#@ $.#\n######"


def test_without_a_script_a_button_runs_the_publication_check(client):
    """Rule 2.7."""
    for pasted, message in {
        LEVEL: "No problems found.",
        LEVEL.replace(".", " "): "The level has 1 boxes and 0 goals",
        "######\n#@--.#\n#---$#\n######": "corner without a goal: the level looks unsolvable. (E3)",
    }.items():
        assert message in client.post(EDITOR, {"pasted": pasted, "do": "look"}).text


def test_a_drawn_level_is_played_or_sent_to_the_solver(client):
    """A level that cannot be played is only displayed."""
    shown = client.post(EDITOR, {"pasted": LEVEL, "do": "play"})
    assert 'data-level="######|#@-$.#|######"' in shown.text
    shown = client.post(EDITOR, {"pasted": LEVEL.replace("@", " "), "do": "play"})
    assert "The level has 0 pushers" in shown.text
    answer = client.post(EDITOR, {"pasted": LEVEL, "do": "ask"})
    assert "#@-$.#" in client.get(answer.url).text


def test_similar_levels_are_shown_with_links(client):
    cast.a_collection(boards=("#######|#@-$.-#|#######",))

    def similar_levels(text):
        return client.post(EDITOR, {"pasted": text, "do": "alike"}).text

    shown = similar_levels("#######\n#@$-.-#\n#######")
    assert "85 % in common" in shown
    assert 'href="/en/collections/corridors/1/"' in shown
    assert "the same, turned or mirrored" in similar_levels("#######\n#-.$-@#\n#######")
    assert "No public level" in similar_levels(LEVEL.replace("\n", "\n#----#\n"))
    without_player = similar_levels(LEVEL.replace("@", "-"))
    assert "pushers" in without_player
    assert "Levels like this one" not in without_player


def test_an_invalid_board_is_refused_with_an_error_in_the_form(client):
    for text in ("", "hello", "#" * 60_000, "9999999#", "####\n\n####", "\0"):
        shown = client.post(EDITOR, {"pasted": text, "do": "look"})
        assert shown.status_code == 422
        assert shown.context["form"].errors["pasted"]


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_the_level_is_downloaded_as_a_picture(client, kind, start):
    answer = client.post(f"{EDITOR}picture/", {"pasted": LEVEL, "do": kind})
    assert answer.content.startswith(start)
    assert answer["Content-Disposition"] == f'attachment; filename="level.{kind}"'
