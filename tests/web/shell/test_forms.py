import pytest
from django import forms

from contest.web.play.forms import EntryForm
from contest.web.shell.forms import LongSelect

CHOICES = [("", "—"), ("nl", "Netherlands"), ("a&b", "A & <B>"), (3, "three"), ("nl", "once more")]


@pytest.mark.parametrize("attrs", [None, {"id": "id_country", "required": True, "disabled": False, "title": 'a "b"'}])
def test_a_long_choice_is_written_as_django_writes_it(attrs):
    own = {"class": "wide"}
    for value in (None, "", "nl", "a&b", 3, "3", "nowhere", ["nl"]):
        words = ("country", value, attrs)
        assert LongSelect(own, CHOICES).render(*words) == forms.Select(own, CHOICES).render(*words)


@pytest.mark.parametrize(("refused", "is_wanted"), [("nickname", True), ("claim", True), ("moves", False)])
def test_a_form_wants_the_claim_secret_where_the_nickname_or_the_secret_was_refused(db, refused, is_wanted):
    form = EntryForm({"moves": "rR", "nickname": "Ann"})
    form.add_error(refused, "Not this one.")
    assert form.is_claim_wanted is is_wanted
