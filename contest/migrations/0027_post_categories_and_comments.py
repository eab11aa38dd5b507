"""Add categories, references and comments to posts."""

import contest.models.outreach.post
import contest.models.round
import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0026_long_acts'),
    ]

    operations = [
        migrations.CreateModel(
            name='PostCategory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(editable=False, max_length=60, unique=True)),
                ('name_zh', models.CharField(blank=True, max_length=40, validators=[contest.models.round.check_plain], verbose_name='name in Chinese')),
                ('name_en', models.CharField(blank=True, max_length=40, validators=[contest.models.round.check_plain], verbose_name='name in English')),
            ],
            options={
                'verbose_name': 'category of posts',
                'verbose_name_plural': 'categories of posts',
                'ordering': ['name_en', 'name_zh', 'pk'],
            },
        ),
        migrations.AlterModelOptions(
            name='comment',
            options={'ordering': ['-written_at', '-pk'], 'verbose_name': 'comment', 'verbose_name_plural': 'comments'},
        ),
        migrations.RemoveConstraint(
            model_name='comment',
            name='comment_on_one',
        ),
        migrations.AddField(
            model_name='comment',
            name='post',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='contest.post'),
        ),
        migrations.AddField(
            model_name='post',
            name='references',
            field=models.TextField(blank=True, max_length=20000, validators=[contest.models.outreach.post.check_references], verbose_name='references'),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('collected__isnull', True), ('level__isnull', False), ('post__isnull', True)), models.Q(('collected__isnull', False), ('level__isnull', True), ('post__isnull', True)), models.Q(('collected__isnull', True), ('level__isnull', True), ('post__isnull', False)), _connector='OR'), name='comment_on_one'),
        ),
        migrations.AddConstraint(
            model_name='postcategory',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name_zh'), condition=models.Q(('name_zh', ''), _negated=True), name='post_category_zh_once'),
        ),
        migrations.AddConstraint(
            model_name='postcategory',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name_en'), condition=models.Q(('name_en', ''), _negated=True), name='post_category_en_once'),
        ),
        migrations.AddField(
            model_name='post',
            name='categories',
            field=models.ManyToManyField(editable=False, related_name='posts', to='contest.postcategory'),
        ),
    ]
