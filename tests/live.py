"""The whole site as processes of their own, for tests that look at it from outside.

It has a database of its own and a number of its own in the tests' Redis, so that its worker never
serves what another test has made.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis
from django.db import OperationalError, connection

from config.local.processes import pause_for, run_to_end
from config.local.site import Service, is_ready, listen, running

KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@dataclass
class LiveSite:
    """A served site: its address, its processes by name, and where its words and mails go."""

    url: str
    env: Mapping[str, str]
    services: dict[str, Service]
    logs: Path
    mails: Path

    def mail_texts(self) -> list[str]:
        """The mails sent since the test began, oldest first."""
        files = sorted(self.mails.glob("*"), key=lambda file: file.stat().st_mtime)
        return [file.read_text() for file in files]

    def forget(self) -> None:
        """Empty the database, what is cached and counted, and the mails.

        Django's connection must be the site's: inside :meth:`database`.
        """
        _empty_database()
        _empty_cache(self.env["REDIS_URL"])
        for mail in self.mails.glob("*"):
            mail.unlink()

    @contextmanager
    def doubled(self, *names: str) -> Iterator[None]:
        """Have a second one of each of these processes, until the block ends."""
        seconds = [replace(self.services[name], name=f"second {name}") for name in names]
        for second in seconds:
            second.log = second.log and second.log.with_stem(second.name.replace(" ", "_"))
            second.start()
        self.services |= {second.name: second for second in seconds}
        try:
            yield
        finally:
            for second in seconds:
                second.end()
                del self.services[second.name]

    @contextmanager
    def database(self) -> Iterator[None]:
        """Let Django in this process work on the site's database."""
        own = connection.settings_dict["NAME"]
        _connect_to(_database_of(self.env))
        try:
            yield
        finally:
            _connect_to(own)


def _connect_to(database: str) -> None:
    with beside_the_browser():
        connection.close()
    connection.settings_dict["NAME"] = database


@contextmanager
def serve_live_site(folder: Path, **more: str) -> Iterator[LiveSite]:
    """Serve the site on a free port, on a database made for it, until the block ends; `more` is
    set in its environment, beside what is usual here."""
    logs, mails = folder / "logs", folder / "mails"
    for path in (logs, mails):
        path.mkdir(parents=True)
    with listen("127.0.0.1", 0) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        env = {**_environment(url, mails), **more}
        with _new_database(_database_of(env)):
            assert run_to_end((sys.executable, "-m", "config.local.prepare"), env) == 0
            with running(env, listener.fileno(), logs) as services:
                site = LiveSite(url, env, {each.name: each for each in services}, logs, mails)
                _wait_for(site)
                yield site


def _environment(url: str, mails: Path) -> Mapping[str, str]:
    database, store = urlsplit(os.environ["DATABASE_URL"]), urlsplit(os.environ["REDIS_URL"])
    return {
        **os.environ,
        "DATABASE_URL": database._replace(path=f"/ikarita_live_{os.getpid()}").geturl(),
        "REDIS_URL": store._replace(path="/1").geturl(),
        "EMAIL_URL": f"filemail:///{mails}",  # four slashes: django-environ drops one
        "SITE_URL": url,
        "TEST_LOOPBACK": "1",
    }


def _database_of(env: Mapping[str, str]) -> str:
    return urlsplit(env["DATABASE_URL"]).path.removeprefix("/")


@contextmanager
def _new_database(name: str) -> Iterator[None]:
    _tell_the_server(f"CREATE DATABASE {name}")
    try:
        yield
    finally:
        _tell_the_server(f"DROP DATABASE {name} WITH (FORCE)")


def _tell_the_server(command: str) -> None:
    """On a line of its own: a test may have killed the server in between."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as link:
        link.execute(command)


def _wait_for(site: LiveSite, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_ready(site.url):
        dead = [each.name for each in site.services.values() if not each.is_alive()]
        assert not dead, f"{dead} ended\n{_last_words(site)}"
        assert time.monotonic() < deadline, f"/readyz does not agree\n{_last_words(site)}"
        pause_for(0.3)


def _last_words(site: LiveSite) -> str:
    return "\n".join(f"{log.name}:\n{log.read_text()[-1500:]}" for log in site.logs.iterdir())


def _empty_database(tries: int = 5) -> None:
    """Truncate every table but Django's own lists, while the site is using them."""
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


def _empty_cache(url: str) -> None:
    """Only what Django's cache holds: the queues are in the same Redis."""
    with redis.Redis.from_url(url) as link:
        if keys := list(link.scan_iter(match="ikarita:*")):
            link.delete(*keys)


def empty_cache() -> None:
    """Forget what this process has cached and counted."""
    _empty_cache(os.environ["REDIS_URL"])


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
