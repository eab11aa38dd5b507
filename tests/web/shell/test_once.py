"""Page fragments cached per language depend on no data of a page except the named values."""

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.utils.translation import override

from contest.templatetags import once

ENGINE = Engine(libraries={"i18n": "django.templatetags.i18n", "once": once.__name__}, builtins=[once.__name__])


class Word(str):
    """A value that counts how often it is rendered."""

    times = 0

    def __str__(self):
        Word.times += 1
        return self[:]


def test_the_same_is_made_once():
    template = ENGINE.from_string("{% once word %}{{ word }}{% endonce %}")
    Word.times = 0
    assert [template.render(Context({"word": Word(word)})) for word in ("a", "b", "a", "b")] == ["a", "b", "a", "b"]
    assert Word.times == 2


def test_each_language_has_its_own():
    template = ENGINE.from_string('{% load i18n %}{% once %}{% translate "Rounds" %}{% endonce %}')
    for _again in range(2):
        for language, words in (("en", "Rounds"), ("zh-hans", "各期比赛")):
            with override(language):
                assert template.render(Context()) == words


def test_what_is_not_named_is_not_known():
    template = ENGINE.from_string("{% once word %}{{ word }}{{ user }}{% endonce %}{{ user }}")
    assert template.render(Context({"word": "<a>", "user": "Bo"})) == "&lt;a&gt;Bo"


def test_values_that_somebody_makes_up_fill_no_memory():
    template = ENGINE.from_string("{% once word %}{{ word }}{% endonce %}")
    assert [template.render(Context({"word": number})) for number in range(200)] == [*map(str, range(200))]
    assert len(template.nodelist[0]._made) == once._MOST_KEPT


def test_no_block_is_made_once():
    with pytest.raises(TemplateSyntaxError, match="block"):
        ENGINE.from_string("{% once %}{% if 1 %}{% block main %}{% endblock %}{% endif %}{% endonce %}")
