import pytest
from django import forms

from contest.web.shell.forms import LongSelect

CHOICES = [("", "—"), ("nl", "Netherlands"), ("a&b", "A & <B>"), (3, "three"), ("nl", "once more")]


@pytest.mark.parametrize("attrs", [None, {"id": "id_country", "required": True, "disabled": False, "title": 'a "b"'}])
def test_a_long_select_is_rendered_as_django_renders_it(attrs):
    own = {"class": "wide"}
    for value in (None, "", "nl", "a&b", 3, "3", "nowhere", ["nl"]):
        arguments = ("country", value, attrs)
        assert LongSelect(own, CHOICES).render(*arguments) == forms.Select(own, CHOICES).render(*arguments)
