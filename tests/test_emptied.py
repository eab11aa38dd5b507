"""A test that commits leaves what a new database holds, and nothing else."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection

from contest.models import Track
from tests import cast, emptied


@pytest.mark.django_db(transaction=True)
def test_what_a_new_database_holds_is_there_again_and_nothing_else():
    emptied.empty()
    new = emptied.rows()
    assert {"auth_group", "auth_group_permissions", "auth_permission", "contest_track"} <= new.keys()
    cast.a_round()
    Permission.objects.all().delete()
    Group.objects.create(name="another")
    Track.objects.update(title_en="Another")
    assert emptied.rows() != new
    emptied.empty()
    assert emptied.rows() == new


@pytest.mark.django_db(transaction=True)
def test_what_a_test_makes_next_has_a_number_of_its_own_whatever_the_one_before_did_to_the_numbers():
    emptied.empty()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('auth_group', 'id'), 1)")
    emptied.empty()
    assert Group.objects.create(name="another").pk
