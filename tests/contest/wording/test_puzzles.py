import importlib
import re

import pytest
from django.utils import translation

from contest.wording import searches, verdicts
from solvers.errors import PuzzleError

for library in ("games", "klotski", "knights"):
    importlib.import_module(f"solvers.{library}.errors")


def every(kind):
    for one in kind.__subclasses__():
        yield one
        yield from every(one)


def test_each_band_of_difficulty_has_its_word():
    with translation.override("en"):
        words = {band: str(word) for band, word in searches.BAND_WORDS.items()}
    assert words == {1: "easy", 2: "medium", 3: "hard", 4: "for experts"}


@pytest.mark.parametrize("error", list(every(PuzzleError)), ids=lambda error: error.code)
def test_every_error_of_the_libraries_has_its_words_in_both_languages(error):
    english = str(verdicts._ALL_ERRORS[error.code])
    with translation.override("zh-hans"):
        chinese = str(verdicts._ALL_ERRORS[error.code])
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[\u4e00-\u9fff]", english)
    assert set(re.findall(r"%\((\w+)\)s", chinese)) == set(re.findall(r"%\((\w+)\)s", english))
