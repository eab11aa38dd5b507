import pytest
from django.contrib.auth.models import Group

from contest.staff import roles

pytestmark = pytest.mark.django_db


def permissions_of(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


@pytest.mark.parametrize("name", roles.ROLES)
def test_a_new_site_gives_each_role_its_permissions(name):
    assert permissions_of(name) == set(roles.ROLES[name])
