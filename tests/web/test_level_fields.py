"""Every field that takes one level reads the same texts, by `solvers.sokoban.formats.single`."""

import pytest
from django.test import override_settings

from contest.models import Search

pytestmark = pytest.mark.django_db

BOARD = "#######\n#@ $ .#\n#######"
TEXTS = {
    "tagged MF8": "[soko=7,3]HHHHHHH|Ha_$_.H|HHHHHHH[/soko]",
    "MF8": "HHHHHHH\nHa_$_.H\nHHHHHHH",
    "a title and a solution": f"Long way\n\n{BOARD}\n\nSolution\nrRR\n",
    "quoted rows": "\n".join(f'"{row}",' for row in BOARD.split("\n")),
    "line numbers": "\n".join(f"{number} {row}" for number, row in enumerate(BOARD.split("\n"), 1)),
    "a link": "https://example.org/sokoplayer/?w=7&h=3&lvl=HHHHHHH|Ha_$_.H|HHHHHHH",
}
TWO = f"{BOARD}\n\n######\n#@$ .#\n######"


@pytest.fixture(params=list(TEXTS.values()), ids=list(TEXTS))
def text(request):
    return request.param


def test_the_check_page(client, text):
    assert "3 moves, 2 pushes" in client.post("/en/check/", {"board": text, "moves": "rRR"}).content.decode()


def test_the_api_of_the_check_page(client, text):
    answer = client.post("/api/v1/check/", {"board": text, "moves": "rRR"}, content_type="application/json")
    assert answer.json()["verdict"] == "accepted"


@override_settings(ASKED_SECONDS=30)
def test_the_solver(client, text):
    client.post("/en/lab/solver/", {"level": text, "wish": "solve-any", "seconds": "10"})
    assert Search.objects.get().text == "#######|#@-$-.#|#######"


def test_the_editor(client, text):
    assert client.post("/en/editor/", {"pasted": text, "do": "look"}).status_code == 200


def test_a_text_with_several_levels_is_refused_with_their_names(client):
    answer = client.post("/en/check/", {"board": TWO, "moves": "rRR"})
    assert "This text has 2 levels" in answer.content.decode()
