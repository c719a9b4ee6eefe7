from django.db import migrations, models

from accounts.lookalikes import skeleton


def fill(apps, schema_editor):
    people = apps.get_model("accounts", "User").objects
    for person in people.only("name").iterator():
        people.filter(pk=person.pk).update(skeleton=skeleton(person.name))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0014_ties")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=models.CharField(default="", editable=False, max_length=96),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="skeleton",
            field=models.CharField(db_index=True, editable=False, max_length=96),
        ),
    ]
