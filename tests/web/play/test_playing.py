import re

from django.utils.html import strip_tags

from contest.models import Submission

SCRIPT = {"HTTP_ACCEPT": "application/json"}


def test_an_open_level_is_played_and_entered_on_one_page_and_one_to_come_is_not_there(client, running, coming):
    """Rule 7.4."""
    page = client.get("/en/rounds/7/main/play/").content.decode()
    assert 'data-level="######|#@$-.#|######"' in page
    assert '<input type="hidden" name="slot" value="main"' in page
    assert client.get("/en/rounds/8/main/play/").status_code == 404


def test_a_closed_level_is_entered_as_practice(client, closed):
    """Rule 20.1."""
    page = client.get("/en/rounds/6/main/play/").content.decode()
    assert '<input type="hidden" name="practice" value="True"' in page


def test_a_script_that_sends_gets_the_address_of_the_receipt(client, running):
    answer = client.post("/en/submit/", {"moves": "RR", "nickname": "Ann"}, **SCRIPT)
    assert answer.status_code == 201
    assert answer.json() == {"receipt": Submission.objects.get().get_absolute_url()}


def test_a_script_that_is_refused_gets_the_reasons_by_field(client, running):
    answer = client.post("/en/submit/", {"moves": "RR", "nickname": ""}, **SCRIPT)
    assert answer.status_code == 422
    assert answer.json() == {"errors": {"nickname": ["The nickname cannot be empty."]}}


def test_titles_have_the_colon_of_their_language(client, running):
    for language, words in (("en", "Play: Main"), ("zh-hans", "玩：主关")):
        page = client.get(f"/{language}/rounds/7/main/play/").content.decode()
        heading = re.search('<h1 class="playing">(.*?)</h1>', page, re.DOTALL)[1]
        assert strip_tags(heading).startswith(words)
