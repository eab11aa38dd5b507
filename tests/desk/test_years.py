"""A year that nobody can have meant is refused where an organiser writes a time: such a one cannot even be stored."""

import pytest
from django.core.exceptions import ValidationError

from contest.desk.forms import BannerForm
from contest.desk.writing.forms import PostForm
from contest.models import Banner, Season
from tests import cast

pytestmark = pytest.mark.django_db
TIMES = ["0001-01-01T00:00", "9999-12-31T23:59"]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("field", ["shown_from", "shown_until"])
def test_of_a_banner(organiser, time, field):
    given = {"text_en": "A break.", "shown_from": "2026-10-23T12:00", field: time}
    answer = organiser.post("/en/desk/banner/", given)
    assert "cannot be meant" in answer.text
    assert not Banner.objects.exists()
    assert set(BannerForm(given).errors) == {field}


@pytest.mark.parametrize("time", TIMES)
def test_of_a_post(time):
    assert any("cannot be meant" in words for words in PostForm({"published_at": time}).errors["published_at"])


@pytest.mark.parametrize("field", ["begins_at", "ends_at"])
def test_of_a_season(field):
    with pytest.raises(ValidationError, match="cannot be meant"):
        Season(
            slug="one", **{"begins_at": cast.OPENS, "ends_at": cast.CLOSES, field: cast.OPENS.replace(year=9999)}
        ).full_clean()
