from datetime import timedelta

import pytest
from django.test import Client

from contest import judging, results
from contest.models import Player, SeenSolutions, Submission, VirtualStart


@pytest.fixture
def practised(client, closed, send):
    send("R", nickname="Cy", round="6", practice="1")
    judging.judge_until_empty()
    return Player.objects.get()


def test_the_form_accepts_practice_for_a_closed_round(client, practised):
    """Rule 20.1: practice is in no list of the round."""
    submission = Submission.objects.get()
    assert submission.is_practice
    text = " ".join(client.get(f"/en/s/{submission.receipt_id}/").content.decode().split())
    assert '<span class="mark">practice</span>' in text
    assert "?round=6&amp;practice=1" in text
    for page in ("rounds/6/", "rounds/6/submissions/"):
        assert ">Cy" not in client.get(f"/en/{page}").content.decode()


def test_virtual_participation_starts_by_a_button(client, practised):
    """Rules 20.2, 20.3: a player who has seen solutions is warned before."""
    page, submission = "/en/rounds/6/virtual/", Submission.objects.get()
    before = client.get(page).content.decode()
    assert "Start the clock" in before
    assert "has already seen solutions of this round" not in before
    SeenSolutions.objects.create(round=submission.round, player=practised, seen_at=submission.received_at)
    assert "has already seen solutions of this round" in client.get(page).content.decode()
    after = client.post(page, {"player": practised.pk}, follow=True).content.decode()
    assert "Standings as of" in after
    assert "Start the clock" not in after
    assert VirtualStart.objects.get().player == practised


def test_other_viewers_cannot_start_virtual_participation(client, practised, running, coming):
    """Rule 20.2: and only closed rounds allow it."""
    stranger = Client()
    page = stranger.get("/en/rounds/6/virtual/").content.decode()
    assert 'href="/en/rounds/6/main/play/"' in page  # where the first practice solution comes from
    assert stranger.post("/en/rounds/6/virtual/", {"player": practised.pk}).status_code == 422
    assert not VirtualStart.objects.exists()
    assert [client.get(f"/en/rounds/{number}/virtual/").status_code for number in (7, 8, 99)] == [404] * 3


@pytest.mark.parametrize("address", ["/rounds/6/results.json", "/rounds/6/archive.zip"])
def test_downloading_a_rounds_solutions_is_recorded_as_seen(client, closed, practised, address):
    """Rule 20.3: the archive and the published results hold the moves."""
    results.finalise(closed, at=closed.closes_at + timedelta(hours=1), by=None)
    assert client.get(address).status_code == 200
    assert SeenSolutions.objects.get().player == practised
