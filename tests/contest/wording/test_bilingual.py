import pytest
from django.core.exceptions import ValidationError

from contest.wording.bilingual import LONGEST, Reason


@pytest.mark.parametrize(("zh", "en"), [("原因", ""), ("", "because"), ("因" * LONGEST, "b" * LONGEST)])
def test_a_reason_has_one_language_at_least(zh, en):
    assert str(Reason(zh, en)) == " / ".join(filter(None, (zh, en)))


@pytest.mark.parametrize(("zh", "en"), [("", ""), (" ", "\n"), ("因" * (LONGEST + 1), ""), ("", "b" * (LONGEST + 1))])
def test_a_reason_is_neither_empty_nor_longer_than_people_read(zh, en):
    with pytest.raises(ValidationError):
        Reason(zh, en)
