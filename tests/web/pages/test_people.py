import re
from datetime import UTC, datetime, timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player, Round
from contest.rankings import ratings
from tests import cast
from tests.contest.outcomes import a_final_round, a_player

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def history(db):
    with clock.set_to(NOW):
        a_player("Ann", country="cn")
        for number, names in ((1, ("Ann", "Bo", "Cy")), (2, ("Bo", "Ann"))):
            ratings.update(a_final_round(number, *names))
        yield


def _page(client, address):
    return client.get(f"/en/{address}").content.decode()


def test_a_players_page_shows_rounds_titles_and_the_chart(client, history):
    """The title of the latest round is first."""
    ann = a_player("Ann")
    text = client.get(ann.get_absolute_url()).content.decode()
    assert f'href="/en/rounds/1/results/#s-{ann.pk}"' in text
    assert '<h2 id="rounds">' in text
    assert "China" in text
    assert [" ".join(title.split()) for title in re.findall(r'<a class="title"[^>]*>(.*?)</a>', text, re.DOTALL)] == [
        "★ Pushes champion, Round 2",
        "★ Moves champion, Round 1",
    ]


def test_the_number_in_the_url_identifies_the_player(client, history):
    """Rule 4.13: a merged name leads to the player."""
    ann, cy = a_player("Ann"), a_player("Cy")
    Player.objects.filter(pk=cy.pk).update(merged_into=ann)
    for wrong in (f"{ann.pk}/", f"{ann.pk}-bo/", f"{cy.pk}-cy/"):
        assert client.get(f"/en/players/{wrong}").url == f"/en/players/{ann.pk}-ann/"
    assert client.get(f"/en/players/{ann.pk}-ann/").status_code == 200
    unknown = [f"players/{number}-x/" for number in (0, 4_711, 10**30)]
    for address in (*unknown, "hall/?by=luck", "hall/?league=cat"):
        assert client.get(f"/en/{address}").status_code == 404, address


def test_two_names_of_a_player_share_a_line_per_round(client, history):
    """Rule 4.13: the better result scores, and the certificate lists the titles of both."""
    ann, bo = a_player("Ann"), a_player("Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    text = client.get(ann.get_absolute_url()).content.decode()
    assert text.count(">Round 1</a>") == text.count(">Round 2</a>") == 1
    assert "<dd><strong>79</strong></dd>" in text
    won = client.get(f"/en/rounds/1/results/certificates/{ann.pk}/").content.decode()
    for text in ("Rank 1 with 39.5 points", "Moves champion", "Pushes champion"):
        assert text in won


def test_a_player_with_only_rejected_submissions_is_hidden_from_others(client, during_round):
    """Rules 6.14, 7.5."""
    receipt = cast.send("Ann", "u")
    judging.judge_until_empty()
    assert client.get(f"/en/players/{receipt.submission.player_id}-ann/").status_code == 404
    client.get("/en/submit/")
    client.post("/en/submit/", {"moves": "uu", "nickname": "Ann", "claim": receipt.claim})
    assert client.get(f"/en/players/{receipt.submission.player_id}-ann/").status_code == 200


def test_records_name_the_player_and_the_round(client, during_round):
    """Rules 2.8, 20.1."""
    cast.send("Ann", "rlrR")
    cast.send("Bo", "rR")
    judging.judge_until_empty()
    text = _page(client, "records/")
    assert ">Bo</a>" in text
    assert ">Ann</a>" not in text
    assert "none yet" in text  # the extra level
    Round.objects.update(opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=9))
    assert "main of 1" not in _page(client, "records/")
