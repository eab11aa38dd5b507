import pytest
from django import forms

from contest.web.play.forms import EntryForm
from contest.web.shell.forms import LongSelect

CHOICES = [("", "—"), ("nl", "Netherlands"), ("a&b", "A & <B>"), (3, "three"), ("nl", "once more")]


@pytest.mark.parametrize("attrs", [None, {"id": "id_country", "required": True, "disabled": False, "title": 'a "b"'}])
def test_a_long_select_is_rendered_as_django_renders_it(attrs):
    own = {"class": "wide"}
    for value in (None, "", "nl", "a&b", 3, "3", "nowhere", ["nl"]):
        arguments = ("country", value, attrs)
        assert LongSelect(own, CHOICES).render(*arguments) == forms.Select(own, CHOICES).render(*arguments)


@pytest.mark.parametrize(("refused", "is_wanted"), [("nickname", True), ("claim", True), ("moves", False)])
def test_the_claim_field_is_wanted_after_a_refused_nickname_or_claim(db, refused, is_wanted):
    form = EntryForm({"moves": "rR", "nickname": "Ann"})
    form.add_error(refused, "Not this one.")
    assert form.is_claim_wanted is is_wanted
