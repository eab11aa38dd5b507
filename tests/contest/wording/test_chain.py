import pytest

from contest.models import ChainLink, Submission
from contest.wording.chain import describe_chain


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
