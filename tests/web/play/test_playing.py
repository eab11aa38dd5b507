import html
import json
import re

from contest import judging
from contest.models import Submission

SCRIPT = {"HTTP_ACCEPT": "application/json"}


def test_the_game_submits_to_an_open_round_and_as_practice_to_a_closed_one(client, running, closed):
    """Rule 20.1."""
    answer = client.get("/en/rounds/7/main/play/")
    page = answer.content.decode()
    assert 'data-level="######|#@$-.#|######"' in page
    assert '<input type="hidden" name="slot" value="main"' in page
    page = client.get("/en/rounds/6/main/play/").content.decode()
    assert '<input type="hidden" name="practice" value="True"' in page


def test_the_script_gets_the_receipts_url_or_errors_by_field(client, running):
    answer = client.post("/en/submit/", {"moves": "RR", "nickname": ""}, **SCRIPT)
    assert answer.status_code == 422
    assert answer.json() == {"errors": {"nickname": ["The nickname cannot be empty."]}}
    answer = client.post("/en/submit/", {"moves": "RR", "nickname": "Ann"}, **SCRIPT)
    assert answer.status_code == 201
    receipt = Submission.objects.get().get_absolute_url()
    assert answer.json() == {"receipt": receipt, "isNew": True}
    assert client.get(receipt, **SCRIPT).json() == {"isPending": True}
    judging.judge_until_empty()
    verdict = client.get(receipt, **SCRIPT).json()
    assert verdict["isAccepted"]
    assert verdict["ranks"] == {"moves": 1, "pushes": 1}


def test_a_picture_of_bricks_is_made_of_counts_and_public_numbers(client, running, send):
    """A picture made of moves would give the solution of a running round away."""
    address = send("RR").request["PATH_INFO"]
    page = html.unescape(client.get(f"{address}?wait=1").content.decode())
    facts = json.loads(re.search(r'data-bricks="(\{.*?\})"\n', page)[1])
    assert facts == {"title": facts["title"], "moves": 2, "pushes": 2}
    numbers = client.get(re.search(r'data-numbers="([^"]+)"', page)[1]).json()
    assert [row[:2] for row in numbers["moves"]] == [[2, 2]]
    assert "RR" not in json.dumps([facts, numbers])


def test_checking_moves_submits_nothing(client, running):
    answer = client.post("/en/check/", {"board": "#####\n#@$.#\n#####", "moves": "Solution: r"})
    assert "1 move, 1 push" in answer.content.decode()
    assert "Solves Main: 2 moves" in client.post("/en/check/", {"moves": "rr"}).content.decode()
    answer = client.post("/en/check/", {"board": "#####\n#$$.#\n#####", "moves": "r"})
    assert (answer.status_code, "0 pushers" in answer.content.decode()) == (400, True)
    assert not Submission.objects.exists()


def test_a_link_may_name_only_a_public_level(client, running, coming):
    """Rule 7.4."""
    assert "#@$-.#" in client.get("/en/check/?round=7&slot=main").content.decode()
    assert "#@$.#" not in client.get("/en/check/?round=8&slot=main").content.decode()
