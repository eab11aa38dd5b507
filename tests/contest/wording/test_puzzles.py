import importlib
import re

import pytest
from django.utils import translation

from contest.models import Round, Submission
from contest.wording import searches, verdicts
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
