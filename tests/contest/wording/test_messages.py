"""Messages of errors, bands, reasons and the receipt chain, and the names of countries (rule 4.6)."""

import importlib
import re

import pytest
from babel import Locale
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import override
from django_countries import countries

from contest.models import ChainLink, Round, Submission
from contest.wording import searches, verdicts
from contest.wording.bilingual import LONGEST, Reason
from contest.wording.chain import describe_chain
from solvers.errors import PuzzleError

for library in ("games", "klotski", "knights"):
    importlib.import_module(f"solvers.{library}.errors")


def every(kind):
    for subclass in kind.__subclasses__():
        yield subclass
        yield from every(subclass)


@pytest.mark.parametrize(("values", "size"), [({"size": 1_234_567}, "1,234,567"), ({}, "more than 10^18")])
def test_too_many_moves_are_reported_with_their_number_and_the_limit(values, size):
    sent = Submission(round=Round(settings={"max_moves": 1_000}), why="too_long", why_values=values)
    with translation.override("en"):
        assert verdicts._too_long(sent) == f"The text would be {size} moves long; the limit is 1,000."


def test_each_band_of_difficulty_has_a_name():
    with translation.override("en"):
        words = {band: str(word) for band, word in searches.BAND_WORDS.items()}
    assert words == {1: "easy", 2: "medium", 3: "hard", 4: "for experts"}


@pytest.mark.parametrize("error", list(every(PuzzleError)), ids=lambda error: error.code)
def test_every_error_of_the_libraries_has_a_message_in_both_languages(error):
    english = str(verdicts._ALL_ERRORS[error.code])
    with translation.override("zh-hans"):
        chinese = str(verdicts._ALL_ERRORS[error.code])
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[\u4e00-\u9fff]", english)
    assert set(re.findall(r"%\((\w+)\)s", chinese)) == set(re.findall(r"%\((\w+)\)s", english))


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"submission": Submission(number=1234)}, "Receipt chain up to submission 1234: ab"),
        ({"sealed_answer_id": 5}, "Receipt chain up to a sealed answer: ab"),
        ({}, "Receipt chain up to the opening of the round: ab"),
    ],
)
def test_the_line_shows_the_newest_link_of_the_chain(fields, line):
    assert describe_chain(ChainLink(link="ab", **fields)) == line


def test_no_link_needs_no_line():
    assert describe_chain(None) == ""


def test_a_reason_needs_one_language_and_has_a_limited_length():
    assert [str(Reason("", "b" * LONGEST)), str(Reason("因" * LONGEST))] == ["b" * LONGEST, "因" * LONGEST]
    for zh, en in ((" ", "\n"), ("因" * (LONGEST + 1), ""), ("", "b" * (LONGEST + 1))):
        with pytest.raises(ValidationError):
            Reason(zh, en)


# Names that differ from CLDR on purpose: China's own usage.
OWN = {"FK", "HK", "MO", "PM", "PS"}


def test_countries_have_the_chinese_names_of_cldr():
    names = Locale("zh").territories
    with override("zh-hans"):
        odd = {code: name for code, name in countries if code not in OWN and names.get(code, name) != name}
    assert odd == {}
