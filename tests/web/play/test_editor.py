"""The editor without its script, and the forms it submits."""

import pytest

from contest.infra import rate_limits
from contest.web.play import editor
from tests import cast

pytestmark = pytest.mark.django_db

EDITOR = "/en/editor/"
LEVEL = "######\n#@ $.#\n######"


def said(answer) -> str:
    return answer.content.decode()


def test_without_a_script_the_gate_is_asked_by_a_button(client):
    """Rule 2.7."""
    for pasted, words in {
        LEVEL: "No problems found.",
        LEVEL.replace(".", " "): "The level has 1 boxes and 0 goals",
        "######\n#@--.#\n#---$#\n######": "corner without a goal: the level looks unsolvable. (E3)",
    }.items():
        assert words in said(client.post(EDITOR, {"pasted": pasted, "do": "look"}))


def test_the_drawn_level_is_played_or_the_solver_is_asked(client):
    """A level that cannot be played is only displayed."""
    shown = client.post(EDITOR, {"pasted": LEVEL, "do": "play"})
    assert 'data-level="######|#@-$.#|######"' in said(shown)
    shown = client.post(EDITOR, {"pasted": LEVEL.replace("@", " "), "do": "play"})
    assert "The level has 0 pushers" in said(shown)
    answer = client.post(EDITOR, {"pasted": LEVEL, "do": "ask"})
    assert "#@-$.#" in said(client.get(answer.url))


def test_levels_like_it_are_shown_with_links(client):
    cast.a_collection(boards=("#######|#@-$.-#|#######",))

    def alike(text):
        return said(client.post(EDITOR, {"pasted": text, "do": "alike"}))

    shown = alike("#######\n#@$-.-#\n#######")
    assert "85 % in common" in shown
    assert 'href="/en/collections/corridors/1/"' in shown
    assert "the same, turned or mirrored" in alike("#######\n#-.$-@#\n#######")
    assert "No public level" in alike(LEVEL.replace("\n", "\n#----#\n"))
    without_player = alike(LEVEL.replace("@", "-"))
    assert "pushers" in without_player
    assert "Levels like this one" not in without_player


def test_what_is_no_board_is_refused_in_words_and_kept_in_the_form(client):
    for text in ("", "hello", "#" * 60_000, "9999999#", "####\n\n####", "\0"):
        shown = client.post(EDITOR, {"pasted": text, "do": "look"})
        assert shown.status_code == 422
        assert shown.context["form"].errors["pasted"]


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_the_level_is_kept_as_a_picture(client, kind, start):
    answer = client.post(f"{EDITOR}picture/", {"pasted": LEVEL, "do": kind})
    assert answer.content.startswith(start)
    assert answer["Content-Disposition"] == f'attachment; filename="level.{kind}"'


@pytest.mark.parametrize("path", [EDITOR, "/en/editor/picture/"])
def test_of_a_network_that_posts_too_much_no_level_is_read(client, monkeypatch, path):
    def full(_address):
        raise rate_limits.Busy(30, 7)

    monkeypatch.setattr(rate_limits, "pass_board", full)
    monkeypatch.setattr(editor.Level, "parse", None)
    assert client.post(path, {"pasted": LEVEL, "do": "alike"}).status_code == 429
