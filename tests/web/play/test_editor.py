"""The editor without its script, and what it hands over."""

import pytest

from contest.infra import rate_limits
from contest.web.play import editor
from tests import cast

pytestmark = pytest.mark.django_db

EDITOR = "/en/editor/"
LEVEL = "######\n#@ $.#\n######"


def said(answer) -> str:
    return answer.content.decode()


def test_anybody_may_draw(client):
    assert client.get(EDITOR).status_code == 200


def test_without_a_script_the_gate_is_asked_by_a_button(client):
    """Rule 2.7."""
    shown = client.post(EDITOR, {"pasted": LEVEL.replace(".", " "), "do": "look"})
    assert "The level has 1 boxes and 0 goals" in said(shown)
    assert "No problems found." in said(client.post(EDITOR, {"pasted": LEVEL, "do": "look"}))


def test_cells_of_a_fault_are_named(client):
    shown = client.post(EDITOR, {"pasted": "######\n#@--.#\n#---$#\n######", "do": "look"})
    assert "A box is in a corner without a goal: the level looks unsolvable. (E3)" in said(shown)


def test_the_drawn_level_is_played(client):
    shown = client.post(EDITOR, {"pasted": LEVEL, "do": "play"})
    assert 'data-level="######|#@-$.#|######"' in said(shown)


def test_a_level_nobody_can_play_is_looked_at_instead(client):
    shown = client.post(EDITOR, {"pasted": LEVEL.replace("@", " "), "do": "play"})
    assert "The level has 0 pushers" in said(shown)


def test_levels_like_it_are_shown_with_links(client):
    cast.a_collection(boards=("#######|#@-$.-#|#######",))
    shown = client.post(EDITOR, {"pasted": "#######\n#@$-.-#\n#######", "do": "alike"})
    assert "85 % in common" in said(shown)
    assert 'href="/en/collections/corridors/1/"' in said(shown)
    assert "the same, turned or mirrored" in said(
        client.post(EDITOR, {"pasted": "#######\n#-.$-@#\n#######", "do": "alike"})
    )
    assert "No public level" in said(client.post(EDITOR, {"pasted": LEVEL.replace("\n", "\n#----#\n"), "do": "alike"}))


def test_a_board_without_one_player_is_compared_with_nothing(client):
    shown = said(client.post(EDITOR, {"pasted": LEVEL.replace("@", "-"), "do": "alike"}))
    assert "pushers" in shown
    assert "Levels like this one" not in shown


def test_the_solver_is_asked_with_the_board(client):
    answer = client.post(EDITOR, {"pasted": LEVEL, "do": "ask"})
    assert "#@-$.#" in said(client.get(answer.url))


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


def test_a_picture_of_the_largest_board_stays_small(client):
    board = "\n".join(["#" * 200] * 200)
    answer = client.post(f"{EDITOR}picture/", {"pasted": board, "do": "png"})
    assert answer.status_code == 200
    assert len(answer.content) < 200_000


@pytest.mark.parametrize("path", [EDITOR, "/en/editor/picture/"])
def test_of_a_network_that_posts_too_much_no_level_is_read(client, monkeypatch, path):
    def full(_address):
        raise rate_limits.Busy(30, 7)

    monkeypatch.setattr(rate_limits, "pass_board", full)
    monkeypatch.setattr(editor.Level, "parse", None)
    assert client.post(path, {"pasted": LEVEL, "do": "alike"}).status_code == 429
