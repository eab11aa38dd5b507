"""The means of votes beside the levels of collections: the orders by them added up all votes for each reader."""

from django.db import migrations, models
from django.db.models import Avg, Count, OuterRef, Subquery

SCALES = ("beautiful", "hard", "new")
LEAST = 3


def _fill_in(apps, _schema_editor):
    levels, votes = (apps.get_model("contest", name).objects for name in ("CollectedLevel", "Vote"))
    cast = votes.filter(collected=OuterRef("pk"), player__merged_into=None).order_by().values("collected")
    means = {scale: cast.annotate(mean=Avg(scale), count=Count(scale)).filter(count__gte=LEAST) for scale in SCALES}
    voted_for = votes.exclude(collected=None).values("collected")
    levels.filter(pk__in=voted_for).update(**{scale: Subquery(of.values("mean")) for scale, of in means.items()})


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0047_teasers'),
    ]

    operations = [
        migrations.AddField(
            model_name='collectedlevel',
            name='beautiful',
            field=models.FloatField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='collectedlevel',
            name='hard',
            field=models.FloatField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='collectedlevel',
            name='new',
            field=models.FloatField(editable=False, null=True),
        ),
        migrations.RunPython(_fill_in, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(condition=models.Q(('beautiful__isnull', False)), fields=['is_public', '-beautiful', 'collection', 'place', 'id'], name='collected_most_beautiful'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(condition=models.Q(('hard__isnull', False)), fields=['is_public', '-hard', 'collection', 'place', 'id'], name='collected_most_hard'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(condition=models.Q(('new__isnull', False)), fields=['is_public', '-new', 'collection', 'place', 'id'], name='collected_most_new'),
        ),
    ]
