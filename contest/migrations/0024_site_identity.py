"""Add the site's name and looks as organisers set them."""

import contest.models.outreach.site_identity
import contest.models.round
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0023_publishing_as_a_job'),
    ]

    operations = [
        migrations.AlterField(
            model_name='post',
            name='published_at',
            field=models.DateTimeField(blank=True, null=True, validators=[contest.models.round.check_year], verbose_name='shown from'),
        ),
        migrations.AlterField(
            model_name='series',
            name='first_opens_at',
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name='first opening'),
        ),
        migrations.CreateModel(
            name='SiteIdentity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_zh', models.CharField(blank=True, max_length=60, validators=[contest.models.round.check_plain], verbose_name='name in Chinese')),
                ('name_en', models.CharField(blank=True, max_length=60, validators=[contest.models.round.check_plain], verbose_name='name in English')),
                ('mark', models.CharField(blank=True, max_length=2, validators=[contest.models.round.check_plain], verbose_name='mark')),
                ('accent_light', models.CharField(blank=True, max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-fA-F]{6}\\Z', 'A colour is # and six digits 0-9 a-f, such as #1d5a9e.')], verbose_name='accent colour, light')),
                ('accent_dark', models.CharField(blank=True, max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-fA-F]{6}\\Z', 'A colour is # and six digits 0-9 a-f, such as #1d5a9e.')], verbose_name='accent colour, dark')),
                ('time_zone', models.CharField(blank=True, max_length=64, verbose_name='time zone')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='default language')),
                ('contact', models.CharField(blank=True, max_length=200, validators=[contest.models.outreach.site_identity.check_contact], verbose_name='contact')),
                ('text_zh', models.TextField(blank=True, max_length=2000, validators=[django.core.validators.MaxLengthValidator(2000)], verbose_name='first page, in Chinese')),
                ('text_en', models.TextField(blank=True, max_length=2000, validators=[django.core.validators.MaxLengthValidator(2000)], verbose_name='first page, in English')),
                ('html_zh', models.TextField(blank=True, editable=False)),
                ('html_en', models.TextField(blank=True, editable=False)),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contest.picture', verbose_name='mark as a picture')),
            ],
            options={
                'verbose_name': 'the site',
                'verbose_name_plural': 'the site',
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='only_one_site')],
            },
        ),
    ]
