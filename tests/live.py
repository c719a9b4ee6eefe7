"""The whole site as processes of their own, for tests that look at it from outside."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.core.cache import cache
from django.db import OperationalError, connection

from config.local.processes import pause
from config.local.site import Service, is_ready, listen, running

KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@dataclass
class LiveSite:
    """A served site: its address, its processes by name, and where its words and mails go."""

    url: str
    services: dict[str, Service]
    logs: Path
    mails: Path

    def mail_texts(self) -> list[str]:
        """The mails sent since the test began, oldest first."""
        files = sorted(self.mails.glob("*"), key=lambda file: file.stat().st_mtime)
        return [file.read_text() for file in files]

    def forget(self) -> None:
        """Empty the database and what the site counts and caches, and lose the mails."""
        empty_database()
        empty_cache()
        for mail in self.mails.glob("*"):
            mail.unlink()


@contextmanager
def serve_live_site(folder: Path, database: str) -> Iterator[LiveSite]:
    """Serve the site on a free port from the named, migrated database until the block ends."""
    logs, mails = folder / "logs", folder / "mails"
    for path in (logs, mails):
        path.mkdir(parents=True, exist_ok=True)
    with listen("127.0.0.1", 0) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        env = _environment(url, mails, database)
        with running(env, listener.fileno(), logs) as services:
            site = LiveSite(url, {each.name: each for each in services}, logs, mails)
            _wait_for(site)
            yield site


def _environment(url: str, mails: Path, database: str) -> Mapping[str, str]:
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}")
    return {
        **os.environ,
        "DATABASE_URL": urlunsplit(address),
        "EMAIL_URL": f"filemail://{mails}",
        "SITE_URL": url,
    }


def _wait_for(site: LiveSite, seconds: float = 60) -> None:
    for _ in range(int(seconds / 0.1)):
        if is_ready(site.url):
            return
        for service in site.services.values():
            assert service.process
            assert service.process.poll() is None, _last_words(site)
        pause(0.1)
    raise AssertionError(f"{site.url}/readyz is not ready\n{_last_words(site)}")


def _last_words(site: LiveSite) -> str:
    return "\n".join(f"{log.name}:\n{log.read_text()[-3000:]}" for log in site.logs.iterdir())


def empty_database(tries: int = 5) -> None:
    """Truncate every table but Django's own lists, also while the site is using them."""
    names = [name for name in connection.introspection.table_names() if name not in KEPT]
    tables = ", ".join(connection.ops.quote_name(name) for name in names)
    for attempt in range(tries):
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {tables} RESTART IDENTITY")
            return
        except OperationalError:  # a deadlock with the sweep; PostgreSQL chose this side
            if attempt == tries - 1:
                raise


def empty_cache() -> None:
    """Delete what Django's cache holds. Its clear() would empty the queues in the same Redis."""
    link = cache._cache.get_client(None, write=True)
    keys = list(link.scan_iter(match=cache.make_key("*")))
    if keys:
        link.delete(*keys)


@contextmanager
def beside_the_browser() -> Iterator[None]:
    """Let Django work in a test that drives a browser; a decorator too.

    Playwright's event loop sleeps in this thread between two of its calls, and Django's database
    and channel layer refuse to work where they see a loop. Inside the block they do not see it; no
    call of Playwright belongs there.
    """
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
