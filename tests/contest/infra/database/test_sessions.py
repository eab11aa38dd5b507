from datetime import timedelta

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from contest.celery import tasks
from contest.infra.database.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("stored", "days"), [({"asked": "1"}, 1), ({SESSION_KEY: "1"}, 14)])
def test_a_session_in_which_nobody_has_signed_in_ends_after_a_day(stored, days):
    session = SessionStore()
    session.update(stored)
    session.create()
    left = Session.objects.get().expire_date - timezone.now()
    assert timedelta(days=days, minutes=-5) < left <= timedelta(days=days)


def test_ended_sessions_are_deleted(cache_of_its_own):
    for age in (timedelta(minutes=-1), timedelta(minutes=1)):
        Session.objects.create(session_key=str(age), session_data="", expire_date=timezone.now() + age)
    tasks.advance()
    assert [str(row.session_key) for row in Session.objects.all()] == [str(timedelta(minutes=1))]
