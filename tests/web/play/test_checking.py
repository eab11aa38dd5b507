from contest.infra import rate_limits
from contest.models import Submission

BOARD = "#####\n#@$.#\n#####"


def test_boards_and_levels_of_the_running_round_are_tried_and_nothing_is_entered(client, running):
    answer = client.post("/en/check/", {"board": BOARD, "moves": "Solution: r"})
    assert "1 moves, 1 pushes" in answer.content.decode()
    assert "Solves Main: 2 moves" in client.post("/en/check/", {"moves": "rr"}).content.decode()
    answer = client.post("/en/check/", {"board": "#####\n#$$.#\n#####", "moves": "r"})
    assert (answer.status_code, "0 pushers" in answer.content.decode()) == (400, True)
    assert not Submission.objects.exists()


def test_a_link_may_name_a_level_that_is_public(client, running, coming):
    """Rule 7.4."""
    assert "#@$-.#" in client.get("/en/check/?round=7&slot=main").content.decode()
    assert "#@$.#" not in client.get("/en/check/?round=8&slot=main").content.decode()


def test_trials_cost_as_much_as_submissions(client, db, monkeypatch):
    """Rule 5.9."""

    def full(_address):
        raise rate_limits.Busy(30, 7)

    monkeypatch.setattr(rate_limits, "pass_address", full)
    answer = client.post("/en/check/", {"board": BOARD, "moves": "r"})
    assert answer.status_code == 429
    assert "Try again in 7 seconds" in answer.content.decode()
