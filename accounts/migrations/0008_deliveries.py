"""Notices that are decided on, each told by ways of its own (decision 34)."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import accounts.channels


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_nights_and_zones"),
    ]

    operations = [
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("channel", models.CharField(max_length=8)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waits"),
                            ("claimed", "is being sent"),
                            ("sent", "sent"),
                            ("withdrawn", "no longer true, so not sent"),
                            ("failed", "could not be sent"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("repeated", models.BooleanField(default=False)),
                ("settled_at", models.DateTimeField(null=True)),
                ("why", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.RemoveIndex(
            model_name="notice",
            name="notice_to_be_sent",
        ),
        migrations.RenameField("notice", "sent_at", "decided_at"),
        migrations.AddField(
            model_name="notice",
            name="due_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="notice",
            name="read_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="notice",
            name="speed",
            field=models.CharField(default="days", max_length=5),
        ),
        migrations.AddField(
            model_name="user",
            name="mail_pace",
            field=models.CharField(
                choices=[
                    (
                        "once",
                        "At once, then all that has come meanwhile in one mail an hour",
                    ),
                    ("daily", "All together in one mail a day, in the evening"),
                    ("visit", "One mail, and no more until I have been here"),
                ],
                default="once",
                max_length=5,
                verbose_name="How often mails may come",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="reminders",
            field=models.JSONField(blank=True, default=accounts.channels.usual_reminders),
        ),
        migrations.AddField(
            model_name="user",
            name="channels",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name="user",
            name="mail_turns",
            field=models.BooleanField(
                default=True, verbose_name="Tell me by e-mail what waits for me"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("decided_at", None)), fields=["due_at"], name="notice_to_decide"
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="notice",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="accounts.notice",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "claimed"])),
                fields=["due_at"],
                name="delivery_to_be_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                fields=("notice", "channel"), name="delivery_once_a_channel"
            ),
        ),
    ]
