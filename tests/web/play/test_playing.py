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
    assert (verdict["isAccepted"], verdict["ranks"], verdict["before"]) == (True, {"moves": 1, "pushes": 1}, {"moves": None, "pushes": None})
