"""Every field that takes one level reads the same texts, by `solvers.sokoban.formats.single`."""

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from contest.levels import pasted
from contest.models import Proposal, Search

pytestmark = pytest.mark.django_db

BOARD = "#######\n#@ $ .#\n#######"
LEVEL = "#######|#@-$-.#|#######"
TEXTS = {
    "tagged MF8": "[soko=7,3]HHHHHHH|Ha_$_.H|HHHHHHH[/soko]",
    "a title and a solution": f"Long way\n\n{BOARD}\n\nSolution\nrRR\n",
    "JSON": '{"name": "Long way", "map": "#######|#@-$-.#|#######", "lurd": "rRR"}',
    "a link of this site": "https://example.org/editor/#level=7AHABGDGFAH7A",
}


@override_settings(ASKED_SECONDS=30)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_field_reads_the_level(client, text):
    """The check page and its API, the solver, the editor, proposals, and the desk with pasted texts and files."""
    moves = {"board": text, "moves": "rRR"}
    assert "3 moves, 2 pushes" in client.post("/en/check/", moves).content.decode()
    assert client.post("/api/v1/check/", moves, content_type="application/json").json()["verdict"] == "accepted"
    client.post("/en/lab/solver/", {"level": text, "wish": "solve-any", "seconds": "10"})
    assert Search.objects.get().text == LEVEL
    assert client.post("/en/editor/", {"pasted": text, "do": "look"}).status_code == 200
    client.force_login(User.objects.create(username="ann"))
    client.post("/en/propose/", {"do": "read", "pasted": text})
    assert Proposal.objects.get().text == LEVEL
    for data in (text, text.encode()):
        assert [found.text for found in pasted.read(data).found] == [LEVEL.replace("|", "\n")]


def test_a_text_with_several_levels_is_refused_with_their_names(client):
    answer = client.post("/en/check/", {"board": f"{BOARD}\n\n######\n#@$ .#\n######", "moves": "rRR"})
    assert "This text has 2 levels" in answer.content.decode()
