from contest.models import Submission

BOARD = "#####\n#@$.#\n#####"


def test_checking_moves_submits_nothing(client, running):
    answer = client.post("/en/check/", {"board": BOARD, "moves": "Solution: r"})
    assert "1 move, 1 push" in answer.content.decode()
    assert "Solves Main: 2 moves" in client.post("/en/check/", {"moves": "rr"}).content.decode()
    answer = client.post("/en/check/", {"board": "#####\n#$$.#\n#####", "moves": "r"})
    assert (answer.status_code, "0 pushers" in answer.content.decode()) == (400, True)
    assert not Submission.objects.exists()


def test_a_link_may_name_only_a_public_level(client, running, coming):
    """Rule 7.4."""
    assert "#@$-.#" in client.get("/en/check/?round=7&slot=main").content.decode()
    assert "#@$.#" not in client.get("/en/check/?round=8&slot=main").content.decode()
