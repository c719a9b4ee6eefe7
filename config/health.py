"""For the machines that watch over the site."""

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from accounts import delivery
from games.tasks import BOTS_SEEN, SWEEP_SEEN


def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process is alive."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether database, migrations and Redis are there, who works at work: 200 or 503."""
    checks = {
        "database": _database,
        "migrations": _migrations,
        "redis": _redis,
        "sweep": lambda: bool(cache.get(SWEEP_SEEN)),
        "bots": lambda: bool(cache.get(BOTS_SEEN)),
        "notices": lambda: bool(cache.get(delivery.WORK_SEEN)),
    }
    results = {name: _holds(check) for name, check in checks.items()}
    response = JsonResponse(results, status=200 if all(results.values()) else 503)
    # Django would log each 503 as an error, and a start asks until it is ready.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _holds(check) -> bool:
    try:
        return check()
    except Exception:  # noqa: BLE001  a server that is down shows itself by many kinds of error
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _redis() -> bool:
    # Not by the cache, which does without.
    with redis.Redis.from_url(settings.REDIS_URL, **settings.REDIS_TIMEOUTS) as link:
        return bool(link.ping())
