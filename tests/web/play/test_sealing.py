from datetime import timedelta

import pytest
from django.test import Client

from contest import judging, players
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Round, SealedAnswer, Submission
from contest.rules.sealed_answers import SealedText
from tests import cast

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
PAGE = "/en/rounds/1/sealed/"


@pytest.fixture
def sealing():
    round_ = cast.with_settings(cast.a_round(), sealed_answers=True)
    with clock.set_to(cast.DURING):
        yield round_


@pytest.fixture
def ann(client, sealing):
    client.post("/en/submit/", {"nickname": "Ann", "moves": "r"})
    judging.judge_until_empty()
    return players.entering.find_player("Ann")


def sealed_text(player, moves="rR"):
    return SealedText(1, "main", player.archive_number, "5a" * 16, moves)


def seal_fields(player, **changed):
    fields = {"player": player.pk, "slot": "main", "moves": 2, "pushes": 1, "sha256": sealed_text(player).sha256}
    return fields | changed


def test_an_answer_is_sealed_and_shown_as_unproved(client, ann):
    """Rules 5.11, 5.12."""
    assert f'"{ann.pk}": {ann.archive_number}' in client.get(PAGE).content.decode()
    sealed = client.post(PAGE, seal_fields(ann))
    answer = SealedAnswer.objects.get()
    assert sealed["Location"] == f"/en/rounds/1/sealed/{answer.number}/"
    receipt_chain.append_all()
    receipt = client.get(sealed["Location"]).content.decode()
    assert "Keep the sealed text" in receipt
    assert "Keep the sealed text" not in Client().get(sealed["Location"]).content.decode()
    assert answer.sha256 in receipt
    assert answer.chain_link.leaf in receipt
    page = client.get(PAGE).content.decode()
    assert "1 answer, unproved" in page
    assert "Nobody has solved a level yet" in client.get("/en/rounds/1/submissions/").content.decode()


def test_an_impossible_count_is_reported_at_its_field_and_the_hash_stays(client, ann):
    """Rule 5.11."""
    page = client.post(PAGE, seal_fields(ann, pushes=1, slot="extra"))
    assert page.status_code == 422
    assert "No solution of this level has fewer than 2 pushes." in page.content.decode()
    assert sealed_text(ann).sha256 in page.content.decode()
    other = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    assert client.post(PAGE, seal_fields(other)).status_code == 422
    assert not SealedAnswer.objects.exists()


def test_a_viewer_without_a_nickname_reads_the_list_but_cannot_seal(client, sealing):
    """Rules 5.11, 5.12."""
    page = client.get(PAGE).content.decode()
    assert "you need your own nickname" in page
    assert "data-sealing" not in page
    assert client.post(PAGE, {}).status_code == 422


def test_any_client_with_the_text_opens_it_in_the_day_after_the_close(client, ann):
    """Rule 5.13."""
    client.post(PAGE, seal_fields(ann))
    assert "Open an answer" not in client.get(PAGE).content.decode()
    with clock.set_to(cast.CLOSES):
        client.cookies.clear()
        assert "opened: 0 of 1" in client.get(PAGE).content.decode()
        lines = str(sealed_text(ann)).replace("\n", "\r\n")
        opened = client.post(f"{PAGE}open/", {"text": lines})
        judging.judge_until_empty()
        submission = Submission.objects.get(verdict="accepted")
        assert opened["Location"] == submission.get_absolute_url()
        assert "opened: 1 of 1" in client.get(PAGE).content.decode()
        assert "Ann" in client.get("/en/rounds/1/submissions/").content.decode()


def test_invalid_texts_are_refused_and_unopened_answers_are_void(client, ann):
    """Rule 5.13."""
    client.post(PAGE, seal_fields(ann))
    late = cast.CLOSES + DAY
    for text, at, message in (
        ("", cast.CLOSES, "Paste the sealed text here"),
        ("rR", cast.CLOSES, "This is not a sealed text"),
        (str(sealed_text(ann)), late, "Sealed answers of round 1 are opened from"),
    ):
        with clock.set_to(at):
            page = client.post(f"{PAGE}open/", {"text": text})
        assert page.status_code in (409, 422)
        assert message in page.content.decode()
    with clock.set_to(late):
        page = client.get(PAGE).content.decode()
    assert all(message in page for message in ("void: not opened", "opened: 0 of 1"))


def test_without_the_setting_sealed_answers_do_not_exist(client, sealing):
    """Rules 5.11, 5.12, 17.1: nor before the opening."""
    assert "/sealed/" in client.get("/en/rounds/1/").content.decode()
    with clock.set_to(cast.OPENS - DAY):
        assert client.get(PAGE).status_code == 404
    Round.objects.update(settings={**sealing.settings, "sealed_answers": False})
    assert [client.get(page).status_code for page in (PAGE, f"{PAGE}1/")] == [404, 404]
    assert client.post(f"{PAGE}open/", {"text": "x"}).status_code == 404
    for page in ("/en/rounds/1/", "/en/rounds/1/submissions/"):
        assert "ealed" not in client.get(page).content.decode().replace("revealed", "")
