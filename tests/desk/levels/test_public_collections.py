"""A collection is published at the desk, by leave; changed; withdrawn."""

import pytest

from contest.models import CollectedLevel, Intake
from tests import cast
from tests.contest.library.test_collection_import import collection
from tests.desk.levels.test_collections import brought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_opening")]
GIVEN = {"title_en": "Corridors", "slug": "corridors", "author": "Ann", "rights": "Ann, by letter"}
PUBLIC = "/en/collections/corridors/"


@pytest.fixture
def publish(organiser) -> str:
    shown = brought(organiser, collection(3))
    address = f"/en/desk/levels/intake/{Intake.objects.get().pk}/publish/"
    assert address in shown.text
    return address


def test_it_is_published_only_by_leave(organiser, publish, client):
    """Rule 26.1."""
    refused = organiser.post(publish, GIVEN)
    assert (refused.status_code, "only by leave" in refused.text) == (422, True)
    organiser.post(publish, {**GIVEN, "is_allowed": "on"})
    assert client.get(PUBLIC).status_code == 200
    assert CollectedLevel.objects.count() == 3


def test_a_taken_address_is_said_beside_its_field_and_nothing_is_lost(organiser, publish):
    cast.a_collection()
    refused = organiser.post(publish, {**GIVEN, "is_allowed": "on", "remarks": "Typed with care"})
    assert list(refused.context["form"].errors) == ["slug"]
    assert "Typed with care" in refused.text


def test_what_is_said_of_it_can_be_changed_and_it_can_be_withdrawn(organiser, client):
    made = cast.a_collection()
    here = f"/en/desk/collections/{made.pk}/"
    given = {**GIVEN, "title_en": "Narrow ways", "slug": "elsewhere", "may_download": "on"}
    assert organiser.post(here, given).status_code == 302
    made.refresh_from_db()
    assert (made.slug, made.title_en, made.may_download) == ("corridors", "Narrow ways", True)
    organiser.post(here, {"do": "withdraw"})
    assert client.get(PUBLIC).status_code == 404
    organiser.post(here, {"do": "show"})
    assert client.get(PUBLIC).status_code == 200
    assert "Narrow ways" in organiser.get("/en/desk/collections/").text
