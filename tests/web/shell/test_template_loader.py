"""The white space that lays out HTML templates is removed when they are loaded; all other white space stays."""

import pytest
from django.template import Context, Engine
from django.utils.translation import override

from contest.templatetags import once
from contest.web.shell.template_loader import remove_layout

ENGINE = Engine(libraries={"i18n": "django.templatetags.i18n", "once": once.__name__}, builtins=[once.__name__])


@pytest.mark.parametrize(
    ("source", "loaded"),
    [
        ("  <p>\n\n    a\n  </p>\n", "<p>\na\n</p>"),
        ("a\n{% if x %}\n  b\n{% endif %}\nc\n", "a\n{% if x %}b\n{% endif %}c"),
        ("a{% if x %}, b{% endif %}\nc\n", "a{% if x %}, b{% endif %}\nc"),
        (
            '{% extends "a" %} {% load b %}\n{# c #}\n\n{% block d %}\n',
            '{% extends "a" %}{% load b %}{# c #}{% block d %}',
        ),
        ('{% translate "known as x" %}\nb', '{% translate "known as x" %}\nb'),
        ("<a\n  {% if x %}\n    b\n  {% endif %}\n>c</a>", "<a\n{% if x %}b\n{% endif %}>c</a>"),
        (
            "{% blocktranslate asvar a trimmed %}\n  b\n{% endblocktranslate %}\n{{ a }}\n",
            "{% blocktranslate asvar a trimmed %}\n  b\n{% endblocktranslate %}{{ a }}",
        ),
    ],
)
def test_indentation_and_lines_of_silent_tags_are_removed(source, loaded):
    assert remove_layout(source) == loaded


@pytest.mark.parametrize(
    "raw",
    [
        "<pre>\n  a\n\n  {% if x %}\n</pre>",
        '<textarea rows="2">\n  a\n</textarea>',
        "<script>\n  a\n</script>",
        "{% verbatim %}\n  {% if %}\n{% endverbatim %}",
        "{% blocktranslate with a=b %}\n  {{ a }}\n{% plural %}\n  b\n{% endblocktranslate %}",
    ],
)
def test_white_space_that_counts_stays(raw):
    assert remove_layout(f"<div>\n  {raw}\n</div>\n") == f"<div>\n{raw}\n</div>"


def test_each_language_is_cached_separately():
    template = ENGINE.from_string('{% load i18n %}{% once %}{% translate "Rounds" %}{% endonce %}')
    for _again in range(2):
        for language, label in (("en", "Rounds"), ("zh-hans", "各期比赛")):
            with override(language):
                assert template.render(Context()) == label


def test_only_named_values_are_available():
    template = ENGINE.from_string("{% once word %}{{ word }}{{ user }}{% endonce %}{{ user }}")
    assert template.render(Context({"word": "<a>", "user": "Bo"})) == "&lt;a&gt;Bo"
