"""The worker's application: `celery -A config.celery worker`, `celery -A config.celery beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# The checks of Django load every view, which no worker needs: manage.py and the tests make them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("ikarita")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
