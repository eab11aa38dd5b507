import pytest
from django.core.exceptions import ValidationError

from contest.wording.bilingual import LONGEST, Reason


def test_a_reason_has_one_language_at_least_and_is_no_longer_than_people_read():
    assert [str(Reason("", "b" * LONGEST)), str(Reason("因" * LONGEST))] == ["b" * LONGEST, "因" * LONGEST]
    for zh, en in ((" ", "\n"), ("因" * (LONGEST + 1), ""), ("", "b" * (LONGEST + 1))):
        with pytest.raises(ValidationError):
            Reason(zh, en)
