"""Web, worker and clock of `make run`, kept alive until a signal ends them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.local.processes import LocalError, pause, pause_for, run_to_end, spawn, stop
from config.local.servers import Server
from config.local.session import local_secret, servers

BIN = Path(sys.executable).parent
CELERY = (BIN / "celery", "--quiet", "--app", "config.celery")
# What workers tell each other is of no use here, and has kept some from coming back to Redis.
WORKER = (*CELERY, "worker", "--without-mingle", "--without-gossip", "--without-heartbeat")
COMMANDS: dict[str, tuple[str | Path, ...]] = {
    # The listening socket is the supervisor's: a restart of the web process refuses nobody.
    "web": (BIN / "daphne", "--verbosity", "0", "--fd", "{fd}", "config.asgi:application"),
    "worker": (*WORKER, "--loglevel", "WARNING", "--concurrency", "2"),
    "bots": (*WORKER, "--loglevel", "WARNING", "--concurrency", "1", "--queues", "bots"),
    "notices": (*WORKER, "--loglevel", "WARNING", "--concurrency", "2", "--queues", "notices"),
    # Nothing on the disk: what is due stands in the database, a tick only asks.
    "clock": (*CELERY, "beat", "--loglevel", "WARNING", "--scheduler", "celery.beat:Scheduler"),
}
ALIVE = 60.0  # seconds after which an end is news, not one more of a series
PATIENCE = 5  # ends in a row before all is stopped
LOOPBACK = ("127.", "localhost")
# What /readyz says of the work of a process: one that lives and does not work is ended.
WORK = {"worker": "sweep", "clock": "sweep", "bots": "bots", "notices": "notices"}
LOOK_EVERY = 10.0  # seconds
SILENCE = 60.0  # seconds without work


@dataclass
class Service:
    """A process that is started again when it ends."""

    name: str
    command: tuple[str | Path, ...]
    env: Mapping[str, str]
    fd: int | None = None
    log: Path | None = None
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    failures: int = 0

    def start(self) -> None:
        """Start it now."""
        command = [str(part).format(fd=self.fd) for part in self.command]
        fds = () if self.fd is None else (self.fd,)
        self.process = spawn(command, env=self.env, pass_fds=fds, log=self.log)
        self.started = time.monotonic()

    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self.process is not None and self.process.poll() is None

    def end(self) -> None:
        """Kill it and all that it has started; :meth:`look_after` starts it again."""
        if self.process:
            stop(self.process, signal.SIGKILL, patience=0)

    def look_after(self) -> None:
        """Start it again if it has ended, later with each failure. Raises LocalError in the end."""
        if self.process is None:
            if time.monotonic() >= self.due:
                self.start()
        elif self.process.poll() is not None:
            self._note_the_end(self.process.returncode)

    def _note_the_end(self, code: int) -> None:
        now = time.monotonic()
        self.failures = 1 if now - self.started > ALIVE else self.failures + 1
        if self.failures >= PATIENCE:
            raise LocalError(f"{self.name} ended {PATIENCE} times in a row; its words are above.")
        wait = 2 ** (self.failures - 1)
        print(f"{self.name} ended (code {code}); starting it again in {wait} s", flush=True)
        self.process, self.due = None, now + wait


class Watch:
    """Ends each process that lives without working, while there is what it needs for its work."""

    def __init__(self, address: str, services: list[Service]) -> None:
        """Watch over these; `address` is the site's."""
        self.address, self.services = address, services
        self.looked, self.worked = 0.0, dict.fromkeys(WORK, time.monotonic())

    def look(self) -> None:
        """Ask the site who works, if it is time to, and end who has been silent for too long."""
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        self.looked, says = now, _readiness(self.address)
        can_work = says.get("database") and says.get("redis")
        for service in self.services:
            check = WORK.get(service.name)
            if check is None or not can_work or says.get(check) or not service.is_alive():
                self.worked[service.name] = now
            elif now - self.worked[service.name] > SILENCE:
                print(f"{service.name} has not worked for {SILENCE:.0f} s; ending it", flush=True)
                service.end()


def serve(host: str, port: int) -> None:
    """Serve the site until a signal (raised as Stopped). Raises LocalError."""
    with listen(host, port) as listener, servers(passing=False) as (urls, started):
        env = _environment(host, port, urls)
        if run_to_end((sys.executable, "-m", "config.local.prepare"), env) != 0:
            raise LocalError("The site could not be prepared; the reason is above.")
        with running(env, listener.fileno()) as services:
            _announce(host, port, env, services)
            watch = Watch(_address(host, port), services)
            while True:
                pause(1.0)
                _look_after(services, started)
                watch.look()


@contextmanager
def listen(host: str, port: int) -> Iterator[socket.socket]:
    """The socket to serve on. Raises LocalError if it cannot be had."""
    try:
        listener = socket.create_server((host, port), backlog=1024)
    except OSError as refused:
        raise LocalError(
            f"{host}:{port} cannot be served ({os.strerror(refused.errno or 0)}). "
            f"Another port: make run PORT={port + 1}"
        ) from None
    with listener:
        yield listener


@contextmanager
def running(env: Mapping[str, str], fd: int, logs: Path | None = None) -> Iterator[list[Service]]:
    """Web (serving on the socket ``fd``), worker and clock while the block runs.

    Their words go to this process's output, or to one file each in ``logs``.
    """
    services = [
        Service(name, command, env, fd if name == "web" else None, logs and logs / f"{name}.log")
        for name, command in COMMANDS.items()
    ]
    try:
        for service in services:
            service.start()
        yield services
    finally:
        running = [service.process for service in services if service.process]
        for process in running:
            process.terminate()
        for process in running:
            stop(process)


def _look_after(services: list[Service], started: list[Server]) -> None:
    for server in started:
        if server.process and server.process.poll() is not None:
            print(f"{server.name} ended; starting it again", flush=True)
            server.restart()
    for service in services:
        service.look_after()


def _environment(host: str, port: int, urls: Mapping[str, str]) -> dict[str, str]:
    """The settings of a site to play and develop with; what is in the environment already wins."""
    to_all = host == "0.0.0.0"  # noqa: S104
    chosen = {
        # Error pages that show the site's insides are for whoever sits at this machine.
        "DEBUG": "1" if host.startswith(LOOPBACK) else "0",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "*" if to_all else f"127.0.0.1,localhost,{host}",
        # Whom all can reach is reached by each under a name that only the request tells.
        "SITE_URL": "" if to_all else _address(host, port),
        "PYTHONUNBUFFERED": "1",
        # Celery's word of warning is for production; here root's servers run under another account.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
    }
    if "SECRET_KEY" not in os.environ:
        chosen["SECRET_KEY"] = local_secret()
    return {**chosen, **os.environ, **urls}


def _address(host: str, port: int) -> str:
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104


def _announce(
    host: str, port: int, env: Mapping[str, str], services: list[Service], patience: float = 60
) -> None:
    """Wait until the whole site works, then say where it is and what to do next."""
    address, deadline = _address(host, port), time.monotonic() + patience
    while not is_ready(address):
        pause_for(0.1)
        _look_after(services, [])
        if time.monotonic() > deadline:
            print(f"The site is up, but {address}/readyz does not say that all of it works.")
            break
    manage = "python -m config.local with -- python manage.py"
    print(f"\nIkarita is at {address}/\n")
    print(
        "  Play:       open it, create a table, add a computer player or send the link to a friend."
    )
    print(f"  Administer: .venv/bin/{manage} createsuperuser, then {address}/admin/")
    print("  Stop:       Ctrl-C. Games stay.\n")
    if not host.startswith(LOOPBACK) and env["DEBUG"] == "1":
        print(
            "  Everyone in this network can open it, and error pages show its insides (DEBUG=1).\n"
        )
    sys.stdout.flush()


def is_ready(address: str) -> bool:
    """Whether database and Redis are there, and all processes work."""
    # /healthz first: while the web process starts there is nobody to say more, or to log it.
    return all(_ask(address, path)[0] == http.client.OK for path in ("/healthz", "/readyz"))


def _readiness(address: str) -> dict[str, bool]:
    """What /readyz says, part by part; nothing if the web process does not answer."""
    status, said = _ask(address, "/readyz")
    return json.loads(said) if status in {http.client.OK, http.client.SERVICE_UNAVAILABLE} else {}


def _ask(address: str, path: str) -> tuple[int, bytes]:
    """Status and body; 0 and nothing where nobody answers."""
    link = http.client.HTTPConnection(address.removeprefix("http://"), timeout=5)
    try:
        link.request("GET", path)
        answer = link.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        link.close()
