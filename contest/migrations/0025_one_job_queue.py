from django.db import migrations, models


def doubt_letters_on_their_way(apps, schema_editor):
    """Whoever was sending one holds no token of the new kind."""
    letters = apps.get_model("contest", "Letter").objects.filter(state="sending")
    letters.update(state="doubtful", answer="cut off")


class Migration(migrations.Migration):
    dependencies = [("contest", "0024_give_everybody_a_turn")]

    operations = [
        # A claim of this minute is forgotten: the collection is read on behind the last piece written.
        migrations.RemoveField("intake", "claim_token"),
        migrations.AddField("intake", "claim_token", models.UUIDField(null=True)),
        migrations.RenameField("intake", "leased_until", "lease_until"),
        migrations.AddField("letter", "claim_token", models.UUIDField(null=True)),
        migrations.AddField("letter", "lease_until", models.DateTimeField(null=True)),
        migrations.AddField("delivery", "claim_token", models.UUIDField(null=True)),
        migrations.AddField("delivery", "lease_until", models.DateTimeField(null=True)),
        migrations.RunPython(doubt_letters_on_their_way, migrations.RunPython.noop),
    ]
