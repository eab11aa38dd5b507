"""A year that nobody can have meant is refused where an organiser writes a time: such a one cannot even be stored."""

import pytest
from django.core.exceptions import ValidationError

from contest.desk.forms import BannerForm
from contest.desk.writing.forms import PostForm
from contest.models import Season
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("time", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_of_a_banner_and_of_a_post(time):
    given = {"text_en": "A break.", "shown_from": time, "shown_until": time}
    assert set(BannerForm(given).errors) == {"shown_from", "shown_until"}
    assert any("cannot be meant" in words for words in PostForm({"published_at": time}).errors["published_at"])


@pytest.mark.parametrize("field", ["begins_at", "ends_at"])
def test_of_a_season(field):
    times = {"begins_at": cast.OPENS, "ends_at": cast.CLOSES, field: cast.OPENS.replace(year=9999)}
    with pytest.raises(ValidationError, match="cannot be meant"):
        Season(slug="one", **times).full_clean()
