import pytest

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


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_the_level_is_downloaded_as_a_picture(client, kind, start):
    answer = client.post(f"{EDITOR}picture/", {"pasted": LEVEL, "do": kind})
    assert answer.content.startswith(start)
    assert answer["Content-Disposition"] == f'attachment; filename="level.{kind}"'
