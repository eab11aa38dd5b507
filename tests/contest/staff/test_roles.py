"""What the groups of the staff may do, on new sites and on older ones."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import connection

from contest.staff import roles

pytestmark = pytest.mark.django_db

migration = import_module("contest.migrations.0020_let_organisers_write_posts")


def brought_up_to_date() -> None:
    # The migration asks its schema editor for nothing but the connection.
    migration.allow(apps, SimpleNamespace(connection=connection))


def may(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


@pytest.mark.parametrize("name", roles.ROLES)
def test_a_new_site_gives_each_role_what_it_needs(name):
    assert may(name) == set(roles.ROLES[name])


def test_the_organisers_of_an_older_site_may_write_posts():
    group = Group.objects.get(name="organiser")
    Permission.objects.filter(codename__endswith="_post").delete()
    assert not {"add_post", "change_post", "view_post"} & may("organiser")
    for _again in range(2):
        brought_up_to_date()
        assert may("organiser") == set(roles.ROLES["organiser"])
    assert group.permissions.filter(codename__endswith="_post").count() == 3
    group.permissions.remove(Permission.objects.get(codename="delete_round"))
    brought_up_to_date()
    assert "delete_round" not in may("organiser"), "what an operator took from them stays taken"
    Group.objects.all().delete()
    brought_up_to_date()
    assert not Group.objects.exists()
