import pytest
from django.contrib.auth.models import Group

from contest.staff import roles

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", roles.ROLES)
def test_a_new_site_gives_each_role_its_permissions(name):
    permissions = Group.objects.get(name=name).permissions
    assert set(permissions.values_list("codename", flat=True)) == set(roles.ROLES[name])
