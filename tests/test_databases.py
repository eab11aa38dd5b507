"""What is asked of the second database: all that could come out otherwise there, and nothing else."""

import pytest

from tests.databases import may_differ


@pytest.fixture
def asked(request):
    """The names of those of this file's own examples that PostgreSQL would be asked."""
    return {item.name for item in may_differ([item for item in request.session.items if item.path == request.path])}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("page", ["rules", "levels"])
def test_of_two_languages_one_is_asked(db, request, asked, language, page):
    """Who runs the Chinese one alone gets it."""
    is_alone = f"test_of_two_languages_one_is_asked[{page}-en]" not in {item.name for item in request.session.items}
    assert (request.node.name in asked) is (language == "en" or is_alone)


@pytest.mark.parametrize("language", ["zh-Hans"])
def test_what_is_told_in_chinese_alone_is_asked(db, asked, language):
    assert "test_what_is_told_in_chinese_alone_is_asked[zh-Hans]" in asked


@pytest.mark.django_db
def test_what_may_reach_rows_is_asked(asked):
    assert "test_what_may_reach_rows_is_asked" in asked


def test_what_cannot_reach_rows_is_not(asked):
    assert "test_what_cannot_reach_rows_is_not" not in asked


@pytest.mark.one_database
@pytest.mark.django_db
def test_what_looks_at_bytes_that_rows_were_made_into_is_not(asked):
    assert "test_what_looks_at_bytes_that_rows_were_made_into_is_not" not in asked


@pytest.mark.postgres
def test_what_is_marked_is_asked_whatever_it_reaches(asked):
    assert "test_what_is_marked_is_asked_whatever_it_reaches" in asked
