"""Let every act on results or players wait for a second organiser; store why a request was sent back."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0018_networks_ahead'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='secondlook',
            name='answer',
            field=models.CharField(blank=True, db_default='', default='', max_length=500),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='ended_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='player',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contest.player'),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='rejudging',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.rejudging'),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='reminded_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='seen_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='submission',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contest.submission'),
        ),
        migrations.AlterField(
            model_name='secondlook',
            name='round',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='second_looks', to='contest.round'),
        ),
    ]
