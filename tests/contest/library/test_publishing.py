"""Publishing a collection, interrupted or beside other acts: nothing is half visible, lost or left behind."""

import pytest

from contest.library import publishing
from contest.models import Collection
from tests import cast
from tests.contest.library.test_collection_import import AT

pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def test_a_description_sent_beside_a_withdrawal_shows_nothing_again():
    made = cast.a_collection()
    other = Collection.objects.get()
    publishing.withdraw(other, at=AT, by=None)
    made.title_en = "Narrow ways"
    publishing.change(made, by=None)
    stored = Collection.objects.get()
    assert (stored.title_en, stored.withdrawn_at) == ("Narrow ways", AT)
