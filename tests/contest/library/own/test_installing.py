import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from contest import apps, models
from contest.infra import clock
from contest.library import publishing
from contest.library.own import course, graded
from contest.ops import backups

pytestmark = pytest.mark.django_db
ALL = len(course.read()) + len(graded.read())


@pytest.fixture
def migrate(settings):
    settings.OWN_LEVELS = True
    return lambda: call_command("migrate", verbosity=0)


def test_migrating_publishes_levels_and_articles_once_and_withdrawn_ones_stay_withdrawn(migrate):
    migrate()
    migrate()
    assert set(models.Collection.objects.values_list("slug", flat=True)) == set(models.OWN_SLUGS)
    assert models.CollectedLevel.objects.filter(is_public=True).count() == ALL
    own = models.Collection.objects.get(slug=models.GRADED_SLUG)
    assert (own.count, own.path_length, own.may_download) == (len(graded.read()), 20, True)
    last = own.levels.get(place=own.count)
    assert (last.grade, last.least_moves is not None) == (5, True)
    assert {*models.Post.objects.values_list("slug", flat=True)} == {*models.OWN_POST_SLUGS}
    models.Post.objects.filter(slug=models.OWN_POST_SLUGS[0]).update(published_at=None)
    publishing.withdraw(models.Collection.objects.get(slug=models.COURSE_SLUG), at=clock.now(), by=None)
    migrate()
    assert models.CollectedLevel.objects.filter(is_public=True).count() == len(graded.read())
    assert models.Post.objects.exclude(published_at=None).count() == len(models.OWN_POST_SLUGS) - 1


def test_a_site_that_wants_none_gets_none(settings):
    assert not settings.OWN_LEVELS
    call_command("migrate", verbosity=0)
    assert not models.Collection.objects.exists()


def test_a_partly_migrated_database_gets_none(migrate):
    for app, name in MigrationLoader(connection).graph.leaf_nodes("contest"):
        MigrationRecorder.Migration.objects.get(app=app, name=name).delete()
    apps._publish_own_content()
    assert not models.Collection.objects.exists()
    assert not models.Post.objects.exists()


@pytest.mark.django_db(transaction=True)  # PostgreSQL empties no table with pending triggers
def test_a_database_with_only_what_comes_with_the_site_may_be_restored_into(migrate, tmp_path):
    backups.write(tmp_path / "empty.zip")
    migrate()
    if not models.Program.objects.exists():  # another test of this worker has emptied all tables
        models.Program.objects.create(name="YASS", purposes=["solve"], sources="its readme")
    backups.read(tmp_path / "empty.zip")
    assert models.Post.objects.count() == len(models.OWN_POST_SLUGS)
    assert models.CollectedLevel.objects.count() == ALL, "the migration after a restore publishes them again"
