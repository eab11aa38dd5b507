"""What lists and feeds say of a post, where its first paragraph would not do."""

from django.db import migrations, models

import contest.models.round


class Migration(migrations.Migration):
    dependencies = [("contest", "0046_when_reached")]

    operations = [
        migrations.AddField(
            "post",
            f"teaser_{code}",
            models.CharField(
                f"teaser in {name}",
                blank=True,
                default="",
                max_length=300,
                validators=[contest.models.round.check_plain],
            ),
            preserve_default=False,
        )
        for code, name in (("zh", "Chinese"), ("en", "English"))
    ]
