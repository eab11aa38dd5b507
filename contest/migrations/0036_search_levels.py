"""What levels are searched by, indexes that a far page and a count need no row beside, and letters of what the bell says."""

import unicodedata

from django.db import migrations, models


def _fill_in(apps, _schema_editor):
    """Title and author as `models.collection.words_of` says them now."""
    model = apps.get_model("contest", "CollectedLevel")
    piece = []
    for level in model.objects.only("title", "author").order_by("pk").iterator(chunk_size=1_000):
        words = unicodedata.normalize("NFKC", f"{level.title} {level.author}").casefold()
        level.words = " ".join(words.split())
        piece.append(level)
        if len(piece) == 1_000:
            model.objects.bulk_update(piece, ["words"])
            piece = []
    model.objects.bulk_update(piece, ["words"])


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0035_mix_public_randomness'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='collectedlevel',
            name='collected_newest',
        ),
        migrations.RemoveIndex(
            model_name='collectedlevel',
            name='collected_by_boxes',
        ),
        migrations.RemoveIndex(
            model_name='collectedlevel',
            name='collected_by_area',
        ),
        migrations.RemoveIndex(
            model_name='collectedlevel',
            name='collected_by_solvers',
        ),
        migrations.RemoveIndex(
            model_name='collectedlevel',
            name='collected_by_grade',
        ),
        migrations.AddField(
            model_name='collectedlevel',
            name='words',
            field=models.TextField(default='', editable=False),
        ),
        migrations.RunPython(_fill_in, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', '-published_at', 'collection', 'place', 'id'], name='collected_newest'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'boxes', 'collection', 'place', 'id'], name='collected_by_boxes'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'area', 'collection', 'place', 'id'], name='collected_by_area'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'solvers', 'collection', 'place', 'id'], name='collected_by_solvers'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'grade', 'collection', 'place', 'id'], name='collected_by_grade'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'author', 'collection', 'place', 'id'], name='collected_by_author'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'best_moves', 'collection', 'place', 'id'], name='collected_by_best'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'least_pushes', 'collection', 'place', 'id'], name='collected_by_least'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'width', 'height', 'boxes', 'grade', 'least_pushes'], name='collected_counted'),
        ),
        migrations.AddIndex(
            model_name='collectedlevel',
            index=models.Index(fields=['is_public', 'words', 'id'], name='collected_words'),
        ),
        migrations.AddField(
            model_name='subscriber',
            name='wants_bell',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='mailing',
            name='topic',
            field=models.CharField(choices=[('opening', 'a round has opened'), ('closing', 'a round closes in 24 hours'), ('results', 'results are final'), ('news', 'news of the organisers'), ('bell', 'what happened to you and to what you follow, once a day (for accounts with this address)'), ('confirming', 'confirming')], max_length=12),
        ),
    ]
