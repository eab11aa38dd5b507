import importlib
import re

import pytest
from django.utils import translation

from contest.wording import verdicts
from solvers.errors import PuzzleError

for library in ("games", "klotski", "knights"):
    importlib.import_module(f"solvers.{library}.errors")


# Raised by games in play (`solvers.sokoban.Game` and its like), which programs use and no page does.
OF_GAMES = {"illegal_step", "illegal_push", "illegal_move"}


def every(kind):
    for subclass in kind.__subclasses__():
        if subclass.code not in OF_GAMES:
            yield subclass
        yield from every(subclass)


@pytest.mark.parametrize("error", list(every(PuzzleError)), ids=lambda error: error.code)
def test_every_error_of_the_libraries_has_a_message_in_both_languages(error):
    english = str(verdicts._ALL_ERRORS[error.code])
    with translation.override("zh-hans"):
        chinese = str(verdicts._ALL_ERRORS[error.code])
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[\u4e00-\u9fff]", english)
    assert set(re.findall(r"%\((\w+)\)s", chinese)) == set(re.findall(r"%\((\w+)\)s", english))
