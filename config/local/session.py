"""The servers of one command or one `make run`: which are started, and by what addresses."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from config.local.place import VAR, Place, held, passing_place, permanent_place
from config.local.processes import LocalError, pause
from config.local.servers import Postgres, Server, Valkey

LOCK = VAR / "lock"
NOTES = VAR / "local.json"  # password, key, ports, addresses; readable by the owner alone

ADDRESSES: dict[str, type[Server]] = {"DATABASE_URL": Postgres, "REDIS_URL": Valkey}


class Busy(LocalError):
    """Another process of this checkout has started the servers."""


@contextmanager
def servers(*, passing: bool) -> Iterator[tuple[dict[str, str], list[Server]]]:
    """Serve while the block runs; gives DATABASE_URL and REDIS_URL, and the servers started here.

    A server whose address is in the environment already is not started. ``passing`` ones have
    ports, data and a password of their own, leave nothing, and are started whatever the
    environment says: what is tested must not meet data that matter. Raises Busy where the
    permanent ones are up already.
    """
    given = {} if passing else {name: os.environ[name] for name in ADDRESSES if _is_set(name)}
    with ExitStack() as stack:
        started: list[Server] = []
        if len(given) < 2:
            if passing:
                place, notes = stack.enter_context(passing_place()), {"password": _password()}
            else:
                _own_the_servers(stack)
                place, notes = permanent_place(), _remembered()
                _tell(place)
            for name, kind in ADDRESSES.items():
                if name not in given:
                    server = _started(kind, place, notes, stack)
                    given[name] = server.url
                    started.append(server)
            if not passing:
                write_notes(notes | {"urls": given, "pid": os.getpid()})
        yield given, started


def running_servers(patience: float = 20) -> dict[str, str]:
    """The addresses of the servers that another process of this checkout has started."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        notes = read_notes()
        if notes.get("pid") == _holder():
            return dict(notes["urls"])
        pause(0.1)
    raise LocalError(f"Process {_holder()} holds {LOCK} but has no servers up.")


def local_secret() -> str:
    """SECRET_KEY of this checkout, made at first need."""
    notes = read_notes()
    if "secret_key" not in notes:
        notes["secret_key"] = secrets.token_urlsafe(50)
        write_notes(notes)
    return str(notes["secret_key"])


def read_notes() -> dict[str, Any]:
    """What this checkout remembers from one start to the next."""
    return json.loads(NOTES.read_text()) if NOTES.exists() else {}


def write_notes(notes: dict[str, Any]) -> None:
    """Replace the notes as a whole: a kill in the middle leaves the old ones."""
    VAR.mkdir(exist_ok=True)
    new = NOTES.with_suffix(f".{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(json.dumps(notes, indent=1))
    new.replace(NOTES)


def _remembered() -> dict[str, Any]:
    """The notes with a password that is on the disk before any server takes it for its own."""
    notes = read_notes()
    if "password" not in notes:
        notes["password"] = _password()
        write_notes(notes)
    return notes


def _password() -> str:
    return secrets.token_urlsafe(24)


def _is_set(name: str) -> bool:
    return bool(os.environ.get(name))


def _started(kind: type[Server], place: Place, notes: dict[str, Any], stack: ExitStack) -> Server:
    server = kind(place, notes["password"], notes.get(kind.name, 0))
    server.prepare()
    stack.callback(server.stop)
    server.start()
    notes[kind.name] = server.port
    return server


def _own_the_servers(stack: ExitStack) -> None:
    VAR.mkdir(exist_ok=True)
    try:
        stack.enter_context(held(LOCK))
    except BlockingIOError:
        raise Busy(
            f"The servers of this checkout are up already (process {_holder()}); stop it first."
        ) from None


def _holder() -> int:
    return int(LOCK.read_text() or 0)


def _tell(place: Place) -> None:
    if place.account and place.directory != VAR:
        print(f"The servers run as {place.account.name}, with their data in {place.directory}")
