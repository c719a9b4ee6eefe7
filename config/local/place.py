"""Where the servers of this checkout keep their data, and under which account they run.

An ordinary user's servers run as that user, with their data in ``var/``. PostgreSQL refuses to run
as root, so root's servers run under an unprivileged account; where that account cannot reach the
checkout (one below a private home, say), data and binaries are kept in a state directory instead.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.local.processes import Account, LocalError, as_account

CHECKOUT = Path(__file__).resolve().parents[2]
VAR = CHECKOUT / "var"
STATES = Path("/var/lib/ikarita")
ACCOUNTS = ("postgres", "nobody", "daemon", "www-data")


@dataclass(frozen=True)
class Place:
    """A directory for the data of one PostgreSQL and one Valkey, and the account they run under."""

    directory: Path
    copies: Path  # of binaries that the account cannot run where they are installed
    account: Account | None

    def folder(self, name: str) -> Path:
        """A subdirectory that only the account can enter."""
        path = self.directory / name
        path.mkdir(mode=0o700, exist_ok=True)
        self.give(path)
        return path

    def log(self, name: str) -> Path:
        """The log of a server; a long one starts anew."""
        path = self.directory / f"{name}.log"
        if path.exists() and path.stat().st_size > 5_000_000:
            path.unlink()
        return path

    def give(self, path: Path) -> None:
        """Make the account the owner of ``path``."""
        if self.account:
            os.chown(path, self.account.uid, self.account.gid)

    def can_run(self, binary: Path) -> bool:
        """Whether the account can run ``binary``, libraries included."""
        return _succeeds(self.account, binary, "--version")

    def runnable(
        self, installed: Path, parts: Sequence[str], binary: str, label: str
    ) -> Path | None:
        """A binary that the account can run: the installed one or a copy. None if neither runs.

        ``installed`` is the directory that ``parts`` (what a copy needs, libraries too) and
        ``binary`` are relative to: a binary finds its libraries by their relative place.
        ``label`` names the version, so that an upgrade is copied anew.
        """
        if self.can_run(installed / binary):
            return installed / binary
        copy = self.copies / label
        if not self.can_run(copy / binary):
            self.copies.mkdir(exist_ok=True)
            self.copies.chmod(0o755)
            _copy(installed, parts, copy)
        return copy / binary if self.can_run(copy / binary) else None


def permanent_place() -> Place:
    """The place whose data stays from one `make run` to the next."""
    VAR.mkdir(exist_ok=True)
    account = _unprivileged_account() if os.geteuid() == 0 else None
    if account is None or _succeeds(account, "/bin/sh", "-c", 'cd "$0"', VAR):
        return Place(VAR, VAR / "binaries", account)
    directory = _state_directory()
    return Place(directory, directory / "binaries", account)


@contextmanager
def passing_place() -> Iterator[Place]:
    """A place that is removed at the end; what killed processes have left is removed first."""
    base = permanent_place()
    for left in base.directory.glob("passing-*"):
        if not Path("/proc", left.name.split("-")[1]).exists():
            shutil.rmtree(left, ignore_errors=True)
    directory = Path(tempfile.mkdtemp(prefix=f"passing-{os.getpid()}-", dir=base.directory))
    directory.chmod(0o711)
    try:
        yield Place(directory, base.copies, base.account)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a lock file; it names the holder. Raises BlockingIOError if another process has it."""
    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _unprivileged_account() -> Account:
    for name in ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise LocalError(
        "PostgreSQL does not run as root, and none of the accounts "
        f"{', '.join(ACCOUNTS)} exists. Run this as an ordinary user."
    )


def _state_directory() -> Path:
    """One for each checkout, told apart by the path; the file ``checkout`` in it says whose."""
    mark = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:8]
    directory = STATES / f"{CHECKOUT.name}-{mark}"
    for each in (STATES, directory):
        each.mkdir(mode=0o711, exist_ok=True)
        each.chmod(0o711)
    (directory / "checkout").write_text(f"{CHECKOUT}\n")
    return directory


def _succeeds(account: Account | None, *command: str | Path) -> bool:
    try:
        return (
            subprocess.run(
                [str(part) for part in command],
                cwd="/",
                capture_output=True,
                check=False,
                **as_account(account),
            ).returncode
            == 0
        )
    except OSError:
        return False


def _copy(installed: Path, parts: Sequence[str], target: Path) -> None:
    """Copy so that a process killed in the middle leaves nothing that looks whole."""
    half = target.with_name(f"{target.name}.{os.getpid()}")
    for part in parts:
        shutil.copytree(installed / part, half / part, symlinks=True)
    shutil.rmtree(target, ignore_errors=True)
    half.replace(target)
