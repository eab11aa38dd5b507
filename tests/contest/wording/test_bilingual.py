import pytest
from django.core.exceptions import ValidationError

from contest.wording.bilingual import LONGEST, Reason


def test_a_reason_needs_one_language_and_has_a_limited_length():
    assert [str(Reason("", "b" * LONGEST)), str(Reason("因" * LONGEST))] == ["b" * LONGEST, "因" * LONGEST]
    for zh, en in ((" ", "\n"), ("因" * (LONGEST + 1), ""), ("", "b" * (LONGEST + 1))):
        with pytest.raises(ValidationError):
            Reason(zh, en)
