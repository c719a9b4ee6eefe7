"""How the site is put together: settings, addresses, servers, worker."""

# So that every process that reads the settings sends its tasks to the site's own broker.
from config.celery import app as celery_app

__all__ = ["celery_app"]
