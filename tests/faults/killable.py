"""A site whose every process can be killed: with servers of its own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from accounts.models import User
from config.local import site as local_site
from config.local.servers import Postgres, Server, Valkey
from config.local.session import servers
from games.models import ClockOffset
from tests.faults.playing import Player
from tests.live import LiveSite, serve_live_site

names = (f"Player {number}" for number in itertools.count(1))


@dataclass
class Killable:
    """A site of its own, with PostgreSQL and Redis of its own."""

    live: LiveSite
    postgres: Server
    valkey: Server

    @property
    def url(self) -> str:
        return self.live.url

    def kill(self, *names: str) -> None:
        """SIGKILL these processes of the site, with their children."""
        for name in names:
            self.live.services[name].end()
            self.live.services[name].process = None

    def start(self, *names: str) -> None:
        """Start them again."""
        for name in names:
            self.live.services[name].start()

    def supervise(self) -> bool:
        """Start what has ended by itself, as whoever runs a site lets a supervisor do.

        A Celery worker may end if it loses its broker in the wrong moment ("Unrecoverable error").
        """
        ended = [
            name
            for name, service in self.live.services.items()
            if service.process is not None and not service.is_alive()
        ]
        self.start(*ended)
        return True

    def is_ready(self) -> bool:
        """Return whether all of it works again."""
        return self.supervise() and local_site.is_ready(self.url)

    def player(self, email: str = "") -> Player:
        """Return somebody new, who never sleeps: no test depends on the hour of the day."""
        player = Player(self.url, next(names), email)
        User.objects.filter(name=player.name).update(quiet_from=0, quiet_until=0)
        return player


@contextmanager
def killable_site(folder: Path, **env: str) -> Iterator[Killable]:
    """Serve one until the block ends, with this beside its usual environment."""
    with servers(passing=True) as (urls, started), pytest.MonkeyPatch.context() as patch:
        for name, url in urls.items():
            patch.setenv(name, url)
        with serve_live_site(folder, **env) as live:
            postgres, valkey = started
            assert isinstance(postgres, Postgres)
            assert isinstance(valkey, Valkey)
            yield Killable(live, postgres, valkey)


def put_clock_forward(seconds: float) -> None:
    row, _ = ClockOffset.objects.get_or_create()
    ClockOffset.objects.update(offset=row.offset + timedelta(seconds=seconds))
