"""The worker's application: `celery -A config.celery worker`, `celery -A config.celery beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("ikarita")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
