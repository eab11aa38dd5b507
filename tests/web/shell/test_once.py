"""Page fragments cached per language depend on no data of a page except the named values."""

from django.template import Context, Engine
from django.utils.translation import override

from contest.templatetags import once

ENGINE = Engine(libraries={"i18n": "django.templatetags.i18n", "once": once.__name__}, builtins=[once.__name__])


def test_each_language_is_cached_separately():
    template = ENGINE.from_string('{% load i18n %}{% once %}{% translate "Rounds" %}{% endonce %}')
    for _again in range(2):
        for language, label in (("en", "Rounds"), ("zh-hans", "各期比赛")):
            with override(language):
                assert template.render(Context()) == label


def test_only_named_values_are_available():
    template = ENGINE.from_string("{% once word %}{{ word }}{{ user }}{% endonce %}{{ user }}")
    assert template.render(Context({"word": "<a>", "user": "Bo"})) == "&lt;a&gt;Bo"
