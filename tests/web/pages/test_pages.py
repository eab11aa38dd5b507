import pytest

from contest.models import Submission

PAGES = [
    "",
    "rounds/",
    "rounds/7/",
    "rounds/7/main/",
    "rounds/7/submissions/",
    "rounds/6/",
    "rounds/8/",
    "submit/",
    "help/",
]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_answers_in_both_languages(client, running, closed, coming, language, page):
    answer = client.get(f"/{language}/{page}")
    assert answer.status_code == 200
    assert f'lang="{ {"en": "en", "zh-hans": "zh-Hans"}[language] }"' in answer.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_no_inline_script_or_style(client, running, closed, coming, page):
    text = client.get(f"/en/{page}").content.decode()
    assert "style=" not in text
    assert "<style" not in text
    data = text.count('<script type="application/json">')
    assert text.count("<script") == text.count('<script type="module" src=') + data


def test_the_home_page_is_of_use_before_the_first_round(client, db):
    assert "No round is running." in client.get("/en/").content.decode()


def test_who_waits_for_the_next_round_can_be_reminded(client, coming):
    page = client.get("/en/").content.decode()
    assert all(f'href="{address}"' in page for address in ("/rounds.ics", "/en/mail/"))


def test_a_scheduled_round_shows_its_number_and_nothing_of_its_levels(client, coming):
    for page in ("", "rounds/", "rounds/8/"):
        text = client.get(f"/en/{page}").content.decode()
        assert "Round 8" in text
        assert "Secret title" not in text
        assert 'class="board"' not in text


@pytest.mark.parametrize("page", ["rounds/8/main/", "rounds/99/", "rounds/7/extra3/", "s/nothing/"])
def test_hidden_and_unknown_look_alike(client, running, coming, page):
    assert client.get(f"/en/{page}").status_code == 404


def test_the_language_switch_keeps_page_and_query(client, running):
    text = client.get("/en/rounds/7/submissions/?page=1").content.decode()
    assert 'href="/zh-hans/rounds/7/submissions/?page=1"' in text


def test_a_level_can_be_copied(client, running):
    assert "######\n#@$-.#\n######" in client.get("/en/rounds/7/main/").content.decode()


def test_results_appear_at_the_close_and_not_before(client, running, closed):
    assert "Nobody scored in this round." in client.get("/en/rounds/6/").content.decode()
    assert "Nobody scored in this round." not in client.get("/en/rounds/7/").content.decode()


def test_an_error_page_names_no_secret(client, db):
    assert "There is no such page" in client.get("/en/nowhere/").content.decode()


def test_a_submission_leads_to_its_receipt(client, running, send):
    page = send("RR").content.decode()
    submission = Submission.objects.get()
    assert f"Receipt {submission.number}" in page
    assert submission.sha256 in page


def test_the_claim_secret_is_shown_until_the_verdict_and_then_no_more(client, running, send):
    assert "The nickname is yours now" in send("RR").content.decode()
    address = f"/en/s/{Submission.objects.get().receipt_id}/"
    assert "The nickname is yours now" in client.get(f"{address}?wait=1").content.decode()
    assert "The nickname is yours now" not in client.get(address).content.decode()


def test_waiting_brings_the_verdict_without_a_worker(client, running, send):
    send("RR")
    page = client.get(f"/en/s/{Submission.objects.get().receipt_id}/?wait=1&fragment=1").content.decode()
    assert "2 moves, 2 pushes" in page
    assert "<html" not in page


def test_a_wrong_move_is_named(client, running, send):
    send("U")
    page = client.get(f"/en/s/{Submission.objects.get().receipt_id}/?wait=1").content.decode()
    assert "Move 1 (U) walks into a wall." in page


def test_the_browser_remembers_the_nickname(client, running, send):
    send("RR", nickname="Ann")
    assert 'value="Ann"' in client.get("/en/submit/").content.decode()
    assert send("R R", nickname="ann").status_code == 200
    assert Submission.objects.count() == 2


def test_a_stranger_cannot_use_a_nickname_and_keeps_the_text(client, running, send):
    send("RR")
    client.cookies.clear()
    answer = send("RRuu", nickname="Ann")
    assert answer.status_code == 409
    assert "RRuu" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"moves": ""}, "Paste your moves here."),
        ({"moves": "R", "nickname": ""}, "The nickname cannot be empty."),
        ({"moves": "R", "email": "nobody"}, "This is not an email address."),
    ],
)
def test_errors_stand_beside_their_fields(client, running, send, fields, words):
    answer = send(**fields)
    assert words in answer.content.decode()
    assert 400 <= answer.status_code < 500


def test_a_late_submission_is_refused_with_words(client, closed, send):
    answer = send("R", round="6")
    assert answer.status_code == 409
    assert "Round 6 closed at" in answer.content.decode()
    assert not Submission.objects.exists()


def test_a_stranger_never_reads_the_moves(client, running, send):
    send("RrUuDdLl")
    Submission.objects.update(text=b"RR")
    client.get(f"/en/s/{Submission.objects.get().receipt_id}/?wait=1")
    client.cookies.clear()
    for page in PAGES[:5]:
        assert "RrUuDdLl" not in client.get(f"/en/{page}").content.decode()


def test_a_page_without_an_icon_of_its_own_is_given_the_mark(client):
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.url) == (302, "/static/contest/mark.svg")
